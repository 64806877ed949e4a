//! A shader is a list of WGSL files joined in order; an error is told in the file and line where it stands.

use crate::error::{Error, Result};

/// One file of WGSL.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// Its path under `shaders/`.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// Names a file under `shaders/`, which becomes part of the program.
#[macro_export]
macro_rules! part {
    ($path:literal) => {
        $crate::gpu::Part { path: $path, text: include_str!(concat!("../../shaders/", $path)) }
    };
}

pub use part;

/// A shader of one or more parts.
#[derive(Debug, Clone, Copy)]
pub struct Shader {
    /// Label of its module: `orograph.pass`.
    pub label: &'static str,
    /// Lists of parts, which shaders may share, in order.
    pub lists: &'static [&'static [Part]],
}

impl Shader {
    /// The parts in order.
    pub fn parts(&self) -> impl Iterator<Item = &'static Part> {
        self.lists.iter().copied().flatten()
    }

    /// The joined text.
    pub fn text(&self) -> String {
        self.parts().map(|part| part.text).collect()
    }

    /// The file and line that a line of the joined text stands in, both from 1.
    pub fn locate(&self, line: usize) -> Option<(&'static str, usize)> {
        let mut before = 0;
        for part in self.parts() {
            let lines = part.text.lines().count();
            if line <= before + lines {
                return Some((part.path, line - before));
            }
            before += lines;
        }
        None
    }

    /// Compiles the shader.
    ///
    /// # Errors
    /// The shader is not valid, with the file and line of the first message.
    pub fn module(&self, device: &wgpu::Device) -> Result<wgpu::ShaderModule> {
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(self.label),
            source: wgpu::ShaderSource::Wgsl(self.text().into()),
        });
        let Some(error) = pollster::block_on(scope.pop()) else { return Ok(module) };
        let info = pollster::block_on(module.get_compilation_info());
        let first =
            info.messages.iter().find(|message| message.message_type == wgpu::CompilationMessageType::Error);
        let place = first
            .and_then(|message| message.location.as_ref())
            .and_then(|location| self.locate(location.line_number as usize))
            .map_or_else(|| self.label.to_owned(), |(path, line)| format!("{path}:{line}"));
        let text = first.map_or_else(|| error.to_string(), |message| message.message.clone());
        let what = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("not valid").trim();
        Err(Error::failed(format!("{place}: {what}"), "a valid shader", "report this fault"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_whole_is_told_in_its_part() {
        const PARTS: &[Part] = &[Part { path: "a", text: "1\n2\n" }, Part { path: "b", text: "3\n4\n5\n" }];
        let shader = Shader { label: "test", lists: &[PARTS] };
        assert_eq!(shader.locate(2), Some(("a", 2)));
        assert_eq!(shader.locate(3), Some(("b", 1)));
        assert_eq!(shader.locate(6), None);
    }
}
