"""The field that every tool draws: fractal ground of 2048² samples, 10 m apart, the same on every run.

`python3 field.py FOLDER` writes it there as field.r32 (headerless 32-bit floats), which orograph, PyVista and forge3d are given, and as
field.png (16-bit grey), which ShaderTerrainMesh reads.
"""

import struct
import sys
import zlib
from pathlib import Path

import numpy as np

SIDE = 2048
SPACING = 10.0
"""Metres between samples."""
HIGHEST = 2000.0
"""Metres from the lowest sample, at 0, to the highest."""
SEED = 20_260_101
ROUGHNESS = 1.9
"""Amplitude falls with frequency to this power: that of mountains."""


def heights():
    """Float32 metres, row 0 the northernmost: a corner of noise of twice the side, so that it does not repeat."""
    side = 2 * SIDE
    noise = np.random.default_rng(SEED).standard_normal((side, side))
    frequency = np.hypot(np.fft.fftfreq(side)[:, None], np.fft.rfftfreq(side)[None, :])
    frequency[0, 0] = np.inf
    ground = np.fft.irfft2(np.fft.rfft2(noise) * frequency**-ROUGHNESS, s=(side, side))[:SIDE, :SIDE]
    lowest, highest = ground.min(), ground.max()
    return ((ground - lowest) * (HIGHEST / (highest - lowest))).astype("<f4")


def load(folder):
    """The field as it was written."""
    return np.fromfile(Path(folder) / "field.r32", dtype="<f4").reshape(SIDE, SIDE)


def write(folder):
    """Writes both files."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    field = heights()
    field.tofile(folder / "field.r32")
    grey = np.round(field * (65_535 / HIGHEST)).astype(">u2")
    (folder / "field.png").write_bytes(png(grey))


def png(grey):
    """The bytes of a 16-bit grey PNG."""
    rows = np.zeros((grey.shape[0], 1 + 2 * grey.shape[1]), dtype=np.uint8)
    rows[:, 1:] = grey.view(np.uint8).reshape(grey.shape[0], -1)
    header = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 16, 0, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, data) for name, data in parts)


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


if __name__ == "__main__":
    write(sys.argv[1])
