# The commands of this repository. `make` alone lists them.
#
# What stands after two hashes in a target's line is its line in the list; README.md has the same commands, and
# Tests/RepositoryTests compares the two.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

SWIFT ?= swift
# Passed on by `make run` and `make test`, for example: make run ARGS='--port 9000', make test ARGS='--filter JSON'.
ARGS ?=
# How often `make test-long` runs everything.
ROUNDS ?= 10
# How long `make soak` lasts, how many works a second it makes, and where its table and graphs go.
MINUTES ?= 60
RATE ?= 200
SOAK ?= .build/soak
# The Swift libraries are linked into the program: calls into them cost less, and it runs where no Swift toolchain is
# installed. STATIC= leaves them outside; the program is smaller then (34 MB instead of 106) and needs no
# libcurl4-openssl-dev for building.
STATIC ?= 1
export STATIC

RELEASE := -c release --product entitled $(if $(STATIC),--static-swift-stdlib -Xswiftc -use-ld=lld)
PROGRAM := .build/release/entitled
TESTS := $(SWIFT) test --skip-build --disable-xctest
# Tests with servers of their own wait for them; more of them at once would only wait longer, into their time limits.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 4
RESULTS := .build/test-results.xml
# What `make fuzz` fuzzes (the cases of FuzzTarget), and for how many seconds each.
FUZZ ?= json jsonrpc parameters jws x5c notification transaction receipt receiptPayload storekit catalog archive http
FUZZ_SECONDS ?= 60
CLANG ?= $(dir $(shell readlink -f "$$(command -v $(SWIFT))"))clang
SCENARIOS := Tests/Fixtures/Scenarios
FORMAT := --parallel --recursive --configuration .swift-format Package.swift Sources Tests

.PHONY: help
help: ## List the commands.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s  %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: install
install: ## Install what is missing of the distribution's packages; needs no network when nothing is.
	@deploy/install-packages.sh

.PHONY: build
build: ## Build the program for release; STATIC=: with the Swift libraries outside.
	$(SWIFT) build $(RELEASE)

.PHONY: run
run: install build ## Build and run a complete service for trying out; ARGS go to `entitled dev`.
	@exec $(PROGRAM) dev $(ARGS)

.PHONY: test
test: install ## Build everything and run all tests, which start their own PostgreSQL; ARGS go to `swift test`.
	@rm -f $(RESULTS)
	$(SWIFT) build --build-tests
	$(TESTS) --xunit-output $(RESULTS) $(ARGS)
	@$(if $(strip $(ARGS)),:,Tests/Clients/run.sh --if-possible)
	@$(if $(strip $(ARGS)),:,deploy/check.sh --if-possible)

.PHONY: test-long
test-long: install build ## Run all tests and scenarios ROUNDS times (10), each time with other random seeds.
	$(SWIFT) build --build-tests
	@for round in $$(seq $(ROUNDS)); do \
	    export ENTITLED_SEED=$$RANDOM$$RANDOM ENTITLED_LONG=100000; \
	    echo "round $$round of $(ROUNDS), ENTITLED_SEED=$$ENTITLED_SEED"; \
	    $(TESTS) $(ARGS); \
	    $(PROGRAM) scenario run --seed $$ENTITLED_SEED $(SCENARIOS); \
	done

.PHONY: soak
soak: install build ## Mixed load with kills for MINUTES (60) at RATE works a second (200); table and graphs in .build/soak.
	$(SWIFT) build --build-tests
	@ENTITLED_PROGRAM=$(CURDIR)/$(PROGRAM) ENTITLED_SOAK_SECONDS=$$(( $(MINUTES) * 60 )) ENTITLED_SOAK_RATE=$(RATE) \
	    ENTITLED_SOAK_DIRECTORY=$(abspath $(SOAK)) $(TESTS) --filter SoakTests

.PHONY: test-sanitize
test-sanitize: install ## Run all tests under the thread sanitizer and under the address sanitizer; ARGS go to `swift test`.
	@Tests/Sanitizers/run.sh $(SWIFT) $(CLANG) $(ARGS)

.PHONY: fuzz
fuzz: install ## Fuzz what meets strangers' bytes, FUZZ_SECONDS (60) for each of FUZZ; findings and corpora in .build/fuzz.
	ENTITLED_FUZZ=1 $(SWIFT) build -c release --product Fuzz --sanitize=fuzzer --scratch-path .build/fuzz
	@for target in $(FUZZ); do \
	    corpus=.build/fuzz/corpus/$$target; \
	    mkdir -p $$corpus; \
	    echo "fuzzing $$target for $(FUZZ_SECONDS) s"; \
	    FUZZ_TARGET=$$target FUZZ_SEEDS=$$corpus .build/fuzz/release/Fuzz $$corpus -max_total_time=$(FUZZ_SECONDS) \
	        -max_len=65536 -timeout=10 -rss_limit_mb=2048 -verbosity=0 -print_final_stats=1 \
	        -artifact_prefix=.build/fuzz/$$target- 2>&1 | { grep -E '^(stat|==|SUMMARY|Test unit)|Fatal error' || true; }; \
	    test $${PIPESTATUS[0]} = 0; \
	done

.PHONY: test-clients
test-clients: install ## Call the service with libraries that others wrote (JSON-RPC, JWT; PyPI; needs python3).
	$(SWIFT) build --product entitled
	@Tests/Clients/run.sh

.PHONY: check-deploy
check-deploy: install ## Check alerts, dashboard, image, manifests and scripts of deploy/; play backup and recovery.
	$(SWIFT) build --product entitled
	@deploy/check.sh

.PHONY: scenarios
scenarios: install build ## Play the scenario files of the repository through the release build.
	@$(PROGRAM) scenario run $(SCENARIOS)

.PHONY: bench
bench: install build ## Measure against nginx, pgbench, openssl and COPY; ARGS go to `entitled bench`; JSON in .build/bench.json.
	@deploy/install-packages.sh --bench
	@$(PROGRAM) bench --json $(ARGS) > .build/bench.json
	@echo "JSON is in .build/bench.json"

.PHONY: lint
lint: ## Check the form of every Swift file.
	$(SWIFT) format lint --strict $(FORMAT)

.PHONY: format
format: ## Bring every Swift file into form.
	$(SWIFT) format --in-place $(FORMAT)

.PHONY: clean
clean: ## Remove what was built; the data of `make run` in .entitled stay.
	rm -rf .build
