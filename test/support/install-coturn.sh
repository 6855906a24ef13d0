#!/bin/bash
# install-coturn.sh DEST: coturn, a TURN server, under DEST, for tests. How: debian-packages.sh.
. "$(dirname "$0")/debian-packages.sh"

works() { "$1/turnserver" --version > /dev/null 2>&1; }
complete() {
  printf '#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/with-libraries" usr/bin/turnserver "$@"\n' > "$1/turnserver"
  chmod +x "$1/turnserver"
}
install_packages "${1:-}" "put a turnserver on the PATH." coturn
