"""The tests of this folder have seen every status of every operation; conftest.py runs this after all of them."""

from __future__ import annotations

from statuses import Statuses


def test_every_documented_status_was_seen(statuses: Statuses) -> None:
    print(f"seen: {len(statuses.seen & statuses.documented)} of {len(statuses.documented)} documented statuses")
    assert sorted(map(" ".join, statuses.documented - statuses.seen)) == []
