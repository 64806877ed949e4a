// Natural colours by height and slope.

fn natural_hash(cell: vec2i) -> f32 {
    var h = u32(cell.x) * 0x9e3779b1u ^ u32(cell.y) * 0x85ebca77u;
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    return f32((h ^ (h >> 15u)) & 0xffffu) * (1.0 / 65535.0);
}

// Smooth noise from 0 to 1 with one value a lattice point.
fn natural_noise(at: vec2f) -> f32 {
    let cell = vec2i(floor(at));
    let f = at - floor(at);
    let w = f * f * (3.0 - 2.0 * f);
    let north = mix(natural_hash(cell), natural_hash(cell + vec2i(1, 0)), w.x);
    let south = mix(natural_hash(cell + vec2i(0, 1)), natural_hash(cell + vec2i(1, 1)), w.x);
    return mix(north, south, w.y);
}

fn natural_by_height(t: f32) -> vec3f {
    var colour = look.ground[0].rgb;
    for (var k = 1u; k < 5u; k++) {
        let part = clamp((t - look.ground[k - 1u].w) * look.per_ground_step[k - 1u], 0.0, 1.0);
        colour = mix(colour, look.ground[k].rgb, part);
    }
    return colour;
}

// `metres`: height; `height`: the same as a fraction of the field's range; `rise`: metres a metre; `relief`: over the surroundings; `patchiness`: a noise
// from −1 to 1.
fn natural_albedo(metres: f32, height: f32, rise: f32, relief: f32, patchiness: f32) -> vec3f {
    let t = height + 0.05 * patchiness;
    var colour = natural_by_height(t) * (1.0 + 0.10 * patchiness);
    let steep = rise + 0.12 * patchiness;
    colour = mix(colour, look.scree.rgb, 0.7 * look_smooth((steep - 0.38) * (1.0 / 0.24)));
    colour = mix(colour, look.rock.rgb * (1.0 + 0.25 * patchiness), look_smooth((steep - 0.58) * (1.0 / 0.37)));
    let cold = look_smooth((metres - look.scree.w) * (1.0 / 250.0));
    let snow = cold * look_smooth((t - 0.25 * max(relief, 0.0) - look.snow.w + 0.06) * (1.0 / 0.16));
    return mix(colour, look.snow.rgb, snow * (1.0 - look_smooth((steep - 0.75) * (1.0 / 0.40))));
}
