"""Updates the values of all examples in openapi.yaml, and openapi.json, with the responses of a running service.

    .venv/bin/python Tests/Contract/update_examples.py PORT

PORT is the port of a `springbar serve` that has just started, with `--design-tokens Examples/motion.tokens.json`: examples
of photos need most of the hour's calls to the sandbox library. Check the difference before you commit it. The tests compare the service with these values, so an
error in them becomes part of the contract.
"""

import argparse
from typing import Any

try:
    import yaml
except ModuleNotFoundError:
    raise SystemExit("PyYAML is missing: run this with .venv/bin/python, which script/test creates")

from contract import METHODS, ROOT, Document, Promise, perform, shortened
from update_json import PATH as JSON_PATH, written as written_json

PATH = ROOT / "openapi.yaml"


def child(node: yaml.MappingNode, key: str) -> tuple[yaml.Node, yaml.Node]:
    for name, value in node.value:
        if name.value == key:
            return name, value
    raise KeyError(key)


class Writer(yaml.SafeDumper):
    """Writes texts of several lines as blocks, and other texts and short collections in one line."""

    #: The longest collection in one line.
    LONGEST = 120

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent_str(self, data: str) -> yaml.ScalarNode:
        return self.represent_scalar("tag:yaml.org,2002:str", data, style="|" if "\n" in data else None)

    def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> yaml.SequenceNode:
        return self.shortened(super().represent_sequence(tag, sequence, flow_style))

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> yaml.MappingNode:
        return self.shortened(super().represent_mapping(tag, mapping, flow_style))

    def shortened(self, node: Any) -> Any:
        if node.flow_style and node.value:
            node.flow_style = len(yaml.serialize(node, allow_unicode=True, width=float("inf"))) <= self.LONGEST
        return node


Writer.add_representer(str, Writer.represent_str)


def dumped(value: Any, indent: int) -> str:
    """Returns `value` as YAML for a key in column `indent`."""
    text = yaml.dump({"value": value}, Dumper=Writer, allow_unicode=True, sort_keys=False, width=float("inf"),
                     default_flow_style=None)
    return "".join(" " * indent + line if line.strip() else "\n" for line in text.splitlines(keepends=True))


def main(port: int) -> None:
    document = Document()
    text = PATH.read_text()
    lines = text.splitlines(keepends=True)
    root = yaml.compose(text)
    edits: dict[tuple[int, int], str] = {}

    def visit(node: yaml.Node, raw: Any, promise: Promise) -> None:
        """Records the new value of the example at `node`; one that only shows a form stays as it is."""
        old = raw.get("value")
        if raw["x-request"].get("isOpaque"):
            value = old
        else:
            answer = perform(port, promise)
            assert answer.status == promise.status, f"{promise}: {answer.status} {answer.content!r}"
            value = answer.json()
            if raw["x-request"].get("isShortened"):
                value = shortened(value, old)
        for pointer in raw["x-request"].get("volatile", []):
            keep(value, old, pointer.split("/")[1:])
        indent = node.start_mark.column
        try:
            name, present = child(node, "value")
            start, end = name.start_mark.line, end_line(present)
        except KeyError:
            start = end = end_line(node)
        edits[(start, end)] = dumped(value, indent)

    def keep(value: Any, old: Any, parts: list[str]) -> None:
        """Keeps the document's volatile values, so that an update changes only other values."""
        if not isinstance(value, (dict, list)) or type(value) is not type(old):
            return
        for key in list(value) if isinstance(value, dict) else range(min(len(value), len(old))):
            if parts[0] not in ("*", str(key)) or (isinstance(old, dict) and key not in old):
                continue
            if len(parts) == 1:
                value[key] = old[key]
            else:
                keep(value[key], old[key], parts[1:])

    def end_line(node: yaml.Node) -> int:
        """Returns the line after a node. The end mark of a node is at the next token, after blank lines."""
        line = node.end_mark.line
        return line + 1 if node.end_mark.column > 0 and lines[line][: node.end_mark.column].strip() else line

    seen: set[int] = set()
    for promise in document.promises():
        # A new example starts with `value: null`.
        if "x-request" not in promise.example:
            continue
        node = find(root, promise, document)
        if node is None or node.start_mark.index in seen or not promise.media_type.endswith("json"):
            continue
        seen.add(node.start_mark.index)
        visit(node, promise.example, promise)

    for (start, end), new in sorted(edits.items(), reverse=True):
        lines[start:end] = [new]
    PATH.write_text("".join(lines))
    JSON_PATH.write_text(written_json())


def find(root: yaml.MappingNode, promise: Promise, document: Document) -> yaml.Node | None:
    """Returns the node of an example, with references resolved."""
    def follow(node: yaml.Node) -> yaml.Node:
        if isinstance(node, yaml.MappingNode) and len(node.value) == 1 and node.value[0][0].value == "$ref":
            target: yaml.Node = root
            for part in node.value[0][1].value.removeprefix("#/").split("/"):
                target = child(target, part)[1]
            return target
        return node

    assert promise.method in METHODS
    node: yaml.Node = root
    steps = ["paths", promise.path, promise.method, "responses", str(promise.status), "content",
             promise.media_type, "examples", promise.name]
    for step in steps:
        node = follow(child(node, step)[1])
    return node


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Updates the values of all examples in openapi.yaml.")
    parser.add_argument("port", metavar="PORT", type=int, help="the port of a `springbar serve` that has just started")
    arguments = parser.parse_args()
    try:
        main(arguments.port)
    except ConnectionRefusedError:
        parser.error(f"nothing listens on port {arguments.port}: start `.build/debug/springbar serve` first")
