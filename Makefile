# Everything here works in a fresh clone: each target sets up what it needs in .venv and build/.
# It takes Python 3.11 or newer, a C++20 compiler and make; the rest comes from PyPI.

VENV := .venv
PYTHON := $(VENV)/bin/python
PIP_INSTALL := $(PYTHON) -m pip --disable-pip-version-check --quiet install --no-compile
CPP_FILES := $(wildcard cpp/*/*.cpp cpp/*/*.hpp)
CORE_SOURCES := $(filter-out cpp/tests/%,$(CPP_FILES)) CMakeLists.txt pyproject.toml

# The package's core and its tests are compiled in one tree, so that the core is compiled once.
CORE_BUILD := build/core

# Stamps: the package with its compiled core is installed; and the tools of the dev extra too.
INSTALLED := $(VENV)/installed.stamp
DEV_INSTALLED := $(VENV)/dev-installed.stamp

# The environment's cmake, ninja and ctest go before those of the system.
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)

# Python keeps what it has compiled, for the tests start many processes.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo test test-python test-core core-tests test-long test-programs test-browser wheel-check test-ray quick-experiments quick-results lint format stubs sanitize bench bench-root screenshots docs clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*  ## \(.*\)/\1|\2/p' Makefile \
	    | while IFS='|' read -r target text; do printf '  make %-12s %s\n' "$$target" "$$text"; done

demo: $(INSTALLED)  ## make an instance, load its trucks, draw the plans
	$(PYTHON) examples/demo.py --out build/demo
	@echo
	@echo "Look at build/demo: index.html is the report, sheets.html is to be printed, truck-1.svg and so on"
	@echo "are the pictures, instance.json and solution.json the data. In a browser: file://$(CURDIR)/build/demo/index.html"

# The tools are unpacked while the core's tests are compiled.
test:  ## run the ordinary tests of the C++ core and of the package
	@$(MAKE) --no-print-directory --jobs=2 core-tests $(DEV_INSTALLED)
	@$(MAKE) --no-print-directory test-core test-python

test-python: $(DEV_INSTALLED)
	$(PYTHON) -m pytest -n auto --dist worksteal

test-core: core-tests
	ctest --test-dir $(CORE_BUILD) --parallel 2 --output-on-failure

core-tests: $(INSTALLED)
	cmake -DTAILGATE_TESTS=ON $(CORE_BUILD)
	MAKEFLAGS= cmake --build $(CORE_BUILD) --target core_tests

test-long: $(DEV_INSTALLED)  ## run the tests with thousands of cases
	$(PYTHON) -m pytest -n auto -m long

test-programs: $(DEV_INSTALLED)  ## run the tests of whole programs: server, experiments, tutorials, faults
	$(PYTHON) -m pytest -n auto --dist worksteal -m "programs and not long"

test-browser: $(DEV_INSTALLED)  ## run the tests in a real Chromium, which is installed if need be
	tests/apps/browser/install_chromium.sh
	$(PYTHON) -m pytest -m browser tests/apps/browser

wheel-check: $(DEV_INSTALLED)  ## build sdist and wheel, and try them in an empty environment
	$(PYTHON) tests/helpers/wheel_check.py build/wheel-check

test-ray: $(DEV_INSTALLED)  ## run the tests on a Ray cluster of several nodes
	$(PYTHON) -m pytest -m ray

quick-experiments: $(DEV_INSTALLED)  ## run every experiment on small generated instances
	rm -rf build/experiments
	$(PYTHON) -m tailgate experiment all --quick --jobs 2 --out build/experiments

quick-results: $(DEV_INSTALLED)  ## measure anew the committed table that a test compares with
	rm -rf build/quick-results
	$(PYTHON) -m tailgate experiment root-cg --quick --out build/quick-results
	cp build/quick-results/root-cg/rows.csv docs/results/quick-root-cg.csv

lint: $(DEV_INSTALLED)  ## check style, format and types
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	$(VENV)/bin/clang-format --dry-run -Werror $(CPP_FILES)

format: $(DEV_INSTALLED)  ## format Python and C++
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .
	$(VENV)/bin/clang-format -i $(CPP_FILES)

stubs: $(DEV_INSTALLED)  ## write the type stubs of the compiled core
	$(PYTHON) -m nanobind.stubgen -q -m tailgate._core -o src/tailgate/_core.pyi

sanitize: $(DEV_INSTALLED)  ## run the C++ tests with the address and undefined-behaviour sanitizers
	cmake -S . -B build/sanitize -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="-O1 -g1" \
	    -DTAILGATE_PYTHON=OFF -DTAILGATE_TESTS=ON -DTAILGATE_SANITIZE=ON
	cmake --build build/sanitize --target core_tests
	ctest --test-dir build/sanitize --parallel 2 --output-on-failure

screenshots: $(DEV_INSTALLED)  ## make the pictures of the documentation
	tests/apps/browser/install_chromium.sh
	$(PYTHON) docs/screenshots.py
	$(PYTHON) docs/page_screenshots.py

docs: $(DEV_INSTALLED)  ## build the documentation as a site, without a warning
	$(PYTHON) -m sphinx --fail-on-warning --keep-going --quiet --fresh-env docs build/site
	@echo "Look at build/site/index.html"

bench: $(DEV_INSTALLED)  ## measure the loading check against CP-SAT (some minutes)
	rm -rf build/bench
	$(PYTHON) -m tailgate experiment loading --out build/bench

bench-root: $(DEV_INSTALLED)  ## solve the paper's 57 root relaxations beside its figures
	rm -rf build/bench-root
	$(PYTHON) -m tailgate experiment root-cg --screen exact --repeats 1 --out build/bench-root

clean:  ## remove all that was built, .venv included
	rm -rf build dist $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find examples src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# --- Set-up -------------------------------------------------------------------------------------

# A line per requirement of one table of pyproject.toml, so that no version stands in two places.
requirements = $(PYTHON) -c "import sys, tomllib; from pathlib import Path; \
    project = tomllib.loads(Path('pyproject.toml').read_text(encoding='utf-8')); \
    print(*project$(1), sep='\n')"

$(PYTHON):
	@for python in $(BASE_PYTHON) python3.13 python3.12 python3.11 python3 python; do \
	    if $$python -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	    then echo "Making $(VENV) with $$($$python --version)"; exec $$python -m venv $(VENV); fi; \
	done; \
	echo "No Python 3.11 or newer with venv was found. Install one (on Debian: python3 and" \
	    "python3-venv), or name it: make BASE_PYTHON=/path/to/python3.12" >&2; \
	exit 1

# The installation knows the modules by name: one that is new, moved or gone asks for another.
MODULES := $(VENV)/modules.txt
list_modules := find src -name '*.py' | LC_ALL=C sort
$(MODULES): FORCE | $(PYTHON)
	@$(list_modules) | cmp -s - $@ || $(list_modules) > $@

.PHONY: FORCE
FORCE:

# Built without isolation, so that a second build compiles only what has changed.
$(INSTALLED): $(CORE_SOURCES) $(MODULES) | $(PYTHON)
	@compiler=$${CXX:-$$(command -v c++ || command -v g++ || command -v clang++)}; \
	if ! printf '#include <compare>\n#include <span>\nint main() {}\n' \
	        | $${compiler:-false} -std=c++20 -fsyntax-only -x c++ - 2>/dev/null; then \
	    echo "No C++20 compiler was found. Install one (g++ 11, clang 14, or newer), or name it:" \
	        "make CXX=/path/to/g++" >&2; \
	    exit 1; \
	fi
	$(call requirements,['build-system']['requires']) > $(VENV)/build-requirements.txt
	$(PIP_INSTALL) -r $(VENV)/build-requirements.txt cmake ninja
	$(PIP_INSTALL) --no-build-isolation --config-settings=build-dir=$(CORE_BUILD) --editable .
	@touch $@

$(DEV_INSTALLED): pyproject.toml | $(INSTALLED)
	$(call requirements,['project']['optional-dependencies']['dev']) > $(VENV)/dev-requirements.txt
	$(PIP_INSTALL) -r $(VENV)/dev-requirements.txt
	@touch $@
