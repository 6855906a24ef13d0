#!/bin/bash
# install-nginx.sh DEST: nginx under DEST, for tests. How: debian-packages.sh.
. "$(dirname "$0")/debian-packages.sh"

works() { "$1/with-libraries" usr/sbin/nginx -v > /dev/null 2>&1; }
complete() { :; }
install_packages "${1:-}" "the test with a real proxy needs Debian or Ubuntu." nginx
