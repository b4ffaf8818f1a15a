"""Changes the sources in one place at a time, and counts the changes ("mutants") that no test of the target notices.

All mutants are in one build of a copy of the package, which `.build-mutants` has. The environment variable
SPRINGBAR_MUTANT has the number of the one that is active (mutants.py). A mutant is noticed if a test fails, crashes, or
takes several times as long as without it.
"""

import argparse
import contextlib
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutants import COMMON, Mutant, mutants, written

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / ".build-mutants/package"
RESULTS = ROOT / ".build-mutants/results.txt"
LIVES, LATE = "lives", "late"
COPIED = ["Package.swift", "Sources/**/*", "Tests/*Tests/**/*", "Tests/TestSupport/**/*", "Tests/ServiceHarness/**/*",
          "Tests/FakeLibrary/**/*", "Tests/Upstream/*", "Tests/Vectors/*", "Clients/openapi.json",
          "docs/nginx.conf"]
# The targets, and the tests that may notice a mutant. SharedBars, SharedState and PhotoLibrary have none of their own.
TESTED = """BarLayout Motion JSON HTTPExchange BarFeature MotionFeature Photos PictureCoding Primitives Network
StoredBytes"""
TARGETS = {name: [f"{name}Tests"] for name in TESTED.split()} | {
    # The golden cases run through the routes.
    "BarLayout": ["BarLayoutTests", "BarFeatureTests"],
    "Motion": ["MotionTests", "MotionFeatureTests"],
    "SharedBars": ["BarFeatureTests"],
    "SpringConventions": ["MotionTests", "MotionFeatureTests"],
    "SharedState": ["BarFeatureTests", "PhotosTests"],
    "PhotoLibrary": ["PhotosTests"],
}
# Some mutants do not compile. More are written than are tested, so that enough remain.
SURPLUS = 1.05
# A mutant that allocates or prints without end is stopped.
LIMITS = ["nice", "-n", "10", "prlimit", "--data=4294967296", "--fsize=67108864", "--core=0"]
# One that computes or waits without end, after a multiple of what the tests take without it. Other work on the machine
# makes tests wait, but hardly makes them compute.
COMPUTES, WAITS = 4, 10
# Leaves only the targets that the tests need, and optimises those with mutants: with many mutants the time of the tests
# matters more than that of the build.
MANIFEST = """
var needed: [String] = [TESTS]
var kept: Set<String> = []
while let name = needed.popLast() {
    guard let target = package.targets.first(where: { $0.name == name }), kept.insert(name).inserted else { continue }
    for dependency in target.dependencies {
        switch dependency {
        case .targetItem(let name, _), .byNameItem(let name, _): needed.append(name)
        default: break
        }
    }
}
package.targets.removeAll { !kept.contains($0.name) }
package.products = []
for target in package.targets where [MUTATED].contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-O"]))
}
"""


def main() -> int:
    arguments = parse()
    files = copied_files()
    chosen = build(files, sample(files, arguments), arguments.targets)[: arguments.sample or None]
    chosen.sort(key=lambda mutant: (mutant.path, mutant.line))
    unmutated = {name: seconds(name) for name in tests_of(arguments.targets)}

    def outcome(mutant: Mutant) -> str:
        names = TARGETS[mutant.target]
        computed, waited = (sum(times) for times in zip(*(unmutated[name] for name in names)))
        return test(names, mutant.number, 10 + COMPUTES * computed, 30 + WAITS * waited)

    rows = defaultdict(list)
    with ThreadPoolExecutor(max_workers=2) as pool, RESULTS.open("w") as results:
        for mutant, result in zip(chosen, pool.map(outcome, chosen)):
            rows[mutant.target].append(result)
            line = f"{mutant.path}:{mutant.line}: `{mutant.before}` to `{mutant.after}` ({mutant.number})"
            print(line, result, sep=": ", file=results, flush=True)
            if result == LIVES:
                print(line, flush=True)
    print(f"\n{'target':15} mutants  noticed  by the time limit  living")
    for target, found in sorted(rows.items()):
        living, late = found.count(LIVES), found.count(LATE)
        print(f"{target:15} {len(found):7} {len(found) - living:8} {late:18} {living:7}")
    noticed = sum(result != LIVES for found in rows.values() for result in found)
    print(f"\n{noticed} of {len(chosen)} mutants were noticed.")
    return 0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/mutate", description=__doc__.split("\n\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="a target of the package; without any, all")
    parser.add_argument("--sample", type=int, default=60, metavar="N", help="mutants that are tested (60); 0 for all")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="chooses the mutants (1)")
    arguments = parser.parse_args()
    if unknown := set(arguments.targets) - set(TARGETS):
        parser.error(f"{', '.join(sorted(unknown))}: must be of {', '.join(TARGETS)}")
    arguments.targets = arguments.targets or list(TARGETS)
    return arguments


def copied_files() -> dict[str, str | None]:
    """Returns the files that the copy has, with the text of those in Swift."""
    found = sorted(path for pattern in COPIED for path in ROOT.glob(pattern) if path.is_file())
    return {str(path.relative_to(ROOT)): path.read_text() if path.suffix == ".swift" else None for path in found}


def sample(files: dict[str, str | None], arguments: argparse.Namespace) -> list[Mutant]:
    """Chooses lines, and one mutant of each: several in an expression would take the compiler long."""
    lines = defaultdict(list)
    for path, text in sorted(files.items()):
        if text is not None and path.startswith("Sources/") and path.split("/")[1] in arguments.targets:
            for mutant in mutants(path, text):
                lines[path, mutant.line].append(mutant)
    choice = random.Random(arguments.seed)
    chosen = [choice.choice(line) for line in lines.values()]
    choice.shuffle(chosen)
    chosen = chosen[: round(arguments.sample * SURPLUS)] if arguments.sample else chosen
    for number, mutant in enumerate(chosen, start=1):
        mutant.number = number
    return chosen


def build(files: dict[str, str | None], chosen: list[Mutant], targets: list[str]) -> list[Mutant]:
    """Builds the copy with the mutants, without those that do not compile; returns the others."""
    while True:
        write(files, chosen, targets)
        command = ["swift", "build", "--build-tests", "--package-path", str(PACKAGE)]
        result = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if result.returncode == 0:
            return chosen
        faults = set()
        for path, line in re.findall(rf"^{PACKAGE}/(\S+\.swift):(\d+):\d+: error:", result.stdout, re.MULTILINE):
            # An error is on the mutant's line or on the first one of its statement.
            near = [mutant for mutant in chosen if mutant.path == path and abs(mutant.line - int(line)) <= 10]
            if near:
                faults.add(min(near, key=lambda mutant: abs(mutant.line - int(line))).number)
        if not faults:
            sys.exit("\n".join(dict.fromkeys(re.findall(r"^.*error:.*$", result.stdout, re.MULTILINE))))
        print(f"The compiler refuses {len(faults)} mutants.", flush=True)
        chosen = [mutant for mutant in chosen if mutant.number not in faults]


def write(files: dict[str, str | None], chosen: list[Mutant], targets: list[str]) -> None:
    """Brings the copy up to date. Files that have not changed are not written, so that they are not compiled again."""
    by_path, by_target = defaultdict(list), defaultdict(list)
    for mutant in chosen:
        by_path[mutant.path].append(mutant)
        by_target[mutant.target].append(mutant)
    contents: dict[str, bytes] = {}
    for path, text in files.items():
        if text is None:
            contents[path] = (ROOT / path).read_bytes()
        else:
            contents[path] = written(text, by_path[path]).encode()
    for target in TARGETS:
        declarations = [mutant.declaration for mutant in by_target[target]]
        contents[f"Sources/{target}/Mutants.swift"] = "\n".join([COMMON, *declarations]).encode()
    # A change may cause a warning.
    manifest = (files["Package.swift"] or "").replace(".treatAllWarnings(as: .error),", "")
    manifest += MANIFEST.replace("[TESTS]", json.dumps(tests_of(targets)))
    contents["Package.swift"] = manifest.replace("[MUTATED]", json.dumps(list(TARGETS))).encode()
    for path in PACKAGE.glob("[ST]*/**/*.swift"):
        if str(path.relative_to(PACKAGE)) not in contents:
            path.unlink()
    for path, content in contents.items():
        copy = PACKAGE / path
        if not copy.is_file() or copy.read_bytes() != content:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)


def tests_of(targets: list[str]) -> list[str]:
    return sorted({name for target in targets for name in TARGETS[target]})


def seconds(name: str) -> tuple[float, float]:
    """Runs the tests of a target without a mutant; returns the processor time and the time that they take."""
    def now() -> tuple[float, float]:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime, time.monotonic()

    started = now()
    result = test([name], 0, 900, 1800)
    if result != LIVES:
        sys.exit(f"{name} fail without a mutant: {result}")
    computed, waited = (after - before for before, after in zip(started, now()))
    return computed, waited


def test(names: list[str], number: int, computes: float, waits: float) -> str:
    """Runs tests with a mutant until one fails; returns how it was noticed, or `LIVES`."""
    program = next(PACKAGE.glob(".build/debug/*PackageTests.xctest"))
    command = [*LIMITS, f"--cpu={computes:.0f}", program, "--testing-library", "swift-testing", "--no-parallel"]
    for name in names:
        command += ["--filter", f"^{name}\\."]
    # A session of its own, so that the servers that the tests have started end with them.
    environment = os.environ | {"SPRINGBAR_MUTANT": str(number), "NO_COLOR": "1"}
    process = subprocess.Popen(
        command, cwd=PACKAGE, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
    )
    late = threading.Event()
    timer = threading.Timer(waits, lambda: (late.set(), end(process)))
    timer.start()
    failure = next((line.strip() for line in process.stdout or [] if "recorded an issue" in line), "")
    status = 1 if failure else process.wait()
    timer.cancel()
    end(process)
    is_late = late.is_set() or status == -signal.SIGXCPU
    return failure or (LATE if is_late else LIVES if status == 0 else f"exit status {status}")


def end(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


if __name__ == "__main__":
    sys.exit(main())
