"""The source files of design tokens are compiled, or run, by the tools of their languages."""

import json
import re
import shutil
import subprocess
import urllib.request
from pathlib import Path

import pytest

from service import binary

TOKENS = {
    "motion": {
        "sheet": {"$type": "spring", "$description": "*/ a `\"'\\ \n b ${c}", "$value": {"dampingRatio": 0.8, "response": 0.3}},
        "slow": {"$type": "spring", "$value": {"mass": 1e-9, "stiffness": 1e-9, "damping": 1e-9}},
        "stiff": {"$type": "spring", "$value": {"stiffness": 1e9, "dampingRatio": 2}},
        "ease": {"$type": "cubicBezier", "$value": [0.4, -1.5, 0, 1e-7]},
        "fast": {"$type": "duration", "$value": "187.5ms"},
        "none": {"$type": "duration", "$value": "0s"},
    },
    **{
        name: {"$type": "duration", "$value": "1s"}
        for name in ["default", "class", "in", "self", "toString", "hash-code", "2xl", "runtime type", "equals", "when"]
    },
}
SWIFT_UI = """
public struct Spring: Sendable { public init(response: Double, dampingRatio: Double) {} }
public struct UnitPoint: Sendable { public init(x: Double, y: Double) {} }
public struct UnitCurve: Sendable {
    public static func bezier(startControlPoint: UnitPoint, endControlPoint: UnitPoint) -> UnitCurve { UnitCurve() }
}
"""
COMPOSE = """
package androidx.compose.animation.core
class SpringSpec<T>(val dampingRatio: Float = 1f, val stiffness: Float = 1500f, val visibilityThreshold: T? = null)
class CubicBezierEasing(a: Float, b: Float, c: Float, d: Float)
"""


def run(*arguments: object, cwd: Path | None = None) -> str:
    done = subprocess.run([str(argument) for argument in arguments], cwd=cwd, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout + done.stderr


def require(tool: str) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed, so its language is not checked")


def source(folder: Path, platform: str, name: str) -> Path:
    (folder / "motion.tokens.json").write_text(json.dumps(TOKENS))
    (folder / name).write_text(run(binary(), "design-tokens", folder / "motion.tokens.json", "--platform", platform))
    return folder / name


def test_the_swift_file_is_type_checked(tmp_path: Path) -> None:
    require("swiftc")
    (tmp_path / "SwiftUI.swift").write_text(SWIFT_UI)
    stand_in = ["swiftc", "-emit-module", "-module-name", "SwiftUI", "-parse-as-library", "SwiftUI.swift"]
    run(*stand_in, cwd=tmp_path)
    source(tmp_path, "swiftui", "Motion.swift")
    check = ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-I", ".", "Motion.swift"]
    run(*check, cwd=tmp_path)


def test_the_scripts_are_type_checked_and_run(tmp_path: Path) -> None:
    require("node")
    require("esbuild")
    paths = [source(tmp_path, platform, f"{platform}.ts") for platform in ("motion", "reactnative")]
    if shutil.which("tsc"):
        run("tsc", "--strict", "--noEmit", "--target", "es2022", *paths, cwd=tmp_path)
    for path in paths:
        run("esbuild", path, "--format=esm", f"--outfile={tmp_path}/motion.mjs")
        (tmp_path / "print.mjs").write_text("import * as all from './motion.mjs'; console.log(JSON.stringify(all))")
        values = json.loads(run("node", tmp_path / "print.mjs"))
        kind = {"type": "spring"} if path.stem == "motion" else {}
        assert values["motionSheet"] == {**kind, "stiffness": 438.6490845, "damping": 33.51032164, "mass": 1}
        assert values["motionSlow"] == {**kind, "stiffness": 1e-9, "damping": 1e-9, "mass": 1e-9}
        assert values["motionEase"] == [0.4, -1.5, 0, 1e-7]
        assert values["motionFast"] == (0.1875 if kind else 187.5)
        assert len(values) == 16


def test_the_style_sheet_is_parsed(tmp_path: Path) -> None:
    require("esbuild")
    path = source(tmp_path, "css", "motion.css")
    assert "warning" not in run("esbuild", path, f"--outfile={tmp_path}/out.css").lower()


INTERPOLATOR = """
package android.view.animation
interface Interpolator { fun getInterpolation(input: Float): Float }
"""
PRINT = """
fun main() = println((0..10).joinToString(" ") { "${SpringInterpolator.getInterpolation(it / 10f)}" })
"""


def test_the_interpolator_in_kotlin_runs(port: int, tmp_path: Path) -> None:
    """It has the positions of the curve at tenths of its duration, within the precision of a float."""
    require("kotlinc")
    spring = f"http://127.0.0.1:{port}/v1/springs"
    with urllib.request.urlopen(f"{spring}/export?dampingRatio=0.5&response=0.4&initialVelocity=2&format=android") as answer:
        code = answer.read().decode()
    duration = float(re.search(r"DURATION = ([0-9.]+)", code)[1])
    times = ",".join(str(duration * tenth / 10) for tenth in range(10))
    with urllib.request.urlopen(f"{spring}/curve?dampingRatio=0.5&response=0.4&initialVelocity=2&times={times}") as answer:
        expected = [*json.load(answer)["position"], 1]
    for name, text in [("Spring.kt", code), ("Interpolator.kt", INTERPOLATOR), ("Print.kt", PRINT)]:
        (tmp_path / name).write_text(text)
    jar = tmp_path / "spring.jar"
    run("kotlinc", *tmp_path.glob("*.kt"), "-include-runtime", "-d", jar)
    values = [float(value) for value in run("java", "-jar", jar).split()]
    assert values == pytest.approx(expected, abs=1e-6)


def test_the_kotlin_file_is_compiled(tmp_path: Path) -> None:
    require("kotlinc")
    (tmp_path / "Core.kt").write_text(COMPOSE)
    path = source(tmp_path, "compose", "Motion.kt")
    run("kotlinc", tmp_path / "Core.kt", path, "-d", tmp_path / "classes")
