"""The queries of docs/monitoring use metrics and labels that the running service exports."""

import json
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import yaml

from compatibility import RELEASED
from conftest import running
from contract import ROOT
from service import Service

MONITORING = ROOT / "docs/monitoring"
ADDED = {"instance", "job"}
"""The labels that Prometheus adds to every series."""

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
SELECTOR = re.compile(rf"({NAME})\s*\{{([^}}]*)\}}")
MATCHER = re.compile(rf'({NAME})\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"')
GROUPING = re.compile(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)")
METRIC = re.compile(rf"(?<![\w:.$])({NAME})(?![\w:])(?!\s*\()")

Series = Mapping[str, Mapping[str, set[str]]]
"""The names of metrics, with their labels and the values of these."""


def queries() -> Iterator[tuple[str, str, str]]:
    """Yields the name of each alert or panel, its query and the text with the labels that it shows."""
    for group in yaml.safe_load((MONITORING / "alerts.yaml").read_text())["groups"]:
        for rule in group["rules"]:
            yield rule["alert"], rule["expr"], ""
    board = json.loads((MONITORING / "dashboard.json").read_text())
    for panel in board["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"], target["legendFormat"]
    for variable in board["templating"]["list"]:
        if call := re.fullmatch(r"label_values\((.*), (\w+)\)", variable["query"]):
            yield variable["name"], call[1], "{{" + call[2] + "}}"


def faults(query: str, legend: str, series: Series) -> Iterator[str]:
    """Yields what the query uses and the service does not export."""
    labels: set[str] = set(re.findall(r"\{\{\s*(\w+)\s*\}\}", legend))
    for name, matchers in SELECTOR.findall(query):
        for label, comparison, value in MATCHER.findall(matchers):
            values = series.get(name, {}).get(label, set())
            labels.add(label)
            pattern = re.compile(value if comparison.endswith("~") else re.escape(value))
            if label not in ADDED and not any(map(pattern.fullmatch, values)):
                yield f"no series of {name} has {label}{comparison}{value}"
    for group in GROUPING.findall(query):
        labels.update(re.findall(r"\w+", group))
    rest = re.sub(r"\{[^}]*\}|\[[^\]]*\]", "", GROUPING.sub("", TEXT.sub('""', query)))
    names = set(METRIC.findall(rest)) - {"sum", "max", "min", "avg", "and", "or", "unless", "offset"}
    if not names:
        yield "no metric"
    # Prometheus itself exports `up`.
    for name in names - {"up"}:
        if name not in series:
            yield f"{name} is not exported"
        yield from (f"{name} has no label {label}" for label in labels - ADDED - series.get(name, {}).keys())


def test_every_alert_has_a_section_that_says_what_to_do() -> None:
    rules = [rule for group in yaml.safe_load((MONITORING / "alerts.yaml").read_text())["groups"] for rule in group["rules"]]
    sections = re.findall(r"^## (\w+)\n\n\S", (MONITORING / "README.md").read_text(), re.MULTILINE)
    assert sections == [rule["alert"] for rule in rules]
    for rule in rules:
        path, _, anchor = rule["annotations"]["runbook_url"].partition("#")
        assert path.endswith("/docs/monitoring/README.md") and anchor == rule["alert"].lower()


def test_an_alert_on_a_row_of_requests_sees_its_first_value() -> None:
    """A row appears with its first request, so `increase` does not count that one and those of the same scrape."""
    found = [" ".join(query.split()) for _, query, _ in queries() if query.startswith("increase(http_requests_total{")]
    assert len(found) == 1
    for query in found:
        row = query.removeprefix("increase(").partition("[")[0]
        assert query.endswith(f" > 0 or {row} unless {row} offset 5m")


@pytest.fixture(scope="module")
def exposition(port_without_store: int) -> str:
    """The metrics of two services: one whose Redis is away, with errors, and one that refuses a second bar."""
    base = f"http://127.0.0.1:{port_without_store}"
    with pytest.raises(HTTPError, match="503"):
        urlopen(f"{base}/v1/bars/{'0' * 32}")
    text = urlopen(f"{base}/metrics").read().decode()
    with running(SPRINGBAR_MAX_SESSIONS="1") as port:
        base = f"http://127.0.0.1:{port}"
        bar = Request(f"{base}/v1/bars", (ROOT / "Examples/bar.json").read_bytes(), {"Content-Type": "application/json"})
        urlopen(bar)
        with pytest.raises(HTTPError, match="429"):
            urlopen(bar)
        return text + urlopen(f"{base}/metrics").read().decode()


@pytest.fixture(scope="module")
def series(exposition: str) -> Series:
    found: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name, matchers in re.findall(rf"^({NAME})(?:\{{(.*)\}})? \S+$", exposition, re.MULTILINE):
        for label, _, value in MATCHER.findall(matchers):
            found[name][label].add(value)
        found[name]
    return found


def metrics(exposition: str, series: Series) -> Iterator[tuple[str, str, str, str]]:
    """Yields the name of each metric, its type, its labels and its help text."""
    helps = dict(re.findall(rf"^# HELP ({NAME}) (.*)$", exposition, re.MULTILINE))
    for name, kind in sorted(set(re.findall(rf"^# TYPE ({NAME}) (\w+)$", exposition, re.MULTILINE))):
        labels = series[name if kind != "histogram" else f"{name}_count"]
        yield name, kind, ", ".join(f"`{label}`" for label in labels), helps[name]


def test_the_table_has_every_metric(exposition: str, series: Series) -> None:
    rows = [f"| `{name}` | {kind} | {labels} | {text} |".replace("|  |", "| |")
            for name, kind, labels, text in metrics(exposition, series)]  # fmt: skip
    # The page ends with the table.
    _, _, table = (MONITORING / "metrics.md").read_text().partition("|---|---|---|---|\n")
    assert table.splitlines() == rows, "\n".join(rows)


@pytest.mark.parametrize("path", sorted(RELEASED.glob("metrics-*.txt")), ids=lambda path: path.stem)
def test_the_metrics_of_a_release_are_exported(path: Path, exposition: str, series: Series) -> None:
    """docs/compatibility.md promises their names and labels."""
    found = {name: (kind, labels.replace("`", "")) for name, kind, labels, _ in metrics(exposition, series)}
    released = [(line + " ").split(" ", 2) for line in path.read_text().splitlines()]
    assert len(released) > 30
    for name, kind, labels in released:
        assert found.get(name) == (kind, labels.strip()), name


@pytest.mark.parametrize(("name", "query", "legend"), queries())
def test_a_query_uses_what_the_service_exports(series: Series, name: str, query: str, legend: str) -> None:
    assert list(faults(query, legend, series)) == []


@pytest.mark.parametrize(
    ("query", "legend"),
    [
        ("springbar_store_upp == 0", ""),
        ("rate(springbar_bars_total[5m]) / rate(http_requests_total[5m])", ""),
        ('http_requests_total{state="503"}', ""),
        ('springbar_connections_rejected_total{reason="full"}', ""),
        ('http_requests_total{route=~"/v2/.*"}', ""),
        ("sum by (code) (http_requests_total)", ""),
        ("springbar_store_up", "{{replica}}"),
        ("sum()", ""),
    ],
)
def test_a_wrong_name_is_found(series: Series, query: str, legend: str) -> None:
    assert list(faults(query, legend, series)) != []


def test_motion_counts_its_cache_and_its_work() -> None:
    with Service() as service:
        for _ in range(3):
            service.read("/v1/springs/linear?dampingRatio=1&response=0.4&maxError=0.05")
        lines = service.get("/metrics").content.decode().splitlines()
    counted = {"cache_misses_total": 1, "cache_hits_total": 2, "cache_entries": 1, "work_queued": 0, "work_running": 0,
               "work_refused_total": 0}  # fmt: skip
    assert {f"springbar_motion_{name} {value}" for name, value in counted.items()} <= set(lines)
    (size,) = (int(line.split()[1]) for line in lines if line.startswith("springbar_motion_cache_bytes "))
    assert size > 1000


def test_the_start_of_the_process_stays() -> None:
    """A start that changed would look like a restart."""
    with Service() as service:
        start = service.metric("process_start_time_seconds")
        assert abs(time.time() - start) < 60 and service.metric("process_start_time_seconds") == start
        version = (ROOT / "VERSION").read_text().strip()
        assert f'springbar_build_info{{version="{version}"}} 1\n' in service.get("/metrics").content.decode()
