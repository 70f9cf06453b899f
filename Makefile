# Each target sets up what it needs in .venv first; later runs reuse it until a lock file changes.
# Settings pass through: `make run PORT=9000 CANDOR_DATA_DIR=/srv/candor`. PYTHON=… names another interpreter.

VENV_PYTHON := .venv/bin/python
PIP_INSTALL := $(VENV_PYTHON) -m pip install -qq --disable-pip-version-check --no-input --require-hashes
RUNTIME_LOCK := requirements.lock
DEV_LOCK := tests/requirements-dev.lock
INSTALL_FAILED := echo "The packages could not be installed: check the connection to your package index (or set PIP_INDEX_URL), then run make again." >&2; exit 1
# By file, because a file's tests share what is slow to start; two at a time, because each takes a gigabyte in the end.
AT_ONCE := -n auto --maxprocesses 2 --dist loadfile
UV ?= uv
UV_COMPILE := $(UV) pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock"

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev browser run test check format bench bench-load screenshots soak lock clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

setup: .venv/.runtime  ## create .venv with what the service needs

setup-dev: .venv/.dev  ## the same with the development tools

run: .venv/.runtime  ## sync the sample knowledge base and start the service (HOST, PORT)
	@$(VENV_PYTHON) -m bot serve --dry-run
	@$(VENV_PYTHON) -m kb_sync kb_sync/sample/articles
	@exec $(VENV_PYTHON) -m bot serve --demo

test: browser  ## run every test, browser tests included
	@$(VENV_PYTHON) -m pytest $(AT_ONCE)

check: browser  ## format, lint, types, import contracts and tests
	@$(VENV_PYTHON) -m ruff format --check .
	@$(VENV_PYTHON) -m ruff check .
	@$(VENV_PYTHON) -m mypy
	@.venv/bin/lint-imports
	@$(VENV_PYTHON) -m pytest $(AT_ONCE)

format: .venv/.dev  ## format the code and apply the linter's safe fixes
	@$(VENV_PYTHON) -m ruff format .
	@$(VENV_PYTHON) -m ruff check --fix .

bench: .venv/.dev  ## measure: prints ratios, asserts nothing
	@$(VENV_PYTHON) -m tests.bench

bench-load: .venv/.dev  ## measure thousands of sockets and a restart: some minutes, prints figures
	@$(VENV_PYTHON) -m tests.bench.load

screenshots: browser  ## ask a running Candor about lessons and keep pictures of it (OUT=screenshots)
	@$(VENV_PYTHON) -m tests.browser.screenshots $(or $(OUT),screenshots)

soak: browser  ## run the long tests of crashes and load
	@$(VENV_PYTHON) -m pytest -m soak --timeout 0

lock:  ## resolve the lock files again (needs uv)
	@command -v $(UV) >/dev/null || { echo "make lock needs uv: install it (pip install uv), or name it with UV=/path/to/uv." >&2; exit 1; }
	@$(UV_COMPILE) --output-file $(RUNTIME_LOCK)
	@$(UV_COMPILE) --extra dev --constraints $(RUNTIME_LOCK) --output-file $(DEV_LOCK)

clean:  ## remove the environment and caches; conversations in var/ stay
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage htmlcov dist
	@find bot kb_sync tests -name __pycache__ -type d -prune -exec rm -rf {} +

browser: .venv/.dev
	@$(VENV_PYTHON) -m tests.browser.install

# A candidate is run, not only looked up: a version manager's shim may exist for a Python that is not there.
.venv/.created:
	@found=; for candidate in $(or $(PYTHON),python3.11 python3 python3.12); do \
		if "$$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 12)))' 2>/dev/null; \
		then found="$$candidate"; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo "Candor needs Python 3.11 or 3.12 with its venv module: install it (Debian: apt install python3.11-venv), or name one with PYTHON=/path/to/python3.11." >&2; \
		exit 1; \
	fi; \
	echo "Setting up .venv (a minute or two the first time)"; \
	"$$found" -m venv --clear .venv
	@touch $@

.venv/.runtime: $(RUNTIME_LOCK) | .venv/.created
	@echo "Installing what the service needs"
	@$(PIP_INSTALL) -r $(RUNTIME_LOCK) || { $(INSTALL_FAILED); }
	@touch $@

.venv/.dev: $(DEV_LOCK) .venv/.runtime
	@echo "Installing the development tools"
	@$(PIP_INSTALL) -r $(DEV_LOCK) || { $(INSTALL_FAILED); }
	@touch $@
