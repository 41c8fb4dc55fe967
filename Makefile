# `make` alone lists the targets: every line with `##` is one.

PYTHON ?= python3
BIN := .venv/bin
DONE := .venv/.installed
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help venv demo test test-long test-meteor meteor-venv test-kafka kafka-jars test-hdfs hdfs-jars test-cluster test-faults fuzz lint fmt docs bench bench-spark bench-streams bench-meteor bench-papers bench-peers lock clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

venv: $(DONE)  ## make .venv with the command .venv/bin/horae in it

$(DONE): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "Horae needs Python 3.11 or later; call make with PYTHON=python3.12, for example."; exit 1; }
	@echo "Installing into .venv from requirements.lock; the first time takes a minute or two." >&2
	@$(PYTHON) -m venv .venv
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

demo: venv  ## run a monitor on Spark over sample data and show its answers
	@$(BIN)/horae demo

test: venv  ## run the tests, except the long ones
	$(BIN)/pytest --numprocesses 2 --dist loadgroup

test-long: venv  ## run the tests that take minutes
	$(BIN)/pytest -m long

meteor-venv: .venv-meteor/.installed  ## make .venv-meteor with the reasoner MeTeoR, to compare with

.venv-meteor/.installed: tests/oracles/meteor/requirements.txt
	@$(PYTHON) -m venv .venv-meteor
	@.venv-meteor/bin/python -m pip --disable-pip-version-check --quiet install -r $<
	@touch $@

test-meteor: venv meteor-venv  ## compare DatalogMTL with MeTeoR on random programs
	HORAE_METEOR_PYTHON=$(CURDIR)/.venv-meteor/bin/python $(BIN)/pytest -m "long or not long" tests/oracles/meteor

kafka-jars: .kafka/.fetched  ## fetch a Kafka broker and Spark's connector into .kafka

.kafka/.fetched: tests/kafka/pom.xml
	@sh tests/kafka/fetch.sh
	@touch $@

test-kafka: venv kafka-jars  ## run programs over a Kafka topic, on a broker of their own
	HORAE_KAFKA=$(CURDIR)/.kafka $(BIN)/pytest -m kafka tests/kafka

hdfs-jars: .hdfs/.fetched  ## fetch Hadoop's mini cluster into .hdfs

.hdfs/.fetched: tests/hdfs/pom.xml
	@sh tests/hdfs/fetch.sh
	@touch $@

test-hdfs: venv hdfs-jars  ## run programs over files on HDFS, on a cluster of its own
	HORAE_HDFS=$(CURDIR)/.hdfs $(BIN)/pytest -m hdfs tests/hdfs

test-faults: venv  ## kill running streams again and again, damage their checkpoints, and compare all answers
	$(BIN)/pytest -m "faults or spark" tests/faults

test-cluster: venv  ## run programs on a Spark cluster on loopback, whose workers are killed
	$(BIN)/pytest -m cluster tests/cluster

fuzz: venv  ## mutated programs, tables and facts through every parser and reader: 200,000 inputs each
	$(BIN)/python -m tests.fuzz

lint: venv  ## check style, types and the import order
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

fmt: venv  ## format the code and apply safe fixes
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: venv  ## renew docs/errors from the wrong programs and inputs in tests/cases/wrong
	$(BIN)/python -m tests.wrong_cases

bench: venv  ## run the benchmarks
	$(BIN)/horae bench --all
	$(BIN)/python benchmarks/rtlola_loop.py
	$(BIN)/python benchmarks/datalogmtl_recursive.py
	$(BIN)/python benchmarks/lars_windows.py
	$(BIN)/python benchmarks/startup.py

bench-spark: venv  ## race batch runs with what Spark does without Horae, and measure the driver
	$(BIN)/python benchmarks/spark_keyed.py
	$(BIN)/python benchmarks/spark_over_instances.py
	$(BIN)/python benchmarks/spark_cql.py
	$(BIN)/python benchmarks/spark_facts.py
	$(BIN)/python -m benchmarks.driver_memory

bench-streams: venv  ## race live streams with Spark's own, and measure their memory
	$(BIN)/python benchmarks/streaming_throughput.py
	$(BIN)/python benchmarks/streaming_memory.py

bench-meteor: venv meteor-venv  ## race MeTeoR on three programs over 100,000 facts each
	HORAE_METEOR_PYTHON=$(CURDIR)/.venv-meteor/bin/python $(BIN)/python benchmarks/meteor/race.py

bench-papers: venv meteor-venv  ## repeat the papers' experiments; tables and plots go into docs/benchmarks.md
	HORAE_METEOR_PYTHON=$(CURDIR)/.venv-meteor/bin/python $(BIN)/python -m benchmarks.papers $(ARGS)

bench-peers: venv .peers/bin/rtlola-cli  ## race the interpreter of today's RTLola, built with Cargo
	$(BIN)/python benchmarks/rtlola_peer.py

.peers/bin/rtlola-cli:
	@command -v cargo > /dev/null || { echo "make bench-peers needs Cargo, which comes with Rust: https://rustup.rs"; exit 1; }
	cargo install --quiet --locked --root .peers --version 0.1.2 rtlola-cli

lock: venv  ## renew requirements.lock from pyproject.toml
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --upgrade \
	    --generate-hashes --no-header --no-annotate --no-emit-index-url --quiet -o requirements.lock

clean:  ## remove .venv and everything that was built
	rm -rf .venv .venv-meteor .kafka .hdfs .peers build dist spark-warehouse metastore_db derby.log \
	    .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
