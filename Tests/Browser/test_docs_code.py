"""The request of the reference as code: of a stream, of a picture, and with the clients of the service."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from playground import Playground
from reference import operations, send, visit
from browser import TIMEOUT
from service import ROOT, Service, binary

#: The modules of the build, against which Swift code is checked.
MODULES = Path(binary()).parent / "Modules"


def code(page: Page, language: str) -> str:
    page.get_by_role("radio", name=language, exact=True).check(force=True)
    return page.locator(".try-code pre").text_content() or ""


def program(folder: Path, text: str) -> list[str]:
    """Returns the command that runs JavaScript, with the client of the checkout instead of the service's."""
    path = folder / "request.mjs"
    address = text.partition("from 'http")[2].partition("'")[0]
    path.write_text(text.replace(f"http{address}", (ROOT / "Clients/js/springbar.js").as_uri(), 1) if address else text)
    return ["node", str(path)]


def first_output(command: list[str], wanted: str) -> bool:
    """Runs a command until its output has a text."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout
    try:
        return any(wanted in line for line in process.stdout)
    finally:
        process.kill()
        process.wait(timeout=TIMEOUT)


def test_the_code_of_a_stream_reads_it(tab: Playground, tmp_path: Path) -> None:
    visit(tab, "/docs#streamBar")
    page = tab.page
    expect(send(page)).to_contain_text("200")
    page.get_by_role("button", name="Stop").click()
    assert first_output(["bash", "-c", "exec " + code(page, "curl").replace("curl", "curl -s -m 30", 1)], '"revision"')
    # A program that waits for the end of the stream has no output.
    assert first_output(["timeout", "30", *program(tmp_path, code(page, "JavaScript"))], '"revision"')
    swift = code(page, "Swift")
    assert "URLSession.shared.bytes(for: request)" in swift and "for try await line in bytes.lines" in swift


@pytest.mark.parametrize("name, file", [("getPlaceholder", "placeholder.png"), ("plotSpring", "plot.svg"), ("getImage", "photo.png")])
def test_the_code_of_a_picture_saves_it(
    service: Service, tab: Playground, tmp_path: Path, name: str, file: str
) -> None:
    visit(tab, f"/docs#{name}")
    page = tab.page
    expect(send(page)).to_contain_text("200")
    shown = code(page, "curl")
    address = shown.partition(service.base)[2].partition("'")[0]
    accept = shown.partition("Accept: ")[2].partition("'")[0]
    wanted = service.get(address, fields={"Accept": accept} if accept else None).content
    for command in (["bash", "-c", f"{shown} -s"], program(tmp_path, code(page, "JavaScript"))):
        (tmp_path / file).unlink(missing_ok=True)
        subprocess.run(command, cwd=tmp_path, check=True, timeout=TIMEOUT, capture_output=True)
        assert (tmp_path / file).read_bytes() == wanted
    assert f'content.write(to: URL(fileURLWithPath: #"{file}"#))' in code(page, "Swift")


def test_a_spring_without_parameters_is_an_empty_dictionary_in_swift() -> None:
    path = (ROOT / "Playground/source/docs/client-code.js").as_uri()
    call = "swiftClient({ id: 'getSpring', query: [], values: {}, headers: {} })"
    text = f"globalThis.location = {{ origin: '' }}; const {{ swiftClient }} = await import('{path}'); console.log({call});"
    shown = subprocess.run(["node", "--input-type=module", "-e", text], check=True, capture_output=True, text=True).stdout
    assert "springbar.springs.convert([:])" in shown


def test_every_operation_answers_in_a_fresh_tab_and_its_code_for_our_clients_runs(tab: Playground, tmp_path: Path) -> None:
    """The first click on Send succeeds. A bar that an operation needs is created first, and the page says so.

    springbar.js has a call for all answers in JSON, SpringbarClient for those that an app uses.
    """
    visit(tab, "/docs")
    page = tab.page
    shown = page.locator("[data-role=index] details a[href^='/docs#']").evaluate_all("links => links.map(link => link.dataset.id)")
    assert sorted(shown) == sorted(name for name, _, _ in operations())
    swift, missing = {}, []
    for name, method, path in operations():
        page.evaluate("name => { sessionStorage.clear(); location.hash = name; }", name)
        line = page.locator(".operation-line")
        expect(line.locator("code")).to_have_text(path)
        expect(line).to_contain_text(method)
        expect(page.locator("#content .answer").first).to_be_attached()
        expect(page.locator(f"[data-role=index] a[data-id='{name}']")).to_have_attribute("aria-current", "page")
        assert (send(page).text_content() or "").startswith("20"), name
        note = "".join(page.locator(".try-note").all_text_contents())
        assert note.startswith("Created the bar ") or not path.startswith("/v1/bars/{id}"), name
        languages = page.locator(".try-code .choices").inner_text().split()
        assert languages[:3] == ["curl", "JavaScript", "Swift"]
        if "SpringbarClient" in languages:
            swift[name] = code(page, "SpringbarClient")
        if "springbar.js" not in languages:
            missing.append(name)
        elif name != "deleteBar":  # The bar is deleted by now.
            command = program(tmp_path, code(page, "springbar.js"))
            answer = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
            assert answer.returncode == 0 and answer.stdout.strip(), (name, answer.stderr[-600:])
    assert missing == [
        "streamBar", "getEasingCode", "plotSpring", "plotSpringAsPNG", "createDesignTokenSource", "getImage", "getImageVariant",
        "getPlaceholder", "getHealth", "getReadiness", "getMetrics", "getContract",
    ]
    assert list(swift) == [
        "createBar", "getSpring", "getLinear", "getPhotos", "getPhoto", "getImage", "reportDownload", "searchPhotos",
        "getTopicPhotos", "getCollectionPhotos",
    ]
    # Each is a function of one module, in a file with its own imports.
    for name, text in swift.items():
        imports, _, body = text.partition("\n\n")
        (tmp_path / f"{name}.swift").write_text(f"{imports}\n@MainActor func {name}() async throws {{\n{body}\n}}\n")
    folders = [MODULES, *(path for found in ROOT.glob("Sources/C*") for path in (found, found / "include"))]
    files = map(str, tmp_path.glob("*.swift"))
    own = ["-swift-version", "6", "-enable-upcoming-feature", "MemberImportVisibility", *(f"-I{path}" for path in folders)]
    check = ["swiftc", "-typecheck", "-wmo", "-parse-as-library", *own, *files]
    answer = subprocess.run(check, capture_output=True, text=True, timeout=600)
    assert answer.returncode == 0, answer.stderr


def test_the_version_of_a_past_state_is_not_that_of_the_bar(service: Service, tab: Playground) -> None:
    visit(tab, "/docs#postEvents")
    page = tab.page
    expect(send(page)).to_contain_text("200")
    page.evaluate("location.hash = 'getState'")
    expect(page.locator(".operation-line code")).to_have_text("/v1/bars/{id}/states")
    expect(send(page)).to_contain_text("200")
    page.evaluate("location.hash = 'putTracks'")
    expect(page.locator(".operation-line code")).to_have_text("/v1/bars/{id}/tracks")
    bar = f"/v1/bars/{page.get_by_label('id', exact=True).input_value()}"
    version = page.get_by_label("If-Match")
    expect(version).to_have_value(service.get(bar).fields["etag"])
    # Each request has the version that the one before has made.
    for _ in range(2):
        expect(send(page)).to_contain_text("200")
        expect(version).to_have_value(service.get(bar).fields["etag"])
    # After a change of another writer, the refusal has the version for the next attempt.
    number = service.read(bar)["lastSequence"] + 1
    event = {"sequence": number, "type": "contentOffset", "contentOffset": {"x": 0, "y": -150}}
    assert service.ask("POST", f"{bar}/events", {"events": [event]}).status == 200
    tab.expects("412")
    expect(send(page)).to_contain_text("412")
    expect(send(page)).to_contain_text("200")
