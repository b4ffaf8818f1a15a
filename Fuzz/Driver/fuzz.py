"""Runs the fuzz targets for a bounded time and prints a table: see ../README.md."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ROOT / "Fuzz/Corpora"
DICTIONARIES = ROOT / "Fuzz/Dictionaries"
# Ignored by git: inputs found beyond the committed corpora, and inputs of findings.
FOUND = ROOT / "artifacts/fuzz/corpora"
FINDINGS = ROOT / "artifacts/fuzz/findings"
# The targets call internal declarations, in optimised builds too.
BUILD = ["env", "SPRINGBAR_BUILD=fuzz", "swift", "build", "--product", "Fuzz", "--scratch-path", ".build-fuzz",
         "--configuration", "release", "--sanitize", "fuzzer", "-Xswiftc", "-enable-testing",
         "-Xswiftc", "-gline-tables-only"]
# Limits for one input: 60 s on a busy machine, and 512 MB; no input should come close to them.
LIMITS = ["-timeout=60", "-rss_limit_mb=512", "-max_len=4096"]
# Executions of a repeatable run: about a second of each target on two quiet cores, and more of `motion`, which has the
# most parameters. Its inputs are always the same; every night others run longer.
EXECUTIONS = {
    "blurhash": 3_000, "cursor": 1_000, "dropin": 1_000, "events": 35_000, "fields": 25_000, "json": 40_000,
    "link": 800, "motion": 4_000, "payload": 1_000, "picture": 100_000, "replies": 20_000,
    "sessions": 1_500, "stored": 15_000, "target": 50_000,
}


@dataclass(frozen=True)
class Run:
    """The output of libFuzzer for the run of one target."""

    target: str
    log: str
    status: int

    @property
    def passed(self) -> bool:
        return self.status == 0

    def statistic(self, name: str) -> int:
        found = re.search(rf"stat::{name}:\s+(\d+)", self.log)
        return int(found[1]) if found else 0

    @property
    def coverage(self) -> int:
        found = re.findall(r" cov: (\d+)", self.log)
        return int(found[-1]) if found else 0

    @property
    def row(self) -> str:
        executions = self.statistic("number_of_executed_units")
        return (
            f"{self.target:10} {executions:>10} {self.statistic('average_exec_per_sec'):>9} {self.coverage:>9} "
            f"{self.statistic('new_units_added'):>6} {self.statistic('peak_rss_mb'):>6}  "
            f"{'ok' if self.passed else 'FAILED'}"
        )

    def report(self, program: Path) -> str:
        """Returns the findings, with the commands that reproduce them."""
        reason = re.findall(r"^.*(?:Fatal error|ERROR: libFuzzer|precondition).*$", self.log, re.MULTILINE)
        lines = reason[:3] or self.log.splitlines()[-20:]
        for path in re.findall(r"Test unit written to (\S+)", self.log):
            lines += [f"  input: {path}", f"  again: FUZZ_TARGET={self.target} {program.relative_to(ROOT)} {path}"]
        return "\n".join([f"{self.target}:", *lines])


def main() -> int:
    arguments = parse()
    subprocess.run(BUILD, cwd=ROOT, check=True)
    program = Path(subprocess.check_output([*BUILD, "--show-bin-path"], cwd=ROOT, text=True).strip()) / "Fuzz"
    names = subprocess.check_output([program], text=True).split()
    targets = [arguments.target] if arguments.target else names
    if unknown := set(targets) - set(names):
        sys.exit(f"There is no target {', '.join(unknown)}; the targets are {', '.join(names)}.")
    if arguments.build:
        return 0
    if arguments.minimise:
        for target in targets:
            minimise(program, target)
        return 0

    jobs = min(os.cpu_count() or 1, len(targets))
    if arguments.repeatable:
        if unlisted := set(targets) - set(EXECUTIONS):
            sys.exit(f"EXECUTIONS in {Path(__file__).name} has no number for {', '.join(unlisted)}.")
        print(f"{len(targets)} targets, the same inputs every time, {jobs} at a time", flush=True)
        run_target = lambda target: fuzz_repeatably(program, target)
    else:
        seconds = max(1, arguments.seconds * jobs // len(targets))
        print(f"{len(targets)} targets, {seconds} s each, {jobs} at a time", flush=True)
        run_target = lambda target: fuzz(program, target, seconds)
    print("target     executions     per s  coverage    new RSS MB", flush=True)
    with ThreadPoolExecutor(jobs) as pool:
        runs = []
        for finished in pool.map(run_target, targets):
            print(finished.row, flush=True)
            runs.append(finished)
    failed = [finished for finished in runs if not finished.passed]
    for finished in failed:
        print(f"\n{finished.report(program)}")
    print(f"\n{len(runs) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/fuzz", description=__doc__)
    parser.add_argument("seconds", type=int, nargs="?", help="length of the run in seconds, for all targets together")
    parser.add_argument("target", nargs="?", help="the target to run; default: all")
    parser.add_argument("--repeatable", action="store_true", help="a fixed number of executions from a fixed seed")
    parser.add_argument("--build", action="store_true", help="build the targets only")
    parser.add_argument("--minimise", action="store_true", help="reduce the committed corpora and the inputs found")
    arguments = parser.parse_args()
    if arguments.seconds is None and not (arguments.build or arguments.minimise or arguments.repeatable):
        parser.error("the number of seconds is missing")
    if arguments.repeatable and arguments.seconds is not None:
        parser.error("--repeatable runs a number of executions: omit the seconds")
    return arguments


def environment(target: str) -> dict[str, str]:
    # Swift's own crash reporter would end the process before libFuzzer writes the input.
    return os.environ | {"FUZZ_TARGET": target, "SWIFT_BACKTRACE": "enable=no"}


def fuzz(program: Path, target: str, seconds: int) -> Run:
    """Runs a target for a time, from a random seed; adds to the inputs found."""
    found = FOUND / target
    found.mkdir(parents=True, exist_ok=True)
    return run(program, target, found, [f"-max_total_time={seconds}"], environment(target), seconds + 120)


def fuzz_repeatably(program: Path, target: str) -> Run:
    """Runs a target for its number of executions, from a fixed seed and the committed corpus alone.

    Whether a change passes must not depend on chance. Targets with threads still differ a little between runs.
    """
    with tempfile.TemporaryDirectory() as found:
        options = ["-seed=1", f"-runs={EXECUTIONS[target]}"]
        fixed = environment(target) | {"SWIFT_DETERMINISTIC_HASHING": "1"}
        # It takes a minute alone; on a busy machine it gets what others leave.
        return run(program, target, Path(found), options, fixed, 3000)


def run(program: Path, target: str, found: Path, options: list[str], variables: dict[str, str], limit: int) -> Run:
    (CORPORA / target).mkdir(parents=True, exist_ok=True)
    FINDINGS.mkdir(parents=True, exist_ok=True)
    command = [str(program), str(found), str(CORPORA / target), *LIMITS, *options, "-print_final_stats=1",
               f"-artifact_prefix={FINDINGS}/{target}-"]
    dictionary = DICTIONARIES / f"{target}.dict"
    if dictionary.exists():
        command.append(f"-dict={dictionary}")
    process = subprocess.run(
        command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit
    )
    return Run(target, process.stdout.decode(errors="replace"), process.returncode)


def minimise(program: Path, target: str) -> None:
    """Reduces the committed corpus and the inputs found to the fewest inputs that reach the same code.

    Inputs that fail are left out. An input that failed in the past must be added again.
    """
    committed = CORPORA / target
    committed.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        sources = [str(path) for path in (committed, FOUND / target) if path.exists()]
        subprocess.run(
            [str(program), "-set_cover_merge=1", "-use_counters=0", *LIMITS, folder, *sources],
            env=environment(target), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for path in committed.iterdir():
            path.unlink()
        for path in sorted(Path(folder).iterdir()):
            shutil.copy(path, committed / path.name)
    sizes = [path.stat().st_size for path in committed.iterdir()]
    print(f"{target:10} {len(sizes):>5} inputs {sum(sizes):>8} bytes")


if __name__ == "__main__":
    sys.exit(main())
