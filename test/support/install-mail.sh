#!/bin/bash
# install-mail.sh DEST: Dovecot and Postfix's test programs under DEST, for tests. How: debian-packages.sh.
. "$(dirname "$0")/debian-packages.sh"

# Dovecot knows one place for its modules, for TLS above all, and it cannot be told another: it is made to look below the
# directory in which it runs, which needs no right to write elsewhere.
modules=/usr/lib/dovecot/modules
works() {
  "$1/with-libraries" usr/sbin/dovecot --version > /dev/null 2>&1 && [ -x "$1/unpacked/usr/sbin/smtp-sink" ] \
    && ! grep -aqP "$modules\x00" "$1/unpacked/usr/lib/dovecot/libdovecot.so.0"
}
complete() {
  # As long as it was.
  LC_ALL=C sed -i "s#$modules\x00#modules$(printf '\\x00%.0s' {1..18})#" "$1/unpacked/usr/lib/dovecot/libdovecot.so.0.0.0"
}
install_packages "${1:-}" "the tests with a real mail server need Debian or Ubuntu." dovecot-imapd dovecot-lmtpd postfix
