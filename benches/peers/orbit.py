"""The camera of `orograph bench --flight orbit` over the field, and the timing that every tool shares.

Metres; x east, y up, z south, the field's middle over the origin: as in orograph. The formulas are those of src/camera/frame.rs and
src/frame/flight.rs.
"""

import argparse
import json
import math
import statistics
import time
from dataclasses import dataclass
from itertools import product

import field

FOV_Y = math.radians(45.0)
FILL = 0.95
"""Share of the picture that the first view fills."""
PITCH = math.radians(-45.0)


@dataclass
class Camera:
    eye: tuple
    target: tuple
    yaw: float
    """Compass direction of the view, radians."""
    distance: float
    """Metres from the eye to the target."""


def axes(yaw, pitch):
    """Right, up and forward."""
    right = (math.cos(yaw), 0.0, math.sin(yaw))
    forward = (math.sin(yaw) * math.cos(pitch), math.sin(pitch), -math.cos(yaw) * math.cos(pitch))
    up = (
        right[1] * forward[2] - right[2] * forward[1],
        right[2] * forward[0] - right[0] * forward[2],
        right[0] * forward[1] - right[1] * forward[0],
    )
    return right, up, forward


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def first_eye(lowest, highest, size):
    """The nearest eye south of the field, 45° down, that shows all of its box."""
    half = field.SPACING * (field.SIDE - 1) / 2
    views = axes(0.0, PITCH)
    corners = [
        [dot(axis, corner) for axis in views]
        for corner in product((-half, half), (lowest, highest), (-half, half))
    ]
    vertical = math.tan(FOV_Y / 2) * FILL
    slopes = (vertical * size[0] / size[1], vertical)
    depths = []
    for axis, slope in enumerate(slopes):
        least = max(c[axis] - slope * c[2] for c in corners)
        most = min(c[axis] + slope * c[2] for c in corners)
        depths.append((most - least) / (2 * slope))
    depth = min(depths)
    across = [centred(corners, axis, depth) for axis in (0, 1)]
    return tuple(sum(part * axis[k] for part, axis in zip((*across, depth), views)) for k in range(3))


def centred(corners, axis, depth):
    """The eye's place along an axis of the picture that leaves the same room at both ends."""
    low = min(c[axis] for c in corners) - 1e6
    high = max(c[axis] for c in corners) + 1e6
    for _ in range(100):
        middle = (low + high) / 2
        slopes = [(c[axis] - middle) / (c[2] - depth) for c in corners]
        low, high = (middle, high) if max(slopes) + min(slopes) > 0 else (low, middle)
    return (low + high) / 2


def cameras(heights, size, frames):
    """The camera of every frame: a full circle about the middle."""
    lowest, highest = float(heights.min()), float(heights.max())
    target = (0.0, (lowest + highest) / 2, 0.0)
    distance = math.dist(first_eye(lowest, highest, size), target)
    for number in range(frames):
        yaw = 2 * math.pi * number / (max(frames, 2) - 1)
        forward = axes(yaw, PITCH)[2]
        eye = tuple(t - f * distance for t, f in zip(target, forward))
        yield Camera(eye, target, yaw, distance)


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder", help="where field.py wrote the field")
    parser.add_argument("--size", default="1920x1080", help="pixels of the picture")
    parser.add_argument("--frames", type=int, default=16, help="frames of the orbit")
    parser.add_argument("--warm-up", type=int, default=2, help="frames that are not timed, before")
    parser.add_argument("--picture", help="also save the first frame of the orbit here, as PNG")
    return parser


def size_of(options):
    return tuple(int(side) for side in options.size.split("x"))


def timed(options, heights, draw):
    """Milliseconds of each frame that `draw(camera)` draws and waits for."""
    path = list(cameras(heights, size_of(options), options.frames))
    for camera in path[: options.warm_up]:
        draw(camera)
    times = []
    for camera in path:
        begin = time.perf_counter()
        draw(camera)
        times.append((time.perf_counter() - begin) * 1e3)
    return times


def report(tool, renderer, times, **more):
    """Prints one line of JSON."""
    found = {"tool": tool, "renderer": renderer, "p50_ms": statistics.median(times), "min_ms": min(times)}
    print(json.dumps({**found, "max_ms": max(times), "frames": len(times), **more}), flush=True)
