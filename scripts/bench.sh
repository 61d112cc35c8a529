#!/usr/bin/env bash
# What needs a GPU; without one it says so and fails.
set -euo pipefail
exec bench/gpu.sh smoke "$1/bin"
