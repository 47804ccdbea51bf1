# Every target installs what it needs by itself; `make setup` alone does only that.

PREFIX ?= /usr/local
SWIFT ?= swift
DESTDIR ?=

# Where the system's libraries are found; empty on Linux, Homebrew's keg-only folders on macOS.
setup = . scripts/setup.sh &&

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup build demo test bench soak soak-kill docs api format lint install static clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install what is missing: the C libraries, pkg-config, make
	@$(setup) echo "Everything is here."

build: ## Build the library and the tool for development
	@$(setup) $(SWIFT) build

demo: ## Three devices edit one database apart and end the same
	@$(setup) scripts/demo.sh

test: ## Build with warnings as errors, run every test and a share of the kill matrix, then lint
	@$(setup) $(SWIFT) build --build-tests
	@$(setup) $(SWIFT) test --skip-build --parallel
	@python3 -m unittest discover --quiet --start-directory Tests/Reader
	@$(setup) scripts/test-kill.sh
	@$(MAKE) --no-print-directory lint

bench: ## Measure against plain SQLite and the targets (some minutes)
	@$(setup) $(SWIFT) build -c release --product tributary && $(SWIFT) build -c release --product Bench
	@$(setup) built="$$($(SWIFT) build -c release --show-bin-path)"; TRIBUTARY_TOOL="$$built/tributary" "$$built/Bench"

soak: ## Simulate fleets until stopped (TRIBUTARY_SOAK_SECONDS=N to end by itself)
	@$(setup) scripts/soak.sh

soak-kill: ## Kill the tool at every write, and fail each (TRIBUTARY_SOAK_SECONDS=N for a part)
	@$(setup) scripts/soak-kill.sh

docs: ## Build the documentation site into docs/site
	@$(setup) scripts/docs.sh

api: ## Write the list of public declarations, docs/API.txt, which a test compares
	@$(setup) $(SWIFT) build --build-tests
	@TRIBUTARY_WRITE_API=1 $(SWIFT) test --skip-build --filter PublicDeclarationTests

format: ## Rewrite the Swift sources in the project's format
	@$(SWIFT) format --in-place --recursive --parallel $(swift_sources)

lint: ## Check format and style; changes nothing
	@$(SWIFT) format lint --strict --recursive --parallel $(swift_sources)

install: ## Install the tool, its man page and completions under PREFIX (default /usr/local)
	@$(setup) $(SWIFT) build $(release) --product tributary
	@$(setup) scripts/install.sh "$(DESTDIR)$(PREFIX)" "$$($(SWIFT) build $(release) --show-bin-path)/tributary"

static: ## Build the tool as one file for any Linux of this CPU, without need of libraries
	@$(setup) scripts/static.sh

clean: ## Remove what was built
	@rm -rf .build docs/site

# The installed tool must run without the compiler beside it; Apple's systems bring Swift's library themselves.
release = -c release $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)

swift_sources = Package.swift $(wildcard Sources Tests Benchmarks)
