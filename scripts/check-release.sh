#!/usr/bin/env bash
# The release needs glibc alone (symbols up to 2.36, Debian 12) and starts.
set -euo pipefail
bin=$1
glibc='^(linux-vdso|libc|libm|libdl|libpthread|librt|/lib64/ld-linux-x86-64|/lib/ld-linux)'
for file in "$bin/sluice" "$bin/libsluice_rt.so"; do
  foreign=$(ldd "$file" | awk '{print $1}' | grep -vE "$glibc" || true)
  if [ -n "$foreign" ]; then
    echo "error: $file needs $foreign" >&2
    exit 1
  fi
  newest=$(objdump -T "$file" | grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -n 1)
  if [ "$(printf '%s\nGLIBC_2.36\n' "$newest" | sort -V | tail -n 1)" != GLIBC_2.36 ]; then
    echo "error: $file needs $newest; Debian 12 has GLIBC_2.36" >&2
    exit 1
  fi
  echo "$file: $(du -m "$file" | cut -f1) MB, $newest"
done
"$bin/sluice" --version
