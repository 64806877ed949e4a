//! Every limit in one place: what is asked of an adapter, and how the bits of an id are shared out.

use crate::clipmap::{ClipmapSettings, MAX_LEVELS};
use crate::error::{Error, Result};

/// The adapter's own limits, if they are enough for the settings that may be chosen.
pub(super) fn required(adapter: &wgpu::Adapter) -> Result<wgpu::Limits> {
    let limits = adapter.limits();
    let needed = [
        ("texture array layers", limits.max_texture_array_layers, MAX_LEVELS),
        ("invocations a workgroup", limits.max_compute_invocations_per_workgroup, 256),
        ("storage buffers a stage", limits.max_storage_buffers_per_shader_stage, 8),
        ("storage textures a stage", limits.max_storage_textures_per_shader_stage, 2),
    ];
    for (what, have, need) in needed {
        if have < need {
            return Err(Error::adapter(
                format!("{} allows {have} {what}", adapter.get_info().name),
                format!("at least {need}"),
                "choose another adapter with --adapter",
            ));
        }
    }
    Ok(limits)
}

/// How the 32 bits of a visibility id are shared: surface, instance, triangle from the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdLayout {
    /// Bits of the triangle within a patch.
    pub triangle_bits: u32,
    /// Bits of the place in the instance list.
    pub instance_bits: u32,
}

impl IdLayout {
    /// Bits of the surface: 0 is background.
    pub const SURFACE_BITS: u32 = 2;
    /// The surface id of the clipmap.
    pub const TERRAIN: u32 = 1;

    /// The layout for a frame's settings and levels.
    ///
    /// # Errors
    /// The bits do not suffice.
    pub fn new(settings: ClipmapSettings, levels: u32) -> Result<Self> {
        let bits = |count: u32| u32::BITS - (count - 1).leading_zeros();
        let layout = Self {
            triangle_bits: bits(2 * (settings.patch_cells * settings.patch_cells) as u32),
            instance_bits: bits(levels * settings.patches_per_level() as u32),
        };
        let sum = layout.triangle_bits + layout.instance_bits + Self::SURFACE_BITS;
        if sum > 32 {
            return Err(Error::usage(
                format!("{sum} bits of visibility id"),
                "at most 32",
                "choose fewer cells along a patch or fewer patches across",
            ));
        }
        Ok(layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_settings_fit_an_id() {
        let largest = ClipmapSettings { patch_cells: 64, patches_across: 64 };
        assert!(IdLayout::new(largest, MAX_LEVELS - 4).is_ok());
        let drawn = IdLayout::new(ClipmapSettings::DRAWN, 5).expect("fits");
        assert_eq!((drawn.triangle_bits, drawn.instance_bits), (9, 11));
    }
}
