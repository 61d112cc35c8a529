#!/usr/bin/env bash
# Installs the Debian packages that the build needs and that are missing; with all of them there it
# does nothing: no apt call, no network. Debian 12: MLIR and LLVM 22 come from the bookworm-security
# archive.
set -euo pipefail

packages=(
  g++ make cmake ninja-build python3
  patch # defects of test/corpus are edits of sound programs
  libmlir-22-dev mlir-22-tools llvm-22-dev # libmlir-22-dev does not depend on llvm-22-dev
  libeigen3-dev libcli11-dev libxxhash-dev
  libgtest-dev # holds GTestConfig.cmake
  zlib1g-dev libzstd-dev libxml2-dev libffi-dev libncurses-dev # asked for by LLVM's CMake files
  mold ccache # faster links and rebuilds
)

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "error: not root and no sudo; install as root: apt-get install ${missing[*]}" >&2
    exit 2
  fi
  root=(sudo)
fi
echo "bootstrap: installing ${missing[*]}"
"${root[@]}" apt-get update -qq
"${root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}"
