"""The reducer of docs/rules.md, part 1, in Python: the origin of the results in options.json, apart from every product.

`python3 bar_rules.py` prints the cases of options.json that have other results, and exits with 1 if there are any. With
`--write` it writes the results: for a new case, add a line with its name, its rules, its body, and steps with an event each.
"""

import json
import sys
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "options.json"
NAMES = ["compact", "normal", "expanded"]
Json = dict[str, Any]


class Refused(Exception):
    """An event that the bar refuses, with the status and the code."""


def mapped(v: float, a: float, b: float, p: float, q: float) -> float:
    """R25"""
    return p if v <= a else q if v >= b else p + (v - a) / (b - a) * (q - p)


class Bar:
    """A bar from the body of a creation. Views and points are copied before they are changed."""

    def __init__(self, body: Json) -> None:
        configuration = body["configuration"]
        self.levels = [-configuration[f"{name}StateHeight"] for name in NAMES]
        self.compact, self.normal, self.expanded = self.levels
        self.options: Json = body.get("options", {})
        self.fixes = set(self.options.get("fixes", []))
        self.resistance: Json | None = self.options.get("resistance")
        self.trims = self.resistance is not None or "overscroll" in self.fixes
        self.tolerance = self.options.get("tolerance", 0.0)
        self.opens_at_top = self.options.get("reopen") == "top"
        self.applied = body.get("feedback", "applied") == "applied"
        self.tracks: Json = body.get("tracks", {})
        self.commands: list[Json] = []
        self.preconfigured: Json | None = None
        if snapshot := body.get("snapshot"):
            # R28
            self.offset, self.available = snapshot["offset"], snapshot["isExpandedStateAvailable"]
            self.view, self.base = copied(snapshot["scrollable"]), snapshot["baseInsetBottom"]
            self.previous_offset, self.previous_size = snapshot.get("previousContentOffset"), snapshot.get("previousContentSize")
        else:
            self.offset, self.available, self.base = self.normal, False, 0.0
            self.previous_offset = self.previous_size = None
            self.attach(body["scrollable"])
        self.created = self.result(self.offset)

    # The derived values.

    @property
    def least(self) -> float:
        return self.expanded if self.available else self.normal

    @property
    def start(self) -> float:
        return -self.view["contentInset"]["top"]

    @property
    def y(self) -> float:
        return self.view["contentOffset"]["y"]

    def at_rest(self, y: float) -> float:
        view = self.view
        end = view["contentSize"]["height"] - view["frame"]["height"] + view["contentInset"]["bottom"]
        return max(self.start, min(end, y))

    def extra(self, view: Json | None = None) -> float:
        if "baseInset" not in self.fixes:
            return 0.0
        top = (view or self.view)["contentInset"]["top"]
        own = -self.expanded if self.available and top >= -self.expanded else -self.normal
        return max(0.0, top - own)

    def room(self, view: Json) -> float:
        return view["frame"]["height"] + self.compact - view["contentSize"]["height"]

    def followed(self, y: float) -> float:
        if self.previous_offset is None:
            return y
        return max(y - self.tolerance, min(y, max(self.previous_offset["y"], self.start)))

    # The rules.

    def base_of(self, view: Json) -> float:
        return view["contentInset"]["bottom"] if "baseInset" in self.fixes else 0.0

    def attach(self, given: Json) -> None:
        """R2"""
        self.release()
        self.view = copied(given)
        self.view["contentInset"]["top"] = 0.0
        self.base = self.base_of(self.view)
        target = self.prepare(self.view, self.base)
        if target:
            self.command(self.view, target, animated=False)
            if self.applied:
                self.view["contentOffset"] = target
        self.previous_offset = (target or self.view["contentOffset"]) if "primeOnAttach" in self.fixes else None
        self.previous_size = None

    def prepare(self, view: Json, base: float, after_size: bool = False) -> Json | None:
        """R3, R4"""
        extra = self.extra(view)
        own = -self.expanded if self.offset <= self.normal and self.available else -self.normal
        view["contentInset"]["top"] = own + extra
        view["contentInset"]["bottom"] = max(base, self.room(view))
        repaired = after_size and "contentSizeRatchet" in self.fixes
        at_top = view["contentOffset"]["y"] <= (self.offset - extra if repaired else 0)
        if not at_top and not (self.offset < self.normal and self.available):
            return None
        resting = max(self.offset, self.least) if self.resistance else self.offset
        return {"x": view["contentOffset"]["x"], "y": resting - extra}

    def prepare_attached(self, after_size: bool = False) -> None:
        start = self.start
        target = self.prepare(self.view, self.base, after_size)
        self.settle(start)
        if target:
            self.move_content(target["y"], animated=False)

    def observe(self, point: Json, commanded: bool = False) -> None:
        """R5"""
        point = {"x": point["x"], "y": point["y"] if commanded else self.followed(point["y"])}
        previous = self.previous_offset
        if previous == point:
            return
        if previous is not None:
            self.reduce(previous["y"], point["y"])
        self.previous_offset = point

    def reduce(self, start: float, to: float) -> None:
        """R6 to R9"""
        self.release()
        delta = to - start
        if self.trims:
            delta = self.at_rest(to) - self.at_rest(start)
        else:
            view = self.view
            end = view["contentSize"]["height"] - view["frame"]["height"] + view["contentInset"]["bottom"]
            if start < self.start or to < self.start:
                delta += min(0.0, start - self.start)
            if start > end or to > end:
                delta += max(0.0, start - end)
        limit = max(self.least, min(self.offset, to + self.extra())) if self.opens_at_top else self.least
        sum_ = self.offset + delta
        self.offset += (min(self.compact, sum_) if delta > 0 else max(limit, sum_)) - self.offset
        if self.resistance and self.offset <= self.least:
            d, c = self.resistance["dimension"], self.resistance.get("constant", 0.55)
            self.offset -= d * (1 - 1 / (max(0.0, self.start - to) * c / d + 1))

    def release(self) -> None:
        if self.resistance:
            self.offset = max(self.offset, self.least)

    def settle(self, start: float) -> None:
        """R7, after a change of the top inset: `start` is the one before."""
        previous = self.previous_offset
        if self.trims and self.start < start and previous is not None and previous["y"] < start:
            self.release()
            self.previous_offset = previous | {"y": start}

    def move_content(self, y: float, animated: bool, spring: Json | None = None) -> None:
        """R10"""
        target = {"x": self.view["contentOffset"]["x"], "y": y}
        self.command(self.view, target, animated, spring)
        if self.applied:
            self.observe(self.view["contentOffset"])
            self.view["contentOffset"] = target
            self.observe(target, commanded=True)

    def command(self, view: Json, target: Json, animated: bool, spring: Json | None = None) -> None:
        """R24"""
        command = {"type": "updateContentOffset", "scrollableId": view["id"], **target, "animated": animated}
        command |= {"duration": 0.25 if animated else 0.0, "stopsDeceleration": True}
        self.commands.append(command | ({"spring": spring} if spring else {}))

    def pan(self, event: Json) -> None:
        """R15 to R17"""
        extra = self.extra()
        top = self.normal - extra
        match event["state"]:
            case "began":
                available = top - 5 <= self.y <= top + 5 or self.y < top and self.available
                start = self.start
                self.view["contentInset"]["top"] = -(self.expanded if available else self.normal) + extra
                self.settle(start)
                self.available = available
            case "changed" if self.available and self.followed(self.y) > top:
                self.available = False
                self.view["contentInset"]["top"] = -top
            case "ended":
                self.snap(event.get("velocity", {}).get("y", 0.0))
            case "cancelled" | "failed" if self.options.get("snapOnCancel"):
                self.snap(event.get("velocity", {}).get("y", 0.0))

    def snap(self, v: float) -> None:
        """R18 to R21"""
        kind = self.options.get("snap", "nearest")
        if kind == "none":
            return
        goal, levels = self.offset, self.levels
        if kind == "projected":
            r = self.options.get("decelerationRate", "normal")
            r = {"normal": 0.998, "fast": 0.99}.get(r, r)
            goal = self.offset + v / 1000 * r / (1 - r)
            levels = self.reachable()
        if self.opens_at_top and self.followed(self.y) + self.extra() > self.offset + 1e-6:
            levels = [level for level in levels if level > min(self.offset, self.compact) - 1e-6]
        state = min(levels, key=lambda level: abs(level - goal))
        distance = state - self.offset
        if distance == 0:
            return
        followed = self.followed(self.y)
        target = (self.at_rest(followed) if kind == "projected" else followed) + distance
        if self.resistance and self.offset < self.least:
            target = self.at_rest(self.y) + (state - self.least)
        if self.options.get("clampTargets"):
            target = self.at_rest(target)
            if target == self.y:
                return
        spring = None
        if kind == "projected":
            travel = target - self.y
            largest = sys.float_info.max
            relative = 0.0 if travel == 0 else min(max(v / travel, -largest), largest)
            spring = {"dampingRatio": 0.8, "response": 0.3, "relativeVelocity": relative}
            if v == 0:
                spring = {"dampingRatio": 1.0, "response": 0.4, "relativeVelocity": 0.0}
        self.move_content(target, True, spring)

    def reachable(self) -> list[float]:
        """R20"""
        levels = self.levels if self.available or self.offset < self.normal else self.levels[:2]
        if not self.options.get("snapSequential"):
            return levels

        def between(level: float, end: float) -> bool:
            return min(end, self.offset) < level < max(end, self.offset)

        return [end for end in levels if not any(between(level, end) for level in levels)]

    def expand(self, on: bool) -> None:
        """R22"""
        y = (self.expanded if on else self.normal) - self.extra()
        if on:
            if self.trims:
                start = self.start
                self.view["contentInset"]["top"] = -y
                self.settle(start)
            self.available = True
        self.move_content(y, animated=True)
        self.view["contentInset"]["top"] = -y
        if not on and "clearExpandedOnCollapse" in self.fixes:
            self.available = False
            if self.applied:
                self.offset = max(self.offset, self.normal)

    def preconfigure(self, other: Json) -> None:
        """R23"""
        view = self.view
        if other["id"] == view["id"]:
            self.prepare_attached()
        else:
            view = copied(other)
            view["contentInset"]["top"] = 0.0
            target = self.prepare(view, self.base_of(view))
            if target:
                self.command(view, target, animated=False)
        self.preconfigured = self.written(view)

    def apply(self, event: Json) -> Json:
        """R1, R11 to R14"""
        if event.get("scrollableId", self.view["id"]) != self.view["id"]:
            raise Refused(409.0, "scrollable-mismatch")
        before, self.commands, self.preconfigured = self.offset, [], None
        kind, view = event["type"], self.view
        match kind:
            case "contentOffset":
                is_sample = event.get("source") == "animation"
                if not (is_sample and self.applied):
                    view["contentOffset"] = event[kind]
                    self.observe(event[kind], is_sample)
            case "contentSize":
                view[kind] = event[kind]
                if self.previous_size != event[kind]:
                    self.previous_size = event[kind]
                    self.prepare_attached(after_size=True)
            case "frame":
                view[kind] = event[kind]
                kept = self.base if "baseInset" in self.fixes else view["contentInset"]["bottom"]
                view["contentInset"]["bottom"] = max(kept, self.room(view))
            case "contentInset":
                view[kind] = dict(event[kind])
                self.base = self.base_of(view)
                if "baseInset" in self.fixes:
                    view["contentInset"]["bottom"] = max(self.base, self.room(view))
            case "panGesture":
                self.pan(event)
            case "expand":
                self.expand(event["on"])
            case "set":
                self.attach(event["scrollable"])
            case "preconfigure":
                self.preconfigure(event["scrollable"])
        return self.result(before)

    # What answers have.

    def written(self, view: Json) -> Json:
        inset = {edge: view["contentInset"][edge] for edge in ("top", "bottom")}
        return {"id": view["id"], "contentInset": inset, "scrollIndicatorInsets": {"top": -self.normal}}

    def result(self, before: float) -> Json:
        lower = self.offset > self.normal
        progress = (
            mapped(self.offset, self.normal, self.compact, 1.0, 0.0)
            if lower
            else mapped(self.offset, self.expanded, self.normal, 2.0, 1.0)
        )
        state = {"offset": self.offset, "height": -self.offset, "isExpandedStateAvailable": self.available}
        state |= {"transitionProgress": progress, "stateRange": "compactNormal" if lower else "normalExpanded"}
        result: Json = {"state": state, "scrollable": self.written(self.view), "commands": self.commands}
        if crossings := self.crossings(before):
            result["crossings"] = crossings
        if self.preconfigured:
            result["preconfigured"] = self.preconfigured
        if self.tracks:
            result["values"] = {name: value(track, progress, lower) for name, track in self.tracks.items()}
        return result

    def crossings(self, before: float) -> list[Json]:
        """R27"""
        if before == self.offset:
            return []
        grows = self.offset < before
        sign = 1 if grows else -1
        found = []
        for start, end in [(0, 1), (1, 2)] if grows else [(2, 1), (1, 0)]:
            was, is_ = ((offset - self.levels[end]) * sign for offset in (before, self.offset))
            if self.levels[start] != self.levels[end] and was > 1e-6 >= is_:
                direction = "expanding" if grows else "collapsing"
                found.append({"from": NAMES[start], "to": NAMES[end], "direction": direction})
        return found

    @property
    def snapshot(self) -> Json:
        """R28"""

        def limited(json: Any) -> Any:
            if isinstance(json, dict):
                return {name: limited(inner) for name, inner in json.items()}
            return max(-1e12, min(1e12, json)) if isinstance(json, float) else json

        view = {name: self.view[name] for name in ("id", "contentInset", "contentOffset", "contentSize", "frame")}
        all_ = {"offset": self.offset, "isExpandedStateAvailable": self.available, "scrollable": view}
        all_ |= {"baseInsetBottom": self.base}
        all_ |= {"previousContentSize": self.previous_size, "previousContentOffset": self.previous_offset}
        return limited({name: one for name, one in all_.items() if one is not None})


def copied(view: Json) -> Json:
    return view | {"contentInset": dict(view["contentInset"])}


def value(track: Json, progress: float, lower: bool) -> float:
    """R26"""
    if "keyframes" not in track:
        numbers = track["compactNormalRange" if lower else "normalExpandedRange"]
        ends = numbers["range"] if "range" in numbers else [numbers["value"]] * 2
        start = 0.0 if lower else 1.0
        return mapped(progress, start, start + 1, *ends)
    before = track["keyframes"][0]
    for frame in track["keyframes"]:
        if progress <= frame["progress"]:
            return mapped(progress, before["progress"], frame["progress"], before["value"], frame["value"])
        before = frame
    return before["value"]


def run(body: Json, events: list[Json]) -> Json:
    """Returns `created`, `steps` and `snapshot` of a case."""
    bar = Bar(body)
    steps = []
    for event in events:
        try:
            steps.append({"event": event, "expect": bar.apply(event)})
        except Refused as refused:
            status, code = refused.args
            steps.append({"event": event, "problem": {"status": status, "code": code}})
        # A result is that of its moment.
        steps[-1] = json.loads(json.dumps(steps[-1]))
    return {"created": bar.created, "steps": steps, "snapshot": bar.snapshot}


def line(case: Json) -> str:
    """Returns the line of a case with its results. Integers are written without a fraction."""

    def plain(json: Any) -> Any:
        if isinstance(json, dict):
            return {name: plain(inner) for name, inner in json.items()}
        if isinstance(json, list):
            return [plain(inner) for inner in json]
        return int(json) if isinstance(json, float) and json.is_integer() else json

    head = {name: case[name] for name in ("name", "rules", "body")}
    results = run(case["body"], [step["event"] for step in case["steps"]])
    return json.dumps(plain(head | results), ensure_ascii=False, separators=(",", ":"))


def main() -> int:
    head, *old, end = FILE.read_text().splitlines()
    new = [line(json.loads(each.rstrip(","), parse_int=float)) for each in old]
    if "--write" in sys.argv:
        FILE.write_text("\n".join([head, ",\n".join(new), end, ""]))
        return 0
    differ = [one[:80] for one, other in zip(new, old) if one != other.rstrip(",")]
    print("\n".join(differ))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
