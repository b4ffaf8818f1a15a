"""The tests of this folder have seen every status of every operation; conftest.py runs this after all of them."""

from contract import ROOT
from statuses import Statuses


def test_every_documented_status_was_seen(statuses: Statuses) -> None:
    """artifacts/statuses.txt has each of them with the first test that saw it."""
    seen = statuses.seen.keys() & statuses.documented
    print(f"seen: {len(seen)} of {len(statuses.documented)} documented statuses")
    (ROOT / "artifacts").mkdir(exist_ok=True)
    lines = (f"{pair.operation} {pair.status}  {statuses.seen[pair]}\n" for pair in sorted(seen))
    (ROOT / "artifacts/statuses.txt").write_text("".join(lines))
    assert sorted(map(" ".join, statuses.documented - seen)) == []
