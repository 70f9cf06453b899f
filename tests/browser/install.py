"""Makes sure that there is a Chromium for the browser tests: finds one, or installs one.

Debian's package where we may install it (with a font, since a bare image has none and draws empty boxes),
else the build that Playwright downloads, else one sentence that says what to do.
"""

import os
import shutil
import subprocess
import sys

from playwright.sync_api import sync_playwright

from tests.browser.executable import is_installed, system_chromium

REMEDY = "No Chromium for the browser tests: install it (Debian: apt install chromium), or name it with CHROMIUM=/path/to/chromium."
APT_GET = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "DPkg::Lock::Timeout=300")
APT_PACKAGES = ("chromium", "fonts-dejavu-core")


def main() -> None:
    if _is_there():
        return
    sys.stderr.write("Installing Chromium for the browser tests (about a minute, once)\n")
    problems = [problem for install in (_install_by_apt, _install_by_playwright) if (problem := install())]
    if not _is_there():
        sys.exit("\n".join([*problems, REMEDY]))


def _is_there() -> bool:
    path = system_chromium()
    return is_installed(path) if path else is_installed(_playwright_chromium())


def _playwright_chromium() -> str:
    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def _install_by_apt() -> str | None:
    """What went wrong; None when it worked or is not ours to try."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    return _run(*APT_GET, "update") or _run(
        *APT_GET, "install", "-y", "--no-install-recommends", *APT_PACKAGES
    )


def _install_by_playwright() -> str | None:
    """What went wrong; None when it worked or is no longer needed."""
    if _is_there():
        return None
    return _run(sys.executable, "-m", "playwright", "install", "chromium")


def _run(*command: str) -> str | None:
    """The last lines a failed command said; None when it succeeded."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    last_lines = (done.stdout + done.stderr).strip().splitlines()[-5:]
    return "\n".join([f"`{' '.join(command)}` failed:", *last_lines])


if __name__ == "__main__":
    main()
