//! Shaders without a GPU: every file is valid, every shared struct has the same layout on both sides, and every pipeline
//! can be built.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use glam::DVec3;
use naga::TypeInner;
use orograph::clipmap::ClipmapSettings;
use orograph::frame::{Renderer, RendererOptions};
use orograph::gpu::{AdapterChoice, Field, Gpu, GpuStruct, RasterPath, Shader};
use orograph::passes::{
    Draw, DrawCounts, Frame, Instance, Look, Output, PolygonProbe, Reference, SHADERS, StoredFacts,
    VertexProbe,
};
use orograph::source::MemorySource;
use orograph::terrain::Terrain;
use std::collections::BTreeSet;
use std::sync::Arc;

fn parse(shader: &Shader) -> naga::Module {
    naga::front::wgsl::parse_str(&shader.text()).unwrap_or_else(|error| panic!("{}: {error}", shader.label))
}

#[test]
fn every_shader_is_valid() {
    for shader in SHADERS {
        let module = parse(shader);
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::all())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{}: {error:?}", shader.label));
    }
}

#[test]
fn every_shader_file_belongs_to_a_shader() {
    let used: BTreeSet<_> =
        SHADERS.iter().flat_map(|shader| shader.parts()).map(|part| part.path.to_owned()).collect();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let files = |folder: &str| {
        let names = std::fs::read_dir(root.join(folder)).expect("a folder").flatten();
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names
            .filter(|name| name.ends_with(".wgsl"))
            .map(|name| format!("{folder}{name}"))
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(used, &files("") | &files("shared/"));
}

/// The fields of a struct as WGSL lays them out.
fn reflected(module: &naga::Module, name: &str) -> Option<Vec<(String, usize)>> {
    module.types.iter().find_map(|(_, ty)| match &ty.inner {
        TypeInner::Struct { members, .. } if ty.name.as_deref() == Some(name) => {
            Some(members.iter().map(|m| (m.name.clone().unwrap_or_default(), m.offset as usize)).collect())
        }
        _ => None,
    })
}

fn differences(fields: &[Field], reflected: &[(String, usize)]) -> Vec<String> {
    let ours: Vec<_> = fields.iter().map(|field| (field.name.to_owned(), field.offset)).collect();
    if ours == *reflected { Vec::new() } else { vec![format!("{ours:?} is not {reflected:?}")] }
}

fn check<T: GpuStruct>() {
    let mut seen = 0;
    for shader in SHADERS {
        if let Some(reflected) = reflected(&parse(shader), T::NAME) {
            assert_eq!(
                differences(&T::fields(), &reflected),
                Vec::<String>::new(),
                "{} in {}",
                T::NAME,
                shader.label
            );
            seen += 1;
        }
    }
    assert!(seen > 0, "{} stands in a shader", T::NAME);
}

#[test]
fn shared_structs_have_one_layout() {
    check::<Frame>();
    check::<Look>();
    check::<Instance>();
    check::<StoredFacts>();
    check::<DrawCounts>();
    check::<Draw>();
    check::<VertexProbe>();
    check::<PolygonProbe>();
}

#[test]
fn a_moved_field_is_noticed() {
    let mut fields = Instance::fields();
    fields[1].offset += 4;
    let module = parse(&SHADERS[0]);
    assert!(!differences(&fields, &reflected(&module, Instance::NAME).expect("the struct")).is_empty());
}

#[test]
fn every_pipeline_is_built_without_a_gpu() {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::NOOP;
    descriptor.backend_options.noop.enable = true;
    let instance = wgpu::Instance::new(descriptor);
    let gpu = Gpu::open(&instance, &AdapterChoice::Best, None).expect("the adapter that does nothing");
    let terrain = Terrain::new(3, 3, 1.0, DVec3::ZERO, &[0.0; 9]).expect("a field");
    let source = Arc::new(MemorySource::new(Arc::new(terrain)));
    let outputs = [Output::Picture, Output::Window(wgpu::TextureFormat::Bgra8UnormSrgb)];
    let paths = RasterPath::available(&gpu).into_iter().map(Some);
    for (path, output) in paths.flat_map(|path| outputs.map(|output| (path, output))) {
        Renderer::new(
            &gpu,
            source.clone(),
            DVec3::ZERO,
            RendererOptions { path, ..RendererOptions::new(ClipmapSettings::DRAWN, output) },
        )
        .and_then(|_| Reference::new(&gpu))
        .map(|_| ())
        .expect("every pipeline");
    }
}
