#!/bin/bash
# install-mail.sh DEST: dovecot and postfix's test programs of this machine's own Debian or Ubuntu under DEST, for tests.
#
# Nothing on this machine is changed: no root, no installed package. apt, with lists of its own and the sources and keys
# of the machine, fetches what `apt-get install` would add; dpkg-deb unpacks it. DEST/with-libraries starts a program
# below DEST/root with its libraries.
#
# Exit status: 0 installed (or was already), 1 failed, 2 wrong use, 3 cannot run here; the last lines say what to do.
set -euo pipefail

fail() { status=$1; shift; printf '%s\n' "$@" >&2; exit "$status"; }

[ $# = 1 ] && [ -n "$1" ] || fail 2 "usage: install-mail.sh DEST"
for tool in apt-get dpkg-deb flock realpath; do
  command -v "$tool" > /dev/null || fail 3 "There is no $tool on this machine: the tests with a real mail server need Debian or Ubuntu."
done
dest=$(realpath -m "$1")
# Dovecot knows one place for its modules, for TLS above all, and it cannot be told another: it is made to look below the
# directory in which it runs, which needs no right to write elsewhere.
modules=/usr/lib/dovecot/modules
works() {
  "$1/with-libraries" usr/sbin/dovecot --version > /dev/null 2>&1 && [ -x "$1/root/usr/sbin/smtp-sink" ] \
    && ! grep -aqP "$modules\x00" "$1/root/usr/lib/dovecot/libdovecot.so.0"
}
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
wanted=$(apt-get -qq -y --print-uris install dovecot-imapd dovecot-lmtpd postfix | sed -n "s/^'[^']*' \([^_]*\)_.*/\1/p")
[ -n "$wanted" ] || fail 1 "apt on this machine knows no dovecot: the tests with a real mail server cannot run here."
(cd "$apt/archives" && apt-get -qq download $wanted) || fail 1 "A package could not be fetched or verified: run this again."
for package in "$apt"/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -x -C "$new/root" --no-same-owner --exclude=./usr/share/{doc,man,locale}
done
rm -rf "$apt"
# As long as it was.
LC_ALL=C sed -i "s#$modules\x00#modules$(printf '\\x00%.0s' {1..18})#" "$new/root/usr/lib/dovecot/libdovecot.so.0.0.0"
cat > "$new/with-libraries" << 'W'
#!/bin/sh
home="$(dirname "$(readlink -f "$0")")"
libraries=$(find "$home/root/usr/lib" "$home/root/lib" -name '*.so*' -printf '%h\n' 2> /dev/null | sort -u | paste -sd:)
program=$1
shift
LD_LIBRARY_PATH="$libraries" exec "$home/root/$program" "$@"
W
chmod +x "$new/with-libraries"
works "$new" || fail 1 "The unpacked dovecot does not start on this machine."
rm -rf "$dest"
mv "$new" "$dest"
