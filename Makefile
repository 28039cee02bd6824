# `make help` lists the targets. Everything runs in .venv, which `make setup` prepares.

SHELL := /bin/bash
BIN := .venv/bin
JOBS ?= 2

.DEFAULT_GOAL := help
.PHONY: help setup demo test check bench

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## create .venv and see to gdb, gcc and graphviz
	@tools/setup

demo: setup ## play the Figure 1 session, from the bug to the diff
	@$(BIN)/python -m wolverine.shell.demo samples/reverse_dll.c samples/reverse_dll.wol

test: setup ## run the tests (JOBS at a time)
	@$(BIN)/python -m pytest -n $(JOBS)

check: setup ## ruff, mypy in strict mode, import contracts
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: setup ## measure the everyday commands, each beside a reference
	@$(BIN)/python -m wolverine.bench.speed
