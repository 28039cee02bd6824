# `make help` lists the targets. Everything runs in .venv, which `make setup` prepares.

SHELL := /bin/bash
BIN := .venv/bin
JOBS ?= 2
SECONDS_OF_SOAK ?= 600

.DEFAULT_GOAL := help
.PHONY: help setup ready demo test thorough check soak bench transcript screenshots campaign slice random

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## create .venv and see to gdb, gcc, graphviz and chromium
	@tools/setup browser

ready:
	@tools/setup

demo: ready ## play the Figure 1 session, from the bug to the diff
	@$(BIN)/python -m wolverine.shell.demo samples/reverse_dll.c samples/reverse_dll.wol

test: setup ## run the tests (JOBS at a time)
	@$(BIN)/python -m pytest -n $(JOBS)

thorough: setup slice ## the tests with more examples, more programs and longer searches, and all of the slice (an hour or two)
	@WOLVERINE_THOROUGH=1 $(BIN)/python -m pytest -n $(JOBS) --timeout=1200

check: ready ## ruff, mypy in strict mode, import contracts
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

random: ready ## walk through random programs under gdb, the model beside them (FIRST=0 COUNT=100)
	@$(BIN)/python tests/semantics/random_programs.py $(or $(FIRST),0) $(or $(COUNT),100)

soak: setup ## random commands with faults injected, ten minutes (SECONDS_OF_SOAK)
	@$(BIN)/python tests/soak/soaking.py --seconds $(SECONDS_OF_SOAK)

bench: setup ## measure the everyday commands, each beside a reference
	@$(BIN)/python -m wolverine.bench.speed
	@$(BIN)/python -m wolverine.bench.engines

transcript: ready ## play the demo and write the session in README.md anew from it
	@$(BIN)/python tools/transcript.py

screenshots: setup ## make the pictures of the README from real sessions, in chromium
	@$(BIN)/python tools/screenshots.py

slice: ready ## repair the 100 faults whose figures may not fall
	@$(BIN)/python tests/campaign/slicing.py --jobs $(JOBS)

campaign: setup ## inject faults into the programs of samples/table2, repair them, measure (goes on where it stopped)
	@$(BIN)/python -m wolverine campaign --programs 'samples/table2/*.c' --out build/campaign $(CAMPAIGN)
