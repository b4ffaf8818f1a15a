"""The formulas behind motion.json, apart from every product: `python3 motion.py` prints the numbers that it would change.

A spring is the sum of two complex exponentials here, and its times are found by searching, so that a mistake of the
service is not repeated. What has no formula says its `source`: the output of another library, or the code of the
interfaces (the states of buttons and pauses). The fewest stops of `css.linear` are proved by a test of Motion.
"""

import cmath
import json
import sys
from collections.abc import Callable
from math import copysign, exp, hypot, isclose, log, pi, sqrt
from pathlib import Path
from typing import Any

Json = dict[str, Any]


class Spring:
    """The motion from 0 to 1 of a mass of 1."""

    def __init__(self, ratio: float, response: float, velocity: float = 0) -> None:
        self.rate = 2 * pi / response
        # Equal roots have no two exponentials; this near, the difference is below 1e-9.
        root = cmath.sqrt(ratio * ratio - 1) or 1e-5j
        self.roots = (self.rate * (-ratio + root), self.rate * (-ratio - root))
        one, two = self.roots
        first = (velocity + two) / (one - two)
        self.factors = (first, -1 - first)

    def state(self, time: float) -> tuple[float, float]:
        terms = [(f * cmath.exp(r * time), r) for f, r in zip(self.factors, self.roots, strict=True)]
        return 1 + sum(term for term, _ in terms).real, sum(term * root for term, root in terms).real

    def search(self, end: float, is_after: Callable[[float], bool]) -> float:
        """Returns the time of a change from false to true before `end`."""
        low, high = 0.0, end
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (low, middle) if is_after(middle) else (middle, high)
        return high

    def settling(self, epsilon: float) -> float:
        end = 80 / min(-root.real for root in self.roots)
        times = [end * i / 40_000 for i in range(40_000)]
        last = max((i for i, t in enumerate(times) if abs(self.state(t)[0] - 1) > epsilon), default=0)
        start = times[last]
        return start + self.search(end / 40_000, lambda t: abs(self.state(start + t)[0] - 1) <= epsilon)

    def overshoot(self) -> float:
        step = 40 / min(-root.real for root in self.roots) / 40_000
        before = step * (max(range(40_000), key=lambda i: self.state(step * i)[0]) - 1)
        turn = before + self.search(2 * step, lambda t: self.state(before + t)[1] <= 0)
        return max(0.0, self.state(turn)[0] - 1)


def parameters(case: Json) -> tuple[float, float, float] | None:
    """Returns the mass, the stiffness and the damping of a case of `spring.convert`."""
    mass, convention = case.get("mass", 1), case["convention"]
    match convention:
        case "wwdc" | "swiftui.durationBounce" | "coreanimation.perceptualDurationBounce" | "motion.visualDurationBounce":
            response = case.get("response") or case.get("duration") or case["visualDuration"] * 1.2
            bounce = case.get("bounce", 0)
            ratio = case.get("dampingRatio", 1 - bounce if bounce >= 0 else 1 / (1 + bounce))
        case "physical":
            return mass, case["stiffness"], case["damping"]
        case "android" | "flutter.dampingRatio":
            ratio = case.get("dampingRatio", case.get("ratio"))
            return mass, case["stiffness"], 2 * ratio * sqrt(mass * case["stiffness"])
        case "reactspring.frequency":
            response, ratio = max(case["frequency"], 0.01), max(case["damping"], 0)
        case "origami":
            return 1, (case["tension"] - 30) * 3.62 + 194, (case["friction"] - 8) * 3 + 25
        case _:
            return None
    return mass, (2 * pi / response) ** 2 * mass, 4 * pi * ratio * mass / response


def converted(case: Json) -> Json:
    if (found := parameters(case)) is None:
        return {}
    mass, stiffness, damping = found
    rate, ratio = sqrt(stiffness / mass), damping / 2 / sqrt(stiffness * mass)
    if case["convention"] == "physical" and not case["allowOverDamping"] and ratio > 1:
        ratio, damping = 1, 2 * sqrt(stiffness * mass)
    unit = (stiffness / mass, damping / mass)
    result = {
        "mass": mass, "stiffness": stiffness, "damping": damping, "dampingRatio": ratio, "response": 2 * pi / rate,
        "bounce": 1 - ratio if ratio <= 1 else 1 / ratio - 1, "naturalFrequency": rate,
        "unitMassStiffness": unit[0], "unitMassDamping": unit[1], "origamiTension": (unit[0] - 194) / 3.62 + 30,
        "origamiFriction": (unit[1] - 25) / 3 + 8, "motionVisualDuration": 2 * pi / rate / 1.2,
    }  # fmt: skip
    return result | ({"dampedFrequency": rate * sqrt(1 - ratio * ratio)} if ratio <= 1 else {})


def sampled(case: Json) -> Json:
    spring = case
    if "stiffness" in case:
        root = sqrt(case["stiffness"] * case["mass"])
        spring = {"dampingRatio": case["damping"] / 2 / root, "response": 2 * pi * case["mass"] / root}
    elif "visualDuration" in case:
        spring = {"dampingRatio": 1 - case["bounce"], "response": case["visualDuration"] * 1.2}
    motion = Spring(spring["dampingRatio"], spring["response"], case["initialVelocity"])
    states = [motion.state(time) for time in case["times"]]
    return {"position": [p for p, _ in states], "velocity": [v for _, v in states]}


def sampled_absolute(case: Json) -> Json:
    # Without a travel, the velocity alone moves it: a spring is linear.
    travel = case["target"] - case["start"] or 1e-12
    position, velocity = Spring(case["dampingRatio"], case["response"], case["velocity"] / travel).state(case["time"])
    return {"value": case["start"] + travel * position, "velocity": travel * velocity}


def rubberband(case: Json) -> Json:
    match case["model"]:
        case "power":
            value = copysign(abs(case["offset"]) ** case["exponent"], case["offset"])
            return {"value": value, "inverse": case["offset"]}
        case "apple":
            pulled = abs(case["offset"]) * case["constant"] / case["dimension"]
            return {"value": copysign(case["dimension"] * (1 - 1 / (1 + pulled)), case["offset"])}
        case "appleInverse":
            pulled = 1 / (1 - abs(case["value"]) / case["dimension"]) - 1
            return {"offset": copysign(case["dimension"] * pulled / case["constant"], case["value"])}
    return {}


def projected(velocity: float, rate: float) -> float:
    return velocity / 1000 * rate / (1 - rate)


def pip(case: Json) -> Json:
    ends = [p + projected(v, case["decelerationRate"]) for p, v in zip(case["center"], case["velocity"], strict=True)]
    corner = min(case["corners"], key=lambda c: hypot(c[0] - ends[0], c[1] - ends[1]))
    travel = [c - p for c, p in zip(corner, case["center"], strict=True)]
    return {"projected": ends, "corner": corner,
            "relativeVelocity": [v / t if t else 0 for v, t in zip(case["velocity"], travel, strict=True)]}  # fmt: skip


def decayed(case: Json) -> Json:
    rate = log(case["decelerationRate"]) * 1000
    left = exp(rate * case["time"])
    return {"position": case["start"] + case["velocity"] * (left - 1) / rate, "velocity": case["velocity"] * left}


def of_platform(case: Json) -> Json:
    velocity = case["velocity"]
    match case["model"]:
        case "android.exponential":
            # 0.1 is the threshold by default.
            return {"distance": (velocity - copysign(min(0.1, abs(velocity)), velocity)) / 4.2 / case["friction"]}
        case "motion.inertia":
            whole = case["power"] * velocity
            return {"positions": [case["start"] + whole * (1 - exp(-t / case["timeConstant"])) for t in case["times"]]}
        case "flutter.friction":
            drag = log(case["drag"])
            return {"position": case["start"] + velocity * (case["drag"] ** case["time"] - 1) / drag}
    return {}


RULES: dict[str, Callable[[Json], Json]] = {
    "spring.convert": converted,
    "spring.sample": sampled,
    "spring.sampleAbsolute": sampled_absolute,
    "spring.settle": lambda c: {
        "settlingTime": Spring(c["dampingRatio"], c["response"], c["initialVelocity"]).settling(c["epsilon"])
    },
    "spring.overshoot": lambda c: {"overshoot": Spring(c["dampingRatio"], c["response"], c["initialVelocity"]).overshoot()},
    "gesture.relativeVelocity": lambda c: {
        "relativeVelocity": c["velocity"] / (c["target"] - c["current"]) if c["target"] != c["current"] else 0
    },
    "projection.distance": lambda c: {
        "wwdc": projected(c["velocity"], c["decelerationRate"]),
        "exact": -c["velocity"] / 1000 / log(c["decelerationRate"]),
    },
    "projection.decay": decayed,
    "projection.platform": of_platform,
    "rubberband": rubberband,
    "gesture.pip": pip,
}


def differs(mine: Any, theirs: Any, tolerance: float) -> bool:
    if isinstance(theirs, list):
        return any(differs(m, t, tolerance) for m, t in zip(mine, theirs, strict=True))
    return not isclose(mine, theirs, rel_tol=max(tolerance, 1e-9), abs_tol=1e-9)


def main() -> int:
    changes = compared = 0
    for suite in json.loads((Path(__file__).parent / "motion.json").read_text()):
        for case in suite["cases"] if suite["suite"] in RULES else []:
            mine = RULES[suite["suite"]](case["input"])
            for name in mine.keys() & case["expect"].keys():
                compared += 1
                if differs(mine[name], case["expect"][name], case["tolerance"]):
                    changes += 1
                    print(f"{suite['suite']} {case['name']}: {name} {case['expect'][name]} -> {mine[name]}")
    print(f"{compared} numbers compared, {changes} different")
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main())
