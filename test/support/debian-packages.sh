#!/bin/bash
# debian-packages.sh: sourced by the install scripts beside it. Packages of this machine's own Debian or Ubuntu, unpacked
# below a folder, for tests.
#
# Nothing on this machine is changed: no root, no installed package. apt, with lists of its own and the sources and keys
# of the machine, fetches what `apt-get install` would add; dpkg-deb unpacks it. DEST/with-libraries starts a program
# below DEST/unpacked with its libraries.
#
# Exit status: 0 installed (or was already), 1 failed, 2 wrong use, 3 cannot run here; the last lines say what to do.
set -euo pipefail

fail() { status=$1; shift; printf '%s\n' "$@" >&2; exit "$status"; }

# install_packages DEST INSTEAD PACKAGE...: INSTEAD says what to do where they cannot be had. Whoever calls it defines
# `works DIR`, whether what is there starts, and `complete DIR`, what is left to do when all is unpacked.
install_packages() {
  [ $# -ge 3 ] && [ -n "$1" ] || fail 2 "usage: $(basename "$0") DEST"
  dest=$(realpath -m "$1")
  instead=$2
  shift 2
  for tool in apt-get dpkg-deb flock realpath; do
    command -v "$tool" > /dev/null || fail 3 "There is no $tool on this machine: $instead"
  done
  works "$dest" && return
  mkdir -p "$(dirname "$dest")"
  exec 9> "$dest.lock"
  flock 9
  works "$dest" && return

  new=$dest.new
  trap 'rm -rf "$new"' EXIT
  trap 'exit 1' INT TERM HUP
  rm -rf "$new"
  mkdir -p "$new/unpacked"
  unpack "$@"
  cat > "$new/with-libraries" << 'W'
#!/bin/sh
home="$(dirname "$(readlink -f "$0")")"
libraries=$(find "$home/unpacked/usr/lib" "$home/unpacked/lib" -name '*.so*' -printf '%h\n' 2> /dev/null | sort -u | paste -sd:)
program=$1
shift
LD_LIBRARY_PATH="$libraries" exec "$home/unpacked/$program" "$@"
W
  chmod +x "$new/with-libraries"
  complete "$new"
  works "$new" || fail 1 "What was unpacked of $1 does not start on this machine: $instead"
  rm -rf "$dest"
  mv "$new" "$dest"
}

# unpack PACKAGE...: fetches them and what they need, into $new/unpacked.
unpack() {
  apt=$new/apt
  mkdir -p "$apt"/{lists/partial,cache/archives/partial,archives}
  # After the machine's own configuration, so that these win; sources, keys and what is installed stay the machine's.
  cat > "$apt/apt.conf" << C
Dir::State::lists "$apt/lists"; Dir::Cache "$apt/cache"; Dir::Log "$apt";
APT::Install-Recommends "false"; APT::Sandbox::User ""; Debug::NoLocking "true"; Acquire::Languages "none";
Acquire::Retries "3"; Acquire::http::Timeout "30"; Acquire::https::Timeout "30";
C
  export APT_CONFIG=$apt/apt.conf
  apt-get -qq update || fail 1 "The package lists could not be fetched: see the lines above. Is the network there?"
  wanted=$(apt-get -qq -y --print-uris install "$@" | sed -n "s/^'[^']*' \([^_]*\)_.*/\1/p")
  [ -n "$wanted" ] || fail 1 "apt on this machine knows no package $1: $instead"
  (cd "$apt/archives" && apt-get -qq download $wanted) || fail 1 "A package could not be fetched or verified: run this again."
  for package in "$apt"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$new/unpacked" --no-same-owner --exclude=./usr/share/{doc,man,locale}
  done
  rm -rf "$apt"
}
