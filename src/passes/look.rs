//! Light, air and ground colours: the numbers behind the natural look.

use crate::gpu::gpu_struct;
use crate::space;

gpu_struct! {
    /// As `Look` in shaders/shared/look.wgsl, where each field is told. Colours are linear.
    #[allow(missing_docs, reason = "told in the shader")]
    pub struct Look {
        pub sun: [f32; 4],
        pub sun_colour: [f32; 4],
        pub sky_zenith: [f32; 4],
        pub sky_horizon: [f32; 4],
        pub sky_nadir: [f32; 4],
        pub background: [f32; 4],
        pub air: [f32; 4],
        pub rock: [f32; 4],
        pub scree: [f32; 4],
        pub snow: [f32; 4],
        pub ground: [[f32; 4]; 5],
        pub per_ground_step: [f32; 4],
        pub levels: [[f32; 4]; 8],
    }
}

impl Look {
    /// Share of light that haze takes over the field's longer side.
    const HAZE_OVER_FIELD: f64 = 0.10;
    /// Height under which no snow lies, metres: between the Alps' and the northern mountains' summer lines.
    const SNOW_LINE: f32 = 1600.0;

    /// The natural look with the sun at a compass direction and altitude in radians, for a field `extent` metres long.
    pub fn natural(azimuth: f64, altitude: f64, extent: f64) -> Self {
        let toward_sun = space::direction(azimuth, altitude).as_vec3();
        let ground = [
            srgb(0x6c7350, 0.0),
            srgb(0x525f40, 0.22),
            srgb(0x64674a, 0.44),
            srgb(0x80765f, 0.64),
            srgb(0x8f867a, 0.88),
        ];
        let haze = -(1.0 - Self::HAZE_OVER_FIELD).ln() / extent.max(1e-3);
        Self {
            sun: [toward_sun.x, toward_sun.y, toward_sun.z, 1.0],
            sun_colour: [2.60, 2.38, 2.05, 0.0],
            sky_zenith: srgb(0x4f86c4, 0.0),
            sky_horizon: srgb(0xc3d6e6, 0.0),
            sky_nadir: srgb(0x6d7a88, 0.0),
            background: [0.0; 4],
            air: [0.55, 0.06, haze as f32, 1.3],
            rock: srgb(0x6d645c, 0.0),
            scree: srgb(0x827661, Self::SNOW_LINE),
            snow: srgb(0xeef2f7, 0.76),
            per_ground_step: std::array::from_fn(|k| (ground[k + 1][3] - ground[k][3]).recip()),
            ground,
            levels: [
                srgb(0xe69f00, 0.0),
                srgb(0x56b4e9, 0.0),
                srgb(0x009e73, 0.0),
                srgb(0xf0e442, 0.0),
                srgb(0x0072b2, 0.0),
                srgb(0xd55e00, 0.0),
                srgb(0xcc79a7, 0.0),
                srgb(0x999999, 0.0),
            ],
        }
    }

    /// Shows one colour, sRGB bytes, behind the ground instead of the sky, and takes the haze away.
    #[must_use]
    pub fn with_background(mut self, [red, green, blue]: [u8; 3]) -> Self {
        let [red, green, blue] = [red, green, blue].map(|channel| f32::from(channel) / 255.0);
        self.background = [red, green, blue, 1.0];
        self.air[2] = 0.0;
        self
    }
}

/// A colour 0xrrggbb in sRGB as linear light, with a fourth value.
fn srgb(colour: u32, fourth: f32) -> [f32; 4] {
    let channel = |shift: u32| {
        let encoded = (colour >> shift & 0xff) as f32 / 255.0;
        if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
    };
    [channel(16), channel(8), channel(0), fourth]
}
