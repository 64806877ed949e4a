"""Times panda3d's ShaderTerrainMesh with its own settings and a short shader: a normal from four heights, one light."""

from pathlib import Path

from panda3d.core import (
    Filename,
    PandaSystem,
    PNMImage,
    Point3,
    Shader,
    ShaderTerrainMesh,
    Texture,
    Vec3,
    loadPrcFileData,
)

import field
import orbit

# What panda3d tells both shaders of the terrain.
TERRAIN = """
#version 150
uniform struct {
    sampler2D data_texture;
    sampler2D heightfield;
    int view_index;
    int terrain_size;
    int chunk_size;
} ShaderTerrainMesh;
"""

VERTEX = TERRAIN + """
uniform mat4 p3d_ModelViewProjectionMatrix;
in vec4 p3d_Vertex;
out vec2 place;

void main() {
    vec4 chunk = texelFetch(ShaderTerrainMesh.data_texture, ivec2(gl_InstanceID, ShaderTerrainMesh.view_index), 0);
    float across = float(ShaderTerrainMesh.chunk_size), whole = float(ShaderTerrainMesh.terrain_size);
    vec3 at = p3d_Vertex.xyz;
    float coarser = smoothstep(0.0, 1.0, chunk.w);
    at.xy -= coarser * fract(at.xy * across / 2.0) * 2.0 / across;
    at *= chunk.z * across / whole;
    at.z *= across;
    at.xy += chunk.xy / whole;
    place = at.xy;
    at.z += texture(ShaderTerrainMesh.heightfield, place).x;
    gl_Position = p3d_ModelViewProjectionMatrix * vec4(at, 1.0);
}
"""

FRAGMENT = TERRAIN + """
uniform vec3 scale;
in vec2 place;
out vec4 colour;

float height(vec2 at) { return texture(ShaderTerrainMesh.heightfield, at).x * scale.z; }

void main() {
    float texel = 1.0 / float(ShaderTerrainMesh.terrain_size);
    vec2 rise = vec2(
        height(place + vec2(texel, 0.0)) - height(place - vec2(texel, 0.0)),
        height(place + vec2(0.0, texel)) - height(place - vec2(0.0, texel))) / (2.0 * texel * scale.xy);
    vec3 normal = normalize(vec3(-rise, 1.0));
    float light = max(dot(normal, normalize(vec3(-1.0, 1.0, 1.4))), 0.0);
    colour = vec4(vec3(0.82, 0.71, 0.55) * (0.25 + 0.75 * light), 1.0);
}
"""


def settings(size):
    """Off screen, one sample a pixel, every frame waited for, and the axes of panda3d's own sample.

    With the axes that panda3d has otherwise the mesh takes distances along a wrong one, and has no room for all the chunks.
    """
    width, height = size
    for line in (
        "load-display p3headlessgl",
        "window-type offscreen",
        f"win-size {width} {height}",
        "framebuffer-multisample 0",
        "sync-video 0",
        "gl-finish 1",
        "gl-version 3 2",
        "gl-coordinate-system default",
        "audio-library-name null",
        "notify-level-p3headlessgl error",
    ):
        loadPrcFileData("", line)


def heightfield(folder):
    image = PNMImage(Filename.from_os_specific(str(Path(folder) / "field.png")))
    texture = Texture("heightfield")
    texture.load(image)
    texture.wrap_u = texture.wrap_v = Texture.WM_clamp
    return texture


def terrain_in(base, folder):
    mesh = ShaderTerrainMesh()
    mesh.heightfield = heightfield(folder)
    mesh.generate()
    scale = Vec3(field.SIDE * field.SPACING, field.SIDE * field.SPACING, field.HIGHEST)
    node = base.render.attach_new_node(mesh)
    node.set_scale(scale)
    node.set_pos(-scale.x / 2, -scale.y / 2, 0.0)
    node.set_shader(Shader.make(Shader.SL_GLSL, VERTEX, FRAGMENT))
    node.set_shader_input("scale", scale)
    return mesh


def main():
    options = orbit.arguments(__doc__).parse_args()
    size = orbit.size_of(options)
    settings(size)
    from direct.showbase.ShowBase import ShowBase

    base = ShowBase()
    base.set_background_color(0.6, 0.7, 0.8)
    mesh = terrain_in(base, options.folder)
    lens = base.cam.node().get_lens()
    lens.aspect_ratio = size[0] / size[1]
    lens.min_fov = 45.0
    lens.set_near_far(10.0, 100_000.0)

    def draw(camera):
        (x, y, z), (to_x, to_y, to_z) = camera.eye, camera.target
        base.cam.set_pos(x, -z, y)
        base.cam.look_at(Point3(to_x, -to_z, to_y), Vec3(0, 0, 1))
        base.graphics_engine.render_frame()

    heights = field.load(options.folder)
    times = orbit.timed(options, heights, draw)
    if options.picture:
        draw(next(orbit.cameras(heights, size, 1)))
        base.win.save_screenshot(Filename.from_os_specific(options.picture))
    state = base.win.gsg
    orbit.report(
        "ShaderTerrainMesh",
        f"{state.driver_renderer}, OpenGL {state.driver_version}",
        times,
        version=f"panda3d {PandaSystem.version_string}",
        triangle_px=mesh.target_triangle_width,
        size=[base.win.get_x_size(), base.win.get_y_size()],
    )


if __name__ == "__main__":
    main()
