#!/usr/bin/env bash
# Sees to it that there is a Chromium for the browser tests: Debian's own, where none is installed.
set -euo pipefail

if [ -n "${CHROMIUM:-}" ]; then exit 0; fi
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null; then exit 0; fi
done

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo -n); fi
if command -v apt-get >/dev/null && "${as_root[@]}" true 2>/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    "${as_root[@]}" apt-get update -qq
    # The fonts that the expected screenshots were made with, and what turns pictures into PNG.
    "${as_root[@]}" apt-get install -y -qq --no-install-recommends chromium fonts-liberation libcairo2
    exit 0
fi

echo "No Chromium was found, and none can be installed here. Install one (on Debian, as root:" \
    "apt-get install chromium), or name it: CHROMIUM=/path/to/chromium make test-browser" >&2
exit 1
