#!/bin/bash
# install-redis.sh DEST: redis-server under DEST, for tests; DEST/redis-server starts it. How: debian-packages.sh.
. "$(dirname "$0")/debian-packages.sh"

works() { "$1/redis-server" --version > /dev/null 2>&1; }
complete() {
  printf '#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/with-libraries" usr/bin/redis-server "$@"\n' > "$1/redis-server"
  chmod +x "$1/redis-server"
}
install_packages "${1:-}" "put a redis-server on the PATH." redis-server
