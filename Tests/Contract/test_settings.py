"""Each setting of docs/operating.md reaches the part that it sets: with a value, the service behaves in another way."""

import re
import socket
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from conftest import running
from contract import ROOT, Answer, Document, send
from service import Service
from store import Store

BAR = Document().raw["components"]["examples"]["Feed"]["value"]
SPRING = "/v1/springs?dampingRatio=1&response=1"


def get(port: int, target: str, **fields: str) -> Answer:
    headers = {name.replace("_", "-"): value for name, value in fields.items()}
    return send(port, {"target": target, "headers": headers}, "get", {})


def create(port: int) -> Answer:
    return send(port, {"target": "/v1/bars", "body": BAR}, "post", {})


def metric(name: str) -> Callable[[int], object]:
    return lambda port: re.findall(rf"^{name} (\S+)$", get(port, "/metrics").content.decode(), re.MULTILINE)[0]


def listens_at_another_address(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.2", port)) == 0


def link_of_a_page(port: int) -> str:
    fields = {"X_Forwarded_Proto": "https", "X_Forwarded_Host": "forwarded.example"}
    return get(port, "/unsplash/photos", **fields).fields["link"].partition("/unsplash")[0]


def is_ended(request: bytes) -> Callable[[int], bool]:
    """Returns whether a connection that waits after these bytes is ended within three seconds."""

    def observe(port: int) -> bool:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(request)
            connection.settimeout(3)
            try:
                while connection.recv(1 << 16):
                    pass
            except TimeoutError:
                return False
            return True

    return observe


def seconds_of_a_bar(port: int) -> int:
    answer = create(port)
    expires = datetime.fromisoformat(answer.json()["expiresAt"].replace("Z", "+00:00"))
    seconds = (expires - parsedate_to_datetime(answer.fields["date"])).total_seconds()
    return round(seconds / 5) * 5


def attribution(port: int) -> str:
    photo = get(port, "/v1/photos?limit=1").json()["items"][0]
    return re.findall(r"utm_source=(\w+)", str(photo["attribution"]))[0]


def statuses(count: int) -> Callable[[int], bool]:
    """Returns whether some of so many requests at once are refused with 429."""
    return lambda port: 429 in [get(port, SPRING).status for _ in range(count)]


def shares(request: Callable[[int], Answer]) -> Callable[[int], str]:
    """Returns the problem of the second request."""
    return lambda port: [request(port).problem for _ in range(2)][1]


Observe = Callable[[int], object]
#: The value of a setting, an observation, and its result with this value; without the setting it is another one.
EFFECTS: dict[str, tuple[str, Observe, object]] = {
    "SPRINGBAR_HOST": ("0.0.0.0", listens_at_another_address, True),
    "SPRINGBAR_PUBLIC_URL": ("https://public.example", link_of_a_page, "<https://public.example"),
    "SPRINGBAR_TRUSTED_PROXIES": ("127.0.0.1", link_of_a_page, "<https://forwarded.example"),
    "SPRINGBAR_MAX_BODY_BYTES": ("1024", lambda port: send(
        port, {"target": "/v1/bars", "headers": {"Content-Type": "application/json"}, "content": " " * 1025}, "post", {}
    ).problem, "content-too-large"),
    "SPRINGBAR_MAX_HEAD_BYTES": ("16384", lambda port: get(port, SPRING, X_Long="x" * 10_000).status, 200),
    "SPRINGBAR_MAX_CONNECTIONS": ("90", metric("springbar_connections_limit"), "90"),
    "SPRINGBAR_MEMORY_BYTES": ("9000000", metric("springbar_memory_limit_bytes"), "9000000"),
    "SPRINGBAR_REQUEST_TIMEOUT": ("1", is_ended(b"GET / HTTP/1.1\r\nHo"), True),
    "SPRINGBAR_IDLE_TIMEOUT": ("1", is_ended(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"), True),
    "SPRINGBAR_MAX_SESSIONS": ("7", metric("springbar_bar_sessions_limit"), "7"),
    "SPRINGBAR_MAX_SESSIONS_PER_CLIENT": ("1", shares(create), "client-share"),
    "SPRINGBAR_SESSION_BYTES": ("2000000", metric("springbar_bar_limit_bytes"), "2000000"),
    "SPRINGBAR_SESSION_TTL": ("60", seconds_of_a_bar, 60),
    "SPRINGBAR_REPLICA": ("0f", lambda port: {create(port).json()["id"][:2] for _ in range(3)}, {"0f"}),
    "SPRINGBAR_APP_NAME": ("other", attribution, "other"),
    "SPRINGBAR_IMAGE_CACHE_BYTES": ("3000000", metric("springbar_image_cache_limit_bytes"), "3000000"),
    "SPRINGBAR_RATE_LIMIT_PER_HOUR": ("60", metric("springbar_upstream_budget_limit"), "60"),
    "SPRINGBAR_DESIGN_TOKENS": (
        str(ROOT / "Examples/motion.tokens.json"), lambda port: get(port, "/v1/design-tokens/sheet").status, 200
    ),
    "SPRINGBAR_API_TOKENS": ("0123456789abcdef", lambda port: get(port, SPRING).status, 401),
    "SPRINGBAR_ALLOWED_HOSTS": ("Other.example.", lambda port: get(port, SPRING, Host="other.example").status, 200),
    "SPRINGBAR_CORS_ORIGINS": ("https://page.example", lambda port: get(port, SPRING, Origin="https://page.example")
                               .fields.get("access-control-allow-origin"), "https://page.example"),
    "SPRINGBAR_CLIENT_RATE": ("1", statuses(20), True),
}  # fmt: skip
#: It is never shorter than the time-out of a request, which does not end idle connections.
NEEDS = {"SPRINGBAR_IDLE_TIMEOUT": {"SPRINGBAR_REQUEST_TIMEOUT": "1"}}
#: Tests that show the effect of the others.
ELSEWHERE = {
    "SPRINGBAR_PORT": "Tests/Harness/service.py: free_port",
    "SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": "Tests/Attacks/test_clients.py: test_a_connection_above_the_share_is_closed_and_counted",
    "SPRINGBAR_MAX_STREAMS_PER_CLIENT": "Tests/Contract/test_limits.py: test_a_client_has_its_share_of_streams",
    "SPRINGBAR_REDIS_URL": "Tests/Contract/test_limits.py: test_a_service_without_its_store_is_not_ready",
    "SPRINGBAR_REDIS_CA": "Tests/Contract/test_command.py: test_wrong_settings_of_redis_end_the_start",
    "SPRINGBAR_REDIS_PREFIX": "Tests/Contract/test_settings.py: test_the_keys_of_redis_have_the_prefix",
    "SPRINGBAR_REDIS_TIMEOUT": "Tests/Contract/test_settings.py: test_a_redis_that_does_not_reply_is_waited_for",
    "UNSPLASH_ACCESS_KEY": "Tests/Contract/test_library_faults.py: test_a_fault_has_its_status",
    "SPRINGBAR_UNSPLASH_API_URL": "Tests/Contract/test_library_faults.py: test_a_fault_has_its_status",
    "SPRINGBAR_UNSPLASH_IMAGE_HOSTS": "Tests/Contract/test_library_faults.py: test_a_fault_has_its_status",
    "SPRINGBAR_IMAGE_MODE": "Tests/Contract/test_library_faults.py: test_pictures_can_be_redirected_to_the_library",
    "SPRINGBAR_LOG_LEVEL": "Tests/Contract/test_settings.py: test_the_level_and_the_format_of_the_log",
    "SPRINGBAR_LOG_FORMAT": "Tests/Contract/test_settings.py: test_the_level_and_the_format_of_the_log",
}


@pytest.fixture(scope="module")
def plain() -> Iterator[int]:
    """The port of a service without settings."""
    with running() as port:
        yield port


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(tmp_path_factory.mktemp("redis")) as store:
        yield store


@pytest.mark.parametrize("name", EFFECTS)
def test_a_setting_has_an_effect(plain: int, name: str) -> None:
    value, observe, expected = EFFECTS[name]
    assert observe(plain) != expected
    with running(**{name: value}, **NEEDS.get(name, {})) as port:
        assert observe(port) == expected


def log_of(folder: Path, **settings: str) -> str:
    """Returns the lines that a service writes until it stops."""
    (folder / "log").unlink(missing_ok=True)
    with Service(settings, output=folder / "log") as service:
        assert service.terminate(30) == 0
        return service.log


def test_the_level_and_the_format_of_the_log(tmp_path: Path) -> None:
    assert log_of(tmp_path).startswith('{"time":')
    assert re.match(r"[\d:.]+ notice +listening ", log_of(tmp_path, SPRINGBAR_LOG_FORMAT="text"))
    assert log_of(tmp_path, SPRINGBAR_LOG_LEVEL="error") == ""


def test_the_keys_of_redis_have_the_prefix(redis: Store) -> None:
    for prefix in ("sb", "other"):
        settings = {} if prefix == "sb" else {"SPRINGBAR_REDIS_PREFIX": prefix}
        assert redis.ask("FLUSHALL") == "OK"
        with running(SPRINGBAR_REDIS_URL=redis.url, **settings) as port:
            assert create(port).status == 201
            keys = redis.ask("KEYS", "*")
        assert keys and all(key.startswith(prefix.encode()) for key in keys)


def test_a_redis_that_does_not_reply_is_waited_for(redis: Store) -> None:
    with running(SPRINGBAR_REDIS_URL=redis.url, SPRINGBAR_REDIS_TIMEOUT="6") as port:
        assert create(port).status == 201
        assert redis.ask("CLIENT", "PAUSE", "9000") == "OK"
        begin = time.monotonic()
        assert create(port).status == 503
        # Two seconds by default, and a repetition.
        assert time.monotonic() - begin > 5


def test_every_setting_has_a_test() -> None:
    named = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/operating.md").read_text(), re.MULTILINE)
    settings = set(named) - {name for name in named if not re.match("SPRINGBAR_|UNSPLASH_", name)}
    assert settings == EFFECTS.keys() | ELSEWHERE.keys()
    for name, place in ELSEWHERE.items():
        path, _, test = place.partition(": ")
        assert re.search(rf"\b{test}\b", (ROOT / path).read_text()), name
