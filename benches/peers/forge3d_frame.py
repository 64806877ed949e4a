"""Times forge3d's TerrainRenderer: its screen mode, which fills the picture with the field from above whatever the camera, and its
mesh mode with a level camera. Needs numpy and forge3d alone.

Its pictures come as arrays: copying one from the GPU is part of its frame.
"""

import math
import tempfile
from importlib.metadata import version
from pathlib import Path

import forge3d
import numpy as np
from forge3d.terrain_params import PomSettings, ShadowSettings, make_terrain_params_config

import field
import orbit


def environment():
    """An even sky: forge3d wants a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sky.hdr"
        header = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 2\n"
        path.write_bytes(header + bytes([180, 190, 205, 128]) * 4)
        return forge3d.IBL.from_hdr(str(path), intensity=1.0)


def colours():
    """Height by colour, as forge3d's own terrain demo draws."""
    domain = (0.0, field.HIGHEST)
    stops = [(0.0, "#3f5a36"), (0.45 * field.HIGHEST, "#8f7f5f"), (field.HIGHEST, "#f5f7fb")]
    ramp = forge3d.Colormap1D.from_stops(stops=stops, domain=domain)
    return forge3d.OverlayLayer.from_colormap1d(ramp, strength=1.0, offset=0.0, blend_mode="Alpha", domain=domain)


def params(options, camera, overlay):
    """forge3d's own settings but for the camera and a colour by height.

    Its terrain lies in x and y, the middle of its heights at 0; y runs north, since the rows are given so.
    """
    extent = field.SPACING * (field.SIDE - 1)
    plain = {"pom": no_relief(), "shadows": no_shadows()} if options.plain else {}
    return forge3d.TerrainRenderParams(
        make_terrain_params_config(
            size_px=orbit.size_of(options),
            render_scale=1.0,
            terrain_span=extent,
            msaa_samples=1,
            z_scale=1.0,
            exposure=1.0,
            domain=(0.0, field.HIGHEST),
            cam_radius=camera.distance,
            cam_phi_deg=-90.0 - math.degrees(camera.yaw),
            cam_theta_deg=90.0 + math.degrees(orbit.PITCH),
            cam_target=(0.0, 0.0, 0.0),
            fov_y_deg=math.degrees(orbit.FOV_Y),
            camera_mode=options.mode,
            albedo_mode="colormap",
            colormap_strength=1.0,
            overlays=[overlay],
            clip=(10.0, 100_000.0),
            terrain_data_revision=1,
            **plain,
        )
    )


def no_relief():
    return PomSettings(False, "Occlusion", 0.04, 12, 40, 4, False, False)


def no_shadows():
    return ShadowSettings(False, "PCF", 512, 2, 4000.0, 1.0, 0.8, 0.002, 0.001, 0.3, 1e-4, 0.5, 2.0, 0.9)


def main():
    parser = orbit.arguments(__doc__)
    parser.add_argument("--mode", choices=("screen", "mesh:zup"), default="screen")
    parser.add_argument("--plain", action="store_true", help="without its shadows and relief mapping")
    options = parser.parse_args()
    heights = field.load(options.folder)
    session = forge3d.Session(window=False)
    renderer = forge3d.TerrainRenderer(session)
    materials, sky, overlay = forge3d.MaterialSet.terrain_default(), environment(), colours()
    from_the_south = np.ascontiguousarray(heights[::-1])

    def drawn(camera):
        return renderer.render_terrain_pbr_pom(
            material_set=materials,
            env_maps=sky,
            params=params(options, camera, overlay),
            heightmap=from_the_south,
            target=None,
        )

    times = orbit.timed(options, heights, lambda camera: drawn(camera).to_numpy())
    if options.picture:
        drawn(next(orbit.cameras(heights, orbit.size_of(options), 1))).save(options.picture)
    plain = ", plain" if options.plain else ""
    renderer_name = f"{session.adapter_name}, {session.backend}"
    orbit.report(f"forge3d {options.mode}{plain}", renderer_name, times, version=f"forge3d {version('forge3d')}")


if __name__ == "__main__":
    main()
