"""Compares orograph with other programs that draw terrain: all in turn, several rounds, a table in Markdown at the end.

    python3 benches/peers/compare.py --orograph target/release/orograph pyvista panda3d
"""

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path

import field

HERE = Path(__file__).parent
PEERS = {
    "pyvista": ["pyvista_frame.py"],
    "pyvista-4-samples": ["pyvista_frame.py", "--four-samples"],
    "panda3d": ["panda3d_frame.py"],
    "forge3d-screen": ["forge3d_frame.py", "--mode", "screen"],
    "forge3d-mesh": ["forge3d_frame.py", "--mode", "mesh:zup"],
    "forge3d-plain": ["forge3d_frame.py", "--mode", "mesh:zup", "--plain"],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers", nargs="+", choices=PEERS, metavar="PEER", help=f"{', '.join(PEERS)}")
    parser.add_argument("--orograph", required=True, help="the program, built with --release")
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--frames", type=int, default=16, help="frames of the orbit")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        field.write(folder)
        rounds = [round_of(options, folder, options.peers) for _ in range(options.rounds)]
    print(table(options, rounds))


def round_of(options, folder, names):
    """What each program told, orograph first and last so that a change of the machine's pace shows."""
    return [orograph(options, folder), *(peer(options, folder, name) for name in names), orograph(options, folder)]


def orograph(options, folder):
    source = [str(Path(folder) / "field.r32"), "--raster-size", f"{field.SIDE}x{field.SIDE}", "--type", "f32"]
    flight = ["--flight", "orbit", "--size", options.size, "--frames", str(options.frames), "--json"]
    spacing = ["--spacing", str(field.SPACING)]
    told = json.loads(output([options.orograph, "bench", *source, *spacing, *flight]))
    return {
        "tool": "orograph",
        "renderer": f"{told['adapter']}, {told['raster']} path",
        "version": "",
        "p50_ms": told["wall"]["p50_ms"],
    }


def peer(options, folder, name):
    script, *more = PEERS[name]
    timing = ["--size", options.size, "--frames", str(options.frames)]
    try:
        lines = output([sys.executable, str(HERE / script), folder, *timing, *more]).splitlines()
    except subprocess.CalledProcessError as failed:
        print(failed, failed.stderr[-2000:], sep="\n", file=sys.stderr)
        return {"tool": name, "renderer": "did not run", "version": "", "p50_ms": math.nan}
    return {**json.loads(lines[-1]), "tool": name}


def output(command):
    print(*command, file=sys.stderr)
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def table(options, rounds):
    """The median over the rounds of each program's median, and of its ratio to orograph in the same round."""
    ours = [statistics.mean((told[0]["p50_ms"], told[-1]["p50_ms"])) for told in rounds]
    lines = [
        f"{options.size}, {field.SIDE}² samples, {options.frames} frames of the orbit, {options.rounds} rounds; "
        f"{datetime.now(timezone.utc):%Y-%m-%d}.",
        "",
        "| program | drew with | ms a frame | times orograph |",
        "|---|---|--:|--:|",
        row(rounds[0][0], statistics.median(ours), 1.0),
    ]
    for at in range(1, len(rounds[0]) - 1):
        times = [told[at]["p50_ms"] for told in rounds]
        ratios = [time / our for time, our in zip(times, ours)]
        lines.append(row(rounds[0][at], statistics.median(times), statistics.median(ratios)))
    return "\n".join(lines)


def row(told, time, ratio):
    name = f"{told['tool']} ({told['version']})" if told["version"] else told["tool"]
    return f"| {name} | {told['renderer']} | {time:.1f} | {ratio:.2f} |"


if __name__ == "__main__":
    main()
