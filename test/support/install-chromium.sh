#!/bin/bash
# install-chromium.sh DEST: the windowless Chromium of this machine's own Debian or Ubuntu under DEST, for tests.
#
# Nothing on this machine is changed: no root, no installed package. apt, with lists of its own and the sources and keys
# of the machine, fetches what `apt-get install chromium-headless-shell` would add; dpkg-deb unpacks it; DEST/chromium
# starts it with its libraries. It is a third smaller than the whole Chromium, and draws the same.
#
# Exit status: 0 installed (or was already), 1 failed, 2 wrong use, 3 cannot run here; the last lines say what to do.
set -euo pipefail

fail() { status=$1; shift; printf '%s\n' "$@" >&2; exit "$status"; }

[ $# = 1 ] && [ -n "$1" ] || fail 2 "usage: install-chromium.sh DEST"
for tool in apt-get dpkg-deb flock realpath; do
  command -v "$tool" > /dev/null || fail 3 "There is no $tool on this machine: install Chromium so that it is on the PATH."
done
dest=$(realpath -m "$1")
works() { "$1/chromium" --version > /dev/null 2>&1; }
works "$dest" && exit 0
mkdir -p "$(dirname "$dest")"
exec 9> "$dest.lock"
flock 9
works "$dest" && exit 0

new=$dest.new
apt=$new/apt
trap 'rm -rf "$new"' EXIT
trap 'exit 1' INT TERM HUP
rm -rf "$new"
mkdir -p "$new/root" "$apt"/{lists/partial,cache/archives/partial,archives}
# After the machine's own configuration, so that these win; sources, keys and what is installed stay the machine's.
cat > "$apt/apt.conf" << C
Dir::State::lists "$apt/lists"; Dir::Cache "$apt/cache"; Dir::Log "$apt";
APT::Install-Recommends "false"; APT::Sandbox::User ""; Debug::NoLocking "true"; Acquire::Languages "none";
Acquire::Retries "3"; Acquire::http::Timeout "30"; Acquire::https::Timeout "30";
C
export APT_CONFIG=$apt/apt.conf
apt-get -qq update || fail 1 "The package lists could not be fetched: see the lines above. Is the network there?"
wanted=$(apt-get -qq -y --print-uris install chromium-headless-shell fonts-dejavu-core \
  | sed -n "s/^'[^']*' \([^_]*\)_.*/\1/p")
[ -n "$wanted" ] || fail 1 "apt on this machine knows no chromium-headless-shell: put a chromium on the PATH."
(cd "$apt/archives" && apt-get -qq download $wanted) || fail 1 "A package could not be fetched or verified: run this again."
for package in "$apt"/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -x -C "$new/root" --no-same-owner --exclude=./usr/share/{doc,man,locale}
done
rm -rf "$apt"
cat > "$new/chromium" << 'W'
#!/bin/sh
root="$(dirname "$(readlink -f "$0")")/root"
libraries=$(find "$root/usr/lib" "$root/lib" -name '*.so*' -printf '%h\n' 2> /dev/null | sort -u | paste -sd:)
LD_LIBRARY_PATH="$libraries" exec "$root/usr/lib/chromium/chromium-headless-shell" "$@"
W
chmod +x "$new/chromium"
works "$new" || fail 1 "The unpacked Chromium does not start on this machine: put a chromium on the PATH."
rm -rf "$dest"
mv "$new" "$dest"
