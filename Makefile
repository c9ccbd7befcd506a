# Needs Python >= 3.11 and make; everything else is installed into a virtual environment:
# the active one, or .venv, or VENV=directory.

PYTHON ?= python3
VENV ?= $(or $(VIRTUAL_ENV),.venv)
LIT_OPTIONS ?= --verbose --order=smart --timeout=600
PYTEST_OPTIONS ?= --numprocesses=auto --dist=worksteal
SECONDS ?= 60

BIN := $(abspath $(VENV))/bin
# The commands of the environment, and what they call in turn, come before all others.
export PATH := $(BIN):$(PATH)
# Otherwise each process of a test would compile what it imports.
export PYTHONDONTWRITEBYTECODE :=

# Stamps: what is installed, as of which pyproject.toml.
PACKAGE := $(VENV)/.xdsl-bufferization
TOOLS := $(VENV)/.xdsl-bufferization-dev

MODELS := $(VENV)/.xdsl-bufferization-models

EXAMPLE := examples/filter.mlir

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-all test-exhaustive test-versions test-xdsl filecheck pytest pytest-all fuzz lint format docs bench bench-memory models clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | \
	  awk -F ':.*## ' '{ printf "make %-12s %s\n", $$1, $$2 }'

demo: $(PACKAGE) ## show a program, why it needs a copy, and what bufferize makes of it
	@echo '$$ cat $(EXAMPLE)'
	@cat $(EXAMPLE)
	@echo '$$ xdsl-opt -t bufferization-report $(EXAMPLE)'
	@xdsl-opt -t bufferization-report $(EXAMPLE)
	@echo '$$ xdsl-opt -p bufferize $(EXAMPLE)'
	@xdsl-opt -p bufferize $(EXAMPLE)
	@echo
	@echo 'Next:'
	@echo '  . $(VENV)/bin/activate                       # puts xdsl-opt on the path'
	@echo '  xdsl-opt -p bufferize YOURS.mlir             # tensors become memory that is freed'
	@echo '  xdsl-opt -t bufferization-report YOURS.mlir  # why it copies'
	@echo "  xdsl-opt -p 'bufferize{help}'                # stages and options"
	@echo '  docs/ten-minutes.md, docs/jax.md             # what it does, on small programs; from JAX to one arena'

test: filecheck pytest ## run the tests, without what takes long (4 minutes on two cores)

test-all: filecheck pytest-all ## run also tests that are slow (about 15 minutes on two cores)

test-exhaustive: $(TOOLS) ## what test-all leaves out: all programs under all options (about 15 minutes)
	pytest $(PYTEST_OPTIONS) -m exhaustive

test-xdsl: $(TOOLS) ## run xDSL's own tests, of two releases, with the package and without (2 minutes)
	python -m tests.xdsl_suite

test-versions: $(TOOLS) ## run tests with older releases of xDSL (about 5 minutes)
	python -m tests.releases

filecheck: $(TOOLS) ## run the tests of the IR
	lit $(LIT_OPTIONS) tests/filecheck

pytest: $(TOOLS) ## run the tests of the Python code, the examples and the package
	pytest $(PYTEST_OPTIONS) -m 'not slow'

pytest-all: $(TOOLS) ## run those that are slow, too
	pytest $(PYTEST_OPTIONS) -m 'not exhaustive'

fuzz: $(TOOLS) ## random programs, pipelines and texts, for SECONDS each
	python -m tests.fuzzing --seconds $(SECONDS)
	python -m tests.fuzzing --seconds $(SECONDS) --random
	python -m tests.fuzzing.texts --seconds $(SECONDS)
	python -m tests.fuzzing.compiled --seconds $(SECONDS)

lint: $(TOOLS) ## check style, format, types and layers
	ruff check
	ruff format --check
	basedpyright
	lint-imports --no-cache --no-logo

format: $(TOOLS) ## bring the code into the format that lint expects
	ruff check --fix
	ruff format

docs: $(TOOLS) ## build the documentation as a site, in build/site
	python -m documentation
	python -m zensical build --strict --clean

bench: $(TOOLS) ## measure the start-up cost and how the passes scale
	python -m benchmarks.startup
	python -m benchmarks.scaling
	python -m benchmarks.parsing
	python -m benchmarks.deallocation
	python -m benchmarks.verification
	python -m benchmarks.planning
	python -m benchmarks.elimination
	python -m benchmarks.large

bench-memory: $(TOOLS) ## count what networks and examples allocate and copy
	python -m benchmarks.memory

models: $(MODELS) ## compile trained networks, measure them, and write docs/models.md's table (3 minutes)
	python -m benchmarks.models $(NETWORKS)

clean: ## remove .venv and what the tools left behind
	rm -rf .venv .cache build dist *.egg-info docs/reference fuzzing-failures
	rm -rf .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find tests -name Output -type d -prune -exec rm -rf {} +

$(PACKAGE): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(TOOLS): $(PACKAGE)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

$(MODELS): $(PACKAGE)
	$(BIN)/python -m pip install --quiet --editable '.[models]'
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo 'Python 3.11 or later is needed; name it with PYTHON=python3.x' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
