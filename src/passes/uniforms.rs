//! The frame's uniform: a plan in the form that shaders read.

use crate::clipmap::{Culling, Extents, FramePlan, MAX_LEVELS};
use crate::gpu::{IdLayout, gpu_struct};
use glam::{DVec2, DVec3};

gpu_struct! {
    /// As `Frame` in shaders/shared/frame.wgsl, where each field is told.
    #[allow(missing_docs, reason = "told in the shader")]
    pub struct Frame {
        pub clip_from_offset: [[f32; 4]; 4],
        pub ray_corner: [f32; 4],
        pub ray_x: [f32; 4],
        pub ray_y: [f32; 4],
        pub eye: [f32; 4],
        pub spacing: [f32; 2],
        pub exaggeration: f32,
        pub base_height: f32,
        pub eye_cell: [i32; 2],
        pub cells: [i32; 2],
        pub size: [u32; 2],
        pub levels: u32,
        pub first_level: u32,
        pub patch_cells: i32,
        pub patches_across: i32,
        pub lattice_side: i32,
        pub triangle_bits: u32,
        pub height_range: [f32; 2],
        pub cull_shift: u32,
        pub cull_per_metre: f32,
        pub cull_enabled: u32,
        pub gradient_levels: u32,
        pub pixel_angle: f32,
        pub per_exaggeration: f32,
        pub per_height_range: f32,
        pub per_gradient_reach: f32,
        pub per_spacing: [f32; 2],
        pub sample: [i32; 2],
        pub sample_shift: [f32; 2],
        pub density_scale: [i32; 3],
        pub error_per_unit: f32,
        pub density_cell: [i32; 2],
        pub density_sixteenths: [i32; 2],
        pub most_thinning: u32,
        pub continuous: u32,
        pub first_fade: u32,
        pub occlusion: u32,
        pub planes: [[i32; 4]; 5],
        pub origins: [[i32; 4]; MAX_LEVELS as usize],
        pub gradients: [[f32; 4]; MAX_LEVELS as usize],
    }
}

impl Frame {
    /// The uniform of a plan.
    pub fn new(plan: &FramePlan, extents: Extents, ids: IdLayout) -> Self {
        let (camera, size) = (&plan.view.camera, plan.view.size);
        let frame = &plan.frame;
        let ray = |x: f64, y: f64| camera.direction_through(DVec2::new(x, y), size);
        let corner = ray(0.0, 0.0);
        let sample = plan.view.sample_offset();
        let shift = sample * DVec2::new(-2.0, 2.0) / DVec2::from(size.map(f64::from));
        let vector = |v: DVec3, w: f64| [v.x as f32, v.y as f32, v.z as f32, w as f32];
        let mut origins = [[0; 4]; MAX_LEVELS as usize];
        for (slot, origin) in origins.iter_mut().zip(&frame.origins) {
            *slot = [origin[0], origin[1], 0, 0];
        }
        let mut gradients = [[0.0; 4]; MAX_LEVELS as usize];
        let side = f64::from(extents.gradient_side);
        for (slot, place) in gradients.iter_mut().zip(&plan.gradients) {
            let (anchor, per_metre) = ((place.texel + 0.5) / side, place.per_metre / side);
            *slot = [anchor.x, anchor.y, per_metre.x, per_metre.y].map(|value| value as f32);
        }
        Self {
            clip_from_offset: camera.clip_from_offset(plan.anchor, size).to_cols_array_2d(),
            ray_corner: vector(ray(sample.x, sample.y), 0.0),
            ray_x: vector(ray(1.0, 0.0) - corner, 0.0),
            ray_y: vector(ray(0.0, 1.0) - corner, 0.0),
            eye: vector(camera.eye - plan.anchor, camera.near),
            spacing: plan.spacing.as_vec2().to_array(),
            exaggeration: plan.view.exaggeration as f32,
            base_height: plan.base_height,
            eye_cell: plan.eye_cell,
            cells: frame.cells,
            size,
            levels: frame.levels,
            first_level: frame.first_level,
            patch_cells: frame.settings.patch_cells,
            patches_across: frame.settings.patches_across,
            lattice_side: extents.lattice_side as i32,
            triangle_bits: ids.triangle_bits,
            height_range: plan.heights,
            cull_shift: plan.frustum.shift,
            cull_per_metre: plan.frustum.per_metre,
            cull_enabled: u32::from(plan.view.culling != Culling::None),
            gradient_levels: extents.gradient_levels,
            pixel_angle: camera.pixel_angle(size) as f32,
            per_exaggeration: plan.view.exaggeration.recip() as f32,
            per_height_range: (plan.heights[1] - plan.heights[0]).max(1e-6).recip(),
            per_gradient_reach: plan.gradient_reach.recip() as f32,
            per_spacing: plan.spacing.recip().as_vec2().to_array(),
            sample: plan.view.sample,
            sample_shift: shift.as_vec2().to_array(),
            density_scale: plan.density.scale,
            error_per_unit: plan.density.error_per_unit,
            density_cell: plan.density.cell,
            density_sixteenths: plan.density.sixteenths,
            most_thinning: plan.density.most_thinning,
            continuous: u32::from(plan.density.continuous),
            first_fade: plan.density.first_fade,
            occlusion: u32::from(plan.view.culling == Culling::Occlusion),
            planes: plan.frustum.planes.map(|plane| [plane[0], plane[1], plane[2], 0]),
            origins,
            gradients,
        }
    }
}
