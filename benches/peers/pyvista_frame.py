"""Times PyVista (VTK): the whole field as one surface mesh, lit by its default lights."""

import numpy as np
import pyvista
import vtk

import field
import orbit


def point(at):
    """VTK's z is up."""
    return (at[0], -at[2], at[1])


def surface(heights):
    half = field.SPACING * (field.SIDE - 1) / 2
    along = np.linspace(-half, half, field.SIDE, dtype=np.float32)
    x, y = np.meshgrid(along, -along)
    return pyvista.StructuredGrid(x, y, heights).extract_surface(algorithm="dataset_surface")


def plotter_of(mesh, size, four_samples):
    plotter = pyvista.Plotter(off_screen=True, window_size=size)
    if not four_samples:
        plotter.disable_anti_aliasing()
        plotter.render_window.SetMultiSamples(0)
    plotter.add_mesh(mesh, color="tan")
    plotter.camera.up = (0.0, 0.0, 1.0)
    plotter.camera.view_angle = float(np.degrees(orbit.FOV_Y))
    return plotter


def main():
    parser = orbit.arguments(__doc__)
    parser.add_argument("--four-samples", action="store_true", help="a pixel, as PyVista takes unless told otherwise")
    options = parser.parse_args()
    heights = field.load(options.folder)
    plotter = plotter_of(surface(heights), orbit.size_of(options), options.four_samples)
    window = plotter.render_window

    def draw(camera):
        plotter.camera.position = point(camera.eye)
        plotter.camera.focal_point = point(camera.target)
        plotter.renderer.ResetCameraClippingRange()
        window.Render()
        window.WaitForCompletion()

    times = orbit.timed(options, heights, draw)
    if options.picture:
        draw(next(orbit.cameras(heights, orbit.size_of(options), 1)))
        plotter.screenshot(options.picture)
    lines = window.ReportCapabilities().splitlines()
    told = {name.strip(): value.strip() for name, value in (line.split(":", 1) for line in lines if ":" in line)}
    name = f"{told.get('OpenGL renderer string')}, OpenGL {told.get('OpenGL version string')}"
    version = f"PyVista {pyvista.__version__}, VTK {vtk.vtkVersion.GetVTKVersion()}"
    orbit.report("PyVista", name, times, version=version, samples=max(window.GetMultiSamples(), 1))


if __name__ == "__main__":
    main()
