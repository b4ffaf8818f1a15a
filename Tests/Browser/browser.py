"""The browser of the tests: Chromium without windows, which starts and draws a page with less work."""

from __future__ import annotations

import os
import shutil

from playwright.sync_api import Browser, Playwright


#: The longest wait, in seconds. It is generous because the machine may be busy.
TIMEOUT = 45


def launch(playwright: Playwright) -> Browser:
    executable = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell")
    assert executable, "there is no chromium-headless-shell: run script/bootstrap, or name a Chromium in CHROMIUM"
    # Continuous integration runs as root, and Chromium's own sandbox does not work for root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=executable, args=arguments, timeout=120_000)
