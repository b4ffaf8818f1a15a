"""Compares two contracts: what breaks a client of the first one (docs/compatibility.md)?

A schema has a direction. Clients send values of the one kind: the newer schema accepts at least what the older one
accepted. They receive values of the other: the newer schema has at least the members and at most the values of the
older one. Ranges, lengths and patterns are compared for values that are sent; received ones may become larger.

    .venv/bin/python Tests/Contract/compatibility.py

writes the present contract, without its prose, into `released` under the version of the file VERSION.
"""

import json
from typing import Any, Iterator

from contract import METHODS, ROOT, Document

RELEASED = ROOT / "Tests/Contract/released"
PROSE = {"description", "summary", "title", "example", "examples", "tags", "externalDocs", "contact", "servers"}
LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")


def bare(node: Any, *, named: bool = False) -> Any:
    """Returns a contract without its prose. The keys of a `named` object are names, such as those of properties."""
    if isinstance(node, list):
        return [bare(element) for element in node]
    if not isinstance(node, dict):
        return node
    return {
        key: bare(value, named=not named and key in {"properties", "schemas", "headers", "paths"})
        for key, value in node.items()
        if named or not (key in PROSE or key.startswith("x-") and key != "x-mayGrow")
    }


def breaks(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Returns what a client of the older contract cannot expect of the newer one, each with its place."""
    return list(Comparison(old, new).document())


class Comparison:
    def __init__(self, old: dict[str, Any], new: dict[str, Any]) -> None:
        self.old, self.new = old, new
        self.compared: set[str] = set()

    def document(self) -> Iterator[str]:
        for path, item in self.old["paths"].items():
            for method in METHODS:
                if method in item:
                    place = f"{method.upper()} {path}"
                    other = self.new["paths"].get(path, {}).get(method)
                    yield from self.operation(item[method], other, place) if other else [f"{place} is gone"]

    def operation(self, old: dict[str, Any], new: dict[str, Any], place: str) -> Iterator[str]:
        if old["operationId"] != new["operationId"]:
            yield f"{place} has another operationId"
        if new.get("security", self.new.get("security")) != old.get("security", self.old.get("security")):
            yield f"{place} has another security"
        yield from self.parameters(old, new, place)
        body, other = (follow(side, node.get("requestBody", {})) for side, node in self.sides(old, new))
        if other.get("required") and not body.get("required"):
            yield f"{place} needs content"
        yield from self.content(body, other, f"{place} content", sent=True)
        for status, response in old["responses"].items():
            if status not in new["responses"]:
                # Another failure is told by its code.
                if status.startswith(("2", "3")):
                    yield f"{place} {status} is gone"
                continue
            response, other = (follow(side, node) for side, node in self.sides(response, new["responses"][status]))
            yield from self.content(response, other, f"{place} {status}", sent=False)
            yield from (
                f"{place} {status} has no header {name}"
                for name in response.get("headers", {}) if name not in other.get("headers", {})
            )
        yield from (
            f"{place} {status} is new"
            for status in new["responses"] if status.startswith(("2", "3")) and status not in old["responses"]
            # It answers only a client that sends If-None-Match.
            and status != "304"
        )

    def parameters(self, old: dict[str, Any], new: dict[str, Any], place: str) -> Iterator[str]:
        before, after = (
            {(each["in"], each["name"]): each for each in (follow(side, one) for one in node.get("parameters", []))}
            for side, node in self.sides(old, new)
        )
        for key, parameter in after.items():
            if parameter.get("required") and not before.get(key, {}).get("required"):
                yield f"{place} needs the parameter {key[1]}"
        for key, parameter in before.items():
            if key not in after:
                yield f"{place} has no parameter {key[1]}"
                continue
            here = f"{place} parameter {key[1]}"
            if any(parameter.get(member) != after[key].get(member) for member in ("style", "explode")):
                yield f"{here} is written in another way"
            yield from self.schema(parameter.get("schema", {}), after[key].get("schema", {}), here, sent=True)

    def content(self, old: dict[str, Any], new: dict[str, Any], place: str, *, sent: bool) -> Iterator[str]:
        for kind, media in old.get("content", {}).items():
            other = new.get("content", {}).get(kind)
            if other is None:
                yield f"{place} has no {kind}"
            else:
                yield from self.schema(media.get("schema", {}), other.get("schema", {}), place, sent=sent)

    def schema(self, old: Any, new: Any, place: str, *, sent: bool) -> Iterator[str]:
        if old in (True, {}) and new in (True, {}):
            return
        names = json.dumps([old, new, sent])
        if "$ref" in names:
            # Schemas refer to each other and to themselves.
            if names in self.compared:
                return
            self.compared.add(names)
        if "$ref" in (old if isinstance(old, dict) else {}):
            place = f"{place}: {old['$ref'].rsplit('/')[-1]}"
        old, new = (node if isinstance(node, dict) else {} if node else {"not": {}} for node in (old, new))
        old, new = (follow(side, node) for side, node in self.sides(old, new))
        yield from self.values(old, new, place, sent=sent)
        if sent:
            yield from self.limits(old, new, place)
        yield from self.members(old, new, place, sent=sent)
        yield from self.conditions(old, new, place, sent=sent)

    def values(self, old: dict[str, Any], new: dict[str, Any], place: str, *, sent: bool) -> Iterator[str]:
        # The narrow side must fit into the wide one.
        wide, narrow = (new, old) if sent else (old, new)
        if not types(narrow) <= types(wide):
            yield f"{place} has another type"
        few, many = allowed(narrow), allowed(wide)
        if many is not None and (few is None or not few <= many) and (sent or not old.get("x-mayGrow")):
            yield f"{place} {'accepts fewer' if sent else 'has other'} values"
        if "format" in wide and wide["format"] != narrow.get("format"):
            yield f"{place} has another format"

    def limits(self, old: dict[str, Any], new: dict[str, Any], place: str) -> Iterator[str]:
        for names, sign in ((LOWER, 1), (UPPER, -1)):
            for name in names:
                if name in new and (name not in old or sign * new[name] > sign * old[name]):
                    yield f"{place} has a narrower {name}"
        for name in ("pattern", "multipleOf", "uniqueItems"):
            if new.get(name, old.get(name)) != old.get(name):
                yield f"{place} has another {name}"
        if old.get("default") != new.get("default"):
            yield f"{place} has another default"

    def members(self, old: dict[str, Any], new: dict[str, Any], place: str, *, sent: bool) -> Iterator[str]:
        needed, had = (set(node.get("required", [])) for node in ((new, old) if sent else (old, new)))
        yield from (f"{place} {'needs' if sent else 'may have no'} {name}" for name in sorted(needed - had))
        for name, member in old.get("properties", {}).items():
            if name not in new.get("properties", {}):
                yield f"{place} has no {name}"
            else:
                yield from self.schema(member, new["properties"][name], f"{place}/{name}", sent=sent)
        for name in ("additionalProperties", "items"):
            # What is not described may be anything, except the unknown members of an answer: clients ignore them.
            before, after = (node.get(name, True) for node in (old, new))
            if name == "items" or sent or isinstance(before, dict):
                yield from self.schema(before, after, f"{place}/*", sent=sent)
        if sent:
            yield from self.schema(
                old.get("propertyNames", {}), new.get("propertyNames", {}), f"{place} names", sent=True
            )

    def conditions(self, old: dict[str, Any], new: dict[str, Any], place: str, *, sent: bool) -> Iterator[str]:
        if (old.get("not"), old.get("if")) != (new.get("not"), new.get("if")):
            yield f"{place} has another condition"
        for name in ("then", "else"):
            yield from self.schema(old.get(name, {}), new.get(name, {}), f"{place} {name}", sent=sent)
        for name in ("oneOf", "anyOf"):
            before, after = old.get(name, []), new.get(name, [])
            if len(before) > len(after) if sent else len(before) < len(after):
                yield f"{place} has {'fewer' if sent else 'more'} alternatives"
            for one, other in zip(before, after):
                yield from self.schema(one, other, place, sent=sent)
        before, after = (
            {json.dumps(each.get("if", number)): each for number, each in enumerate(node.get("allOf", []))}
            for node in (old, new)
        )
        for key, each in before.items():
            if key in after:
                yield from self.schema(each, after[key], place, sent=sent)
            elif not sent:
                yield f"{place} promises less"
        if sent and any(not is_about_new_value(after[key], old) for key in after.keys() - before.keys()):
            yield f"{place} has a new condition"

    def sides(self, old: Any, new: Any) -> tuple[tuple[dict[str, Any], Any], tuple[dict[str, Any], Any]]:
        return (self.old, old), (self.new, new)


def follow(document: dict[str, Any], node: Any) -> Any:
    """Returns the node that a reference names; members beside it have precedence."""
    while "$ref" in node:
        target: Any = document
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part.replace("~1", "/").replace("~0", "~")]
        node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    return node


def types(schema: dict[str, Any]) -> set[str]:
    named = schema.get("type", ["null", "boolean", "object", "array", "number", "string"])
    found = {named} if isinstance(named, str) else set(named)
    return found | {"integer"} if "number" in found else found


def allowed(schema: dict[str, Any]) -> set[str] | None:
    """Returns the listed values as JSON, or nil if all are allowed."""
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    return None if values is None else {json.dumps(value) for value in values}


def is_about_new_value(rule: dict[str, Any], old: dict[str, Any]) -> bool:
    """Returns whether a rule applies only if a member has a value that the older contract does not have."""
    for name, schema in rule.get("if", {}).get("properties", {}).items():
        known, asked = allowed(old.get("properties", {}).get(name, {})), allowed(schema)
        if known is not None and asked is not None and not known & asked:
            return True
    return False


if __name__ == "__main__":
    major_minor = (ROOT / "VERSION").read_text().rsplit(".", 1)[0]
    text = json.dumps(bare(Document().raw), ensure_ascii=False, separators=(",", ":"))
    (RELEASED / f"{major_minor}.json").write_text(text + "\n")
