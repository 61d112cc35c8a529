#!/usr/bin/env bash
# The benches: the corpus and the proof anywhere, then what needs a GPU (it fails without one).
set -euo pipefail
bench/corpus.py "$1/bin"
bench/proof.py "$1/bin"
exec bench/gpu.sh smoke "$1/bin"
