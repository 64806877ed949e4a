//! Structs shared with WGSL: one declaration gives the bytes and the table that a test holds against the shader.

/// One field of a shared struct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Name, the same in WGSL.
    pub name: &'static str,
    /// Bytes from the start of the struct.
    pub offset: usize,
    /// Bytes of the field.
    pub size: usize,
}

/// A struct whose layout WGSL shares.
pub trait GpuStruct: bytemuck::Pod {
    /// Name, the same in WGSL.
    const NAME: &'static str;
    /// The fields in order.
    fn fields() -> Vec<Field>;
}

/// Declares a struct as plain bytes with its field table.
#[macro_export]
macro_rules! gpu_struct {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl $crate::gpu::GpuStruct for $name {
            const NAME: &'static str = stringify!($name);
            fn fields() -> Vec<$crate::gpu::Field> {
                vec![$($crate::gpu::Field {
                    name: stringify!($field),
                    offset: std::mem::offset_of!($name, $field),
                    size: size_of::<$type>(),
                },)*]
            }
        }
    };
}

pub use gpu_struct;
