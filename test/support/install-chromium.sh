#!/bin/bash
# install-chromium.sh DEST: the windowless Chromium under DEST, for tests; DEST/chromium starts it. It is a third smaller
# than the whole Chromium, and draws the same. How: debian-packages.sh.
. "$(dirname "$0")/debian-packages.sh"

works() { "$1/chromium" --version > /dev/null 2>&1; }
complete() {
  local program=usr/lib/chromium/chromium-headless-shell
  printf '#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/with-libraries" %s "$@"\n' "$program" > "$1/chromium"
  chmod +x "$1/chromium"
}
install_packages "${1:-}" "put a chromium on the PATH." chromium-headless-shell fonts-dejavu-core
