#!/usr/bin/env python3
"""Kills the tool, and fails its calls, at every place where it changes a file, and looks whether anything was lost.

Each operation is run with one fault, run again without, and synced to the end. What the devices hold then must be what
they hold without the fault. A failure prints the command that replays it.
"""

import argparse
import collections
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

import known
import points
from place import HarnessError, Place
from scenes import SCENES
from trial import Trial

HERE = pathlib.Path(__file__).resolve().parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=os.environ.get("TRIBUTARY_TOOL", ".build/debug/tributary"),
                        help="the tool (default: TRIBUTARY_TOOL, else .build/debug/tributary)")
    parser.add_argument("--all", action="store_true", help="every point of every operation")
    parser.add_argument("--every", type=int, metavar="K", help="every K-th point")
    parser.add_argument("--few", type=int, metavar="N",
                        help="N points for each operation but the long ones; the kinds of fault take turns")
    parser.add_argument("--offset", type=int, default=0, metavar="O", help="where --every or --few begins")
    parser.add_argument("--only", action="append", default=[], metavar="OPERATION[:FAULT[:CALL]]",
                        help="only these; may be given several times")
    parser.add_argument("--faults", metavar="F,F", help="only these kinds: " + ", ".join(points.FAULTS))
    parser.add_argument("--seconds", type=float, metavar="S",
                        help="about so long in all: each operation gets a part of it, and chance chooses its points")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="processes (default: cores)")
    parser.add_argument("--list", action="store_true", help="only list the operations")
    parser.add_argument("--trace", action="store_true", help="list the calls of each operation instead of failing them")
    parser.add_argument("--keep", action="store_true", help="leave the folder of the last run, and say where it is")
    parser.add_argument("--outcomes", action="store_true", help="show what the failing runs said")
    return parser.parse_args()


def build(folder):
    """Compiles the library that strikes."""
    library = folder / "faults.so"
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        sys.exit("kill matrix: no C compiler was found (cc, gcc or clang)")
    # No built-in knowledge of the calls: each must reach the function here.
    command = [compiler, "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-U_FORTIFY_SOURCE", "-fno-builtin",
               "-shared", "-fPIC", str(HERE / "faults.c"), "-o", str(library), "-ldl"]
    subprocess.run(command, check=True)
    return library


def chosen_scenes(options):
    names = [name.split(":")[0] for name in options.only] or [
        name for name, scene in SCENES.items() if options.all or options.every or not scene.is_long]
    unknown = [name for name in names if name not in SCENES]
    if unknown:
        sys.exit(f"kill matrix: there is no operation {unknown[0]}; see --list")
    return list(dict.fromkeys(names))


def chosen_points(options, name, calls):
    """The points of an operation that are asked for, in order."""
    found = points.all_of(calls)
    if options.faults:
        found = [point for point in found if point.fault in options.faults.split(",")]
    wishes = [wish.split(":")[1:] for wish in options.only if wish.split(":")[0] == name]
    exact = [wish for wish in wishes if len(wish) == 2]
    if exact:
        # A call that the thinning left out can be asked for too.
        return [points.Point(fault, calls[int(number) - 1]) for fault, number in exact]
    kinds = {wish[0] for wish in wishes if wish}
    if kinds:
        found = [point for point in found if point.fault in kinds]
    if options.every:
        return points.every(found, options.every, options.offset)
    if options.few:
        return points.few(found, options.few, options.offset + list(SCENES).index(name))
    return found


def work(task):
    """Runs one operation's points in a folder of its own; returns what happened at each."""
    name, options, folder, library, seconds = task
    # Counted from here: operations wait for a free process.
    deadline = time.time() + seconds if seconds else None
    # The same for all operations of a process, since what several begin with is kept.
    root = folder / f"process-{os.getpid()}" / "place"
    root.parent.mkdir(exist_ok=True)
    trial = Trial(SCENES[name], Place(root, options.tool), library)
    results = []
    try:
        trial.prepare()
        if options.trace:
            lines = [f"{len(trial.calls)} calls, {len(points.all_of(trial.calls))} points"]
            return name, [], "\n".join(lines + [f"{call.number:5} {call}" for call in trial.calls]), 0
        wanted = chosen_points(options, name, trial.calls)
        if deadline:
            random.Random(time.time()).shuffle(wanted)
        for point in wanted:
            if deadline and time.time() > deadline:
                break
            wrong, outcome = trial.run(point)
            results.append((point, wrong, str(outcome)))
            if len(results) % 200 == 0:
                tell(f"kill matrix: {name}: {len(results)} of {len(wanted)} points")
            if fresh(name, wrong):
                tell(f"FAILED {name}:{point.fault}:{point.call.number} at {point.call}\n    " + "\n    ".join(wrong)
                     + f"\n    the faulty run: {outcome}"
                     + f"\n    replay: python3 Tests/Kill/matrix.py --only {name}:{point.fault}:{point.call.number}")
        return name, results, "", len(wanted) - len(results)
    except HarnessError as error:
        return name, results, f"harness: {error}", 0
    except Exception:
        return name, results, f"harness: {traceback.format_exc()}", 0
    finally:
        if not options.keep:
            shutil.rmtree(trial.template, ignore_errors=True)


def causes(done):
    """What failed, alike failures together, and how often what is known."""
    found, explained = {}, collections.Counter()
    for name, results in done.items():
        for point, wrong, _ in results:
            explained.update({known.cause(name, line) for line in wrong} - {None})
            for line in fresh(name, wrong):
                found.setdefault((name, plain(line)), []).append(f"{point.fault}:{point.call.number}")
    lines = [f"known, {count} times: {text}" for text, count in explained.most_common()]
    for (name, text), where in found.items():
        more = " ..." if len(where) > 12 else ""
        lines.append(f"{name}, {len(where)} times: {text[:300]}\n    {' '.join(where[:12])}{more}")
    return "\n".join(lines)


def plain(text):
    """A message without what differs from run to run."""
    for pattern, name in ((r"/\S*/place\b/?", ""), (r"\b[0-9a-f]{32}\b", "NAME"), (r"\b[a-z2-7]{26}\b", "DEVICE")):
        text = re.sub(pattern, name, text)
    return text


def fresh(name, wrong):
    """The lines whose cause is not known."""
    return [line for line in wrong if known.cause(name, line) is None]


def tell(text):
    # One write, so that the lines of two processes stay whole.
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def summary(done):
    """Points by operation and kind of fault."""
    heads = "".join(f"{fault:>12}" for fault in points.FAULTS)
    lines = [f"{'operation':17}{heads}{'all':>8}{'known':>8}{'failed':>8}"]
    sums = collections.Counter()
    for name, results in done.items():
        counts = collections.Counter(point.fault for point, _, _ in results)
        counts["all"] = len(results)
        counts["failed"] = sum(bool(fresh(name, wrong)) for _, wrong, _ in results)
        counts["known"] = sum(bool(wrong) for _, wrong, _ in results) - counts["failed"]
        sums += counts
        lines.append(row(name, counts))
    return "\n".join(lines + [row("all", sums)])


def row(name, counts):
    return (f"{name:17}" + "".join(f"{counts[fault]:12}" for fault in points.FAULTS)
            + f"{counts['all']:8}{counts['known']:8}{counts['failed']:8}")


def outcomes(done):
    """What the runs with a fault said, each text once."""
    said = collections.Counter()
    for name, results in done.items():
        for point, _, outcome in results:
            if not point.fault.startswith("kill"):
                where = point.call.path.split("/")[0].split("-")[-1]
                said[f"{name} {point.fault} {point.call.name} {where}: {plain(outcome)}"] += 1
    return "\n".join(f"{count:5} {text}" for text, count in sorted(said.items()))


def main():
    options = arguments()
    if sys.platform != "linux":
        sys.exit("kill matrix: it needs Linux (LD_PRELOAD and /proc)")
    if options.list:
        for name, scene in SCENES.items():
            print(f"{name:17} {' '.join(' '.join(scene.words).split())[:100]}")
        return 0
    options.tool = os.path.abspath(options.tool)
    if not os.access(options.tool, os.X_OK):
        sys.exit(f"kill matrix: there is no tool at {options.tool}; give --tool")
    if not (options.all or options.every or options.few or options.only):
        sys.exit("kill matrix: say which points: --all, --every K, --few N or --only OPERATION")
    names = chosen_scenes(options)
    # In memory where that is possible: a run syncs files some dozen times.
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tributary-kill-", dir=base))
    try:
        return run(options, names, folder)
    finally:
        if options.keep:
            tell(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def run(options, names, folder):
    begun = time.time()
    library = build(folder)
    seconds = options.seconds and options.seconds * options.jobs / len(names)
    done, broken, left = {}, [], 0
    tasks = [(name, options, folder, library, seconds) for name in names]
    with multiprocessing.Pool(options.jobs) as pool:
        for name, results, text, rest in pool.imap_unordered(work, tasks):
            done[name] = results
            left += rest
            if text.startswith("harness:"):
                broken.append(f"{name}: {text}")
            elif text:
                print(f"{name}: {text}")
            tell(f"kill matrix: {name}: {len(results)} points, "
                 f"{sum(bool(fresh(name, wrong)) for _, wrong, _ in results)} failed ({time.time() - begun:.0f} s)")
    if options.trace:
        return 1 if broken else 0
    if options.outcomes:
        print(outcomes(done))
    print(summary({name: done[name] for name in names if name in done}))
    if any(wrong for results in done.values() for _, wrong, _ in results):
        print("\n" + causes(done) + "\n")
    for line in broken:
        print(f"BROKEN {line}")
    failed = sum(bool(fresh(name, wrong)) for name, results in done.items() for _, wrong, _ in results)
    count = sum(map(len, done.values()))
    print(f"{count} points of {len(done)} operations in {time.time() - begun:.0f} s, {failed} failed"
          + (f", {left} left out when the time was up" if left else "") + ".")
    return 1 if failed or broken or not count else 0


if __name__ == "__main__":
    sys.exit(main())
