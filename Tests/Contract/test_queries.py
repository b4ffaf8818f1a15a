"""The queries that the service accepts, beyond the examples of openapi.yaml."""

from __future__ import annotations

import pytest

from contract import prepared, send
from test_statuses import PHOTO


def ask(port: int, target: str) -> tuple[int, str]:
    """Returns the status of a GET and the code of its problem."""
    answer = send(port, {"target": target}, "get", {})
    return answer.status, answer.problem


@pytest.mark.parametrize("name", ["v", "_"])
@pytest.mark.parametrize("picture", ["image/thumb?", "image?w=200&", "placeholder.png?"])
def test_a_picture_has_many_addresses(port: int, picture: str, name: str) -> None:
    kept = prepared(port, PHOTO)
    assert ask(port, f"/v1/photos/{kept['photo']}/{picture}{name}=1") == (200, "")
