#!/bin/bash
# install.sh DEST: a private Asterisk 22 with SIPp, espeak-ng, Flite, sndfile-convert and prompts under DEST.
#
# Nothing on this machine is changed: no root, no chroot, no installed package. apt, with a state of its own, fetches
# the Debian sid packages and checks their signatures; dpkg-deb unpacks them; the wrappers in DEST/bin start the
# programs through the tree's own ld.so, so the C library of the machine does not matter.
#
# MIRROR=URL              a Debian mirror; by default the one that this machine's apt uses
# KEYRING=FILE            the Debian archive keyring, when it is not in its usual place
# EARS=1                  also PocketSphinx with its models of English and of digits, for gathers that listen; it stays
# ALLOW_UNVERIFIED=1      goes on without a keyring: whoever can change the traffic then chooses what runs here
#
# Exit status: 0 installed (or was already), 1 failed, 2 wrong use, 3 cannot run here; the last lines say what to do.
set -euo pipefail

VERSION_MIN=22.10.1   # older ones have published vulnerabilities
PACKAGES='asterisk asterisk-core-sounds-en asterisk-core-sounds-en-gsm sip-tester'
PACKAGES+=' espeak-ng flite sndfile-programs'
PROGRAMS='sbin/asterisk bin/sipp bin/espeak-ng bin/flite bin/sndfile-convert'
EAR_PACKAGES=' pocketsphinx pocketsphinx-en-us pocketsphinx-testdata'
# What Depends drags in although nothing here runs it: not even fetched.
UNUSED='^(python3|libpython3|perl|libperl|gnupg|gpg|dirmngr|pinentry|adduser|passwd|login\.defs|base-passwd|debconf'
UNUSED+='|libdebconf|media-types|netbase|tzdata|libpam|libsem|libsepol|asterisk-config|iso-codes|libsnmp-base'
UNUSED+='|libc-gconv-modules-extra|pci\.ids|libglib2\.0-data|sgml-base|xml-core)'

say() { printf '%s\n' "$*"; }
fail() { status=$1; shift; printf '%s\n' "$@" >&2; exit "$status"; }
seconds() { say "$1 ($((SECONDS - phase_began)) s)"; phase_began=$SECONDS; }

main() {
  [ $# = 1 ] && [ -n "$1" ] || fail 2 "usage: install.sh DEST"
  require_tools
  dest=$(realpath -m "$1")
  recipe=$(sha256sum < "${BASH_SOURCE[0]}" | cut -d' ' -f1)
  is_installed && { say "Asterisk is installed in $dest"; exit 0; }
  refuse_foreign_folder
  mkdir -p "$(dirname "$dest")"
  exec 9> "$dest.lock"
  flock -n 9 || { say "another installation into $dest is running; waiting for it"; flock 9; }
  is_installed && { say "Asterisk is installed in $dest"; exit 0; }

  ! has_ears || EARS=1
  if [ "${EARS:-}" = 1 ]; then PACKAGES+=$EAR_PACKAGES; PROGRAMS+=' bin/pocketsphinx'; fi
  phase_began=$SECONDS
  new=$dest.new; root=$new/root; apt=$new/apt
  rm -rf "$new"; mkdir -p "$root"
  job=
  trap 'if [ -n "$job" ]; then kill "$job" 2> /dev/null && wait "$job" || true; fi; rm -rf "$new"' EXIT
  trap 'exit 1' INT TERM HUP
  prepare_apt
  fetch
  unpack
  prune
  write_wrappers
  check_version
  put_in_place
}

require_tools() {
  for tool in apt-get apt-config dpkg dpkg-deb flock sha256sum realpath; do
    command -v "$tool" > /dev/null || fail 3 \
      "A private Asterisk needs Debian or a relative of it: there is no $tool on this machine." \
      "Run Asterisk in a container (see asterisk/compose.yaml)," \
      "or use one that you have: set ARI_URL, ARI_USER and ARI_PASSWORD."
  done
}

has_ears() { grep -qsx 'ears' "$dest/installed"; }
is_installed() { grep -qsx "recipe $recipe" "$dest/installed" && { [ "${EARS:-}" != 1 ] || has_ears; }; }

refuse_foreign_folder() {
  [ -e "$dest" ] || return 0
  [ -e "$dest/installed" ] && return 0
  [ -d "$dest" ] && [ -z "$(ls -A "$dest")" ] && return 0
  fail 2 "$dest exists and is no installation of ours, so it stays as it is: name another folder, or remove it."
}

# The address of a Debian mirror that apt here knows. Without package lists apt cannot tell whose a mirror is, but on
# Debian itself the folder name does.
known_mirror() {
  local list=(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages') found
  found=$("${list[@]}" 'Origin: Debian' 'Label: Debian' 2> /dev/null | sort -u)
  if [ -z "$found" ] && grep -qsx 'ID=debian' /etc/os-release; then
    found=$("${list[@]}" 2> /dev/null | grep -E '/debian/?$' | sort -u || true)
  fi
  head -n 1 <<< "$found"
}

prepare_apt() {
  local keyring=${KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg} trust architecture
  mirror=${MIRROR:-$(known_mirror)}; mirror=${mirror%/}
  [ -n "$mirror" ] || fail 3 "apt on this machine knows no Debian mirror to get Asterisk from." \
    "Name one, with MIRROR=http://…/debian (the Debian web site lists them), and run this again."
  if [ -r "$keyring" ]; then
    trust="signed-by=$keyring"
  elif [ "${ALLOW_UNVERIFIED:-}" = 1 ]; then
    trust='trusted=yes'
    say "WARNING: packages are NOT verified (ALLOW_UNVERIFIED=1)"
  else fail 3 "The Debian archive keyring is missing ($keyring), so packages cannot be verified; nothing was fetched." \
    "Install it:  apt-get install debian-archive-keyring" \
    "or name it:  KEYRING=FILE" \
    "or go on knowingly without verification:  ALLOW_UNVERIFIED=1"
  fi
  architecture=$(dpkg --print-architecture)
  mkdir -p "$apt"/{state/lists/partial,cache/archives/partial,etc/apt.conf.d,etc/preferences.d,archives}
  : > "$apt/status"
  # Signatures are checked; the date is not: mirrors and clocks of build machines lag by weeks, and every fetch of
  # sid would fail. The version check below bounds what an old copy could do.
  echo "deb [$trust check-valid-until=no] $mirror sid main" > "$apt/etc/sources.list"
  cat > "$apt/apt.conf" << C
Dir::State "$apt/state"; Dir::State::status "$apt/status"; Dir::Cache "$apt/cache";
Dir::Etc "$apt/etc"; Dir::Etc::sourceparts "-"; Dir::Etc::trustedparts "/nonexistent"; Dir::Log "$apt";
APT::Architecture "$architecture"; APT::Architectures { "$architecture"; };
APT::Install-Recommends "false"; APT::Sandbox::User ""; Debug::NoLocking "true"; Acquire::Languages "none";
APT::Update::Error-Mode "any"; Acquire::Retries "3"; Acquire::http::Timeout "30"; Acquire::https::Timeout "30";
C
  export APT_CONFIG=$apt/apt.conf
}

fetch() {
  local wanted bytes
  say "reading the package list of Debian sid"
  apt-get -qq update || fail 1 "The package list could not be fetched or verified: see the lines above." \
    "Is the network there? MIRROR=URL names another mirror."
  seconds "package list read"
  # One line per package: 'address' file size hash.
  apt-get -qq -y --print-uris install $PACKAGES | grep "^'" > "$apt/uris" || fail 1 "apt could not resolve: $PACKAGES"
  wanted=$(awk -v unused="$UNUSED" '$2 !~ unused { print $2 }' "$apt/uris" | sed 's/_.*//')
  bytes=$(awk -v unused="$UNUSED" '$2 !~ unused { sum += $3 } END { print sum + 0 }' "$apt/uris")
  say "fetching $(wc -w <<< "$wanted") packages, $((bytes / 1000000)) MB"
  (cd "$apt/archives" && exec apt-get -qq download $wanted) 9>&- & job=$!
  while kill -0 "$job" 2> /dev/null; do
    sleep 1
    say "  $(($(du -sb "$apt/archives" | cut -f1) / 1000000)) of $((bytes / 1000000)) MB"
  done
  wait "$job" || fail 1 "A package could not be fetched or verified: see the lines above; run this again." \
    "What was installed before is untouched."
  job=
  seconds "fetched"
}

unpack() {
  local package
  for package in "$apt"/archives/*.deb; do
    echo "$(basename "$package") $(sha256sum < "$package" | cut -d' ' -f1)" >> "$new/versions.txt"
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --no-same-owner \
      --exclude=./usr/share/{doc,man,locale,info,lintian,bug}
  done
  libraries=$(dirname "$(ls "$root"/usr/lib/*/libc.so.6)")
  loader=$(ls "$libraries"/ld-linux*.so.* | head -n 1)
  ln -sfn en_US_f_Allison "$root/usr/share/asterisk/sounds/en"   # the package does this when it is configured
  seconds "unpacked"
}

# Keeps only the libraries that the programs and the modules of Asterisk can reach.
prune() {
  local kept=$new/kept list=("$loader" --library-path "$(library_path "$libraries")" --list)
  { printf '%s\0' $(printf "$root/usr/%s " $PROGRAMS) "$libraries"/asterisk/modules/*.so | xargs -0 -n 1 -P 2 "${list[@]}" 2> /dev/null || true
  } | sed -n 's/.*=> \(\/.*\) (0x[0-9a-f]*)$/\1/p' | sort -u | xargs -r -d '\n' realpath | sort -u > "$kept"
  realpath "$loader" >> "$kept"
  [ "$(wc -l < "$kept")" -gt 50 ] \
    || fail 1 "The unpacked programs do not start on this machine: $loader --list shows no libraries."
  find "$libraries" -maxdepth 1 -type f -name '*.so*' | grep -vxFf "$kept" | xargs -r -d '\n' rm -f
  find "$libraries" -maxdepth 1 -xtype l -delete
  find "$root"/usr/{bin,sbin} -type f $(printf '! -name %s ' $(basename -a $PROGRAMS)) ! -name astcanary -delete
  # Words are known from our own grammar: language models and the dictionary of all English words are not used.
  rm -f "$root"/usr/share/pocketsphinx/model/en-us/*.{bin,dict}
  find "$root"/usr/share -path '*/pocketsphinx/test/data/*' -type f ! -path '*/tidigits/hmm/*' -delete
  rm -rf "$root"/{etc,var,usr/libexec} "$kept" "$apt" "$root"/usr/share/{i18n,locales,zoneinfo,glib-2.0,icons,X11} \
    "$root"/usr/share/{bash-completion,perl*,pci.ids,misc,info,alsa,doc-base,applications}
  seconds "unused libraries removed"
}

# The folders of libraries below $1. Those of blas and lapack hold one library each, which PocketSphinx needs.
library_path() { printf '%s' "$1:$1/asterisk:$1/pulseaudio:$1/blas:$1/lapack"; }

write_wrappers() {
  local relative=${libraries#"$root"/} data program
  data=$(cd "$root" && find usr -type d -name espeak-ng-data | head -n 1)
  [ -n "$data" ] || fail 1 "The package espeak-ng-data has no folder of that name any more: adapt install.sh."
  mkdir -p "$new/bin"
  for program in $PROGRAMS; do
    cat > "$new/bin/$(basename "$program")" << W
#!/bin/sh
root=\$(cd "\$(dirname "\$(readlink -f "\$0")")/../root" && pwd); libraries="\$root/$relative"
export ESPEAK_DATA_PATH="\$root/$data"
exec "\$libraries/$(basename "$loader")" --argv0 $(basename "$program") \\
  --library-path "$(library_path '$libraries')" "\$root/usr/$program" "\$@"
W
    chmod +x "$new/bin/$(basename "$program")"
  done
}

check_version() {
  version=$("$new/bin/asterisk" -V | sed -n 's/^Asterisk \([0-9][0-9.]*\).*/\1/p')
  [ -n "$version" ] || fail 1 "The unpacked Asterisk does not say its version; it cannot be used."
  dpkg --compare-versions "$version" ge "$VERSION_MIN" || fail 1 \
    "The mirror has Asterisk $version; at least $VERSION_MIN is needed (older ones have known vulnerabilities)." \
    "Name a mirror that is up to date with MIRROR=URL."
  "$new/bin/espeak-ng" --version > /dev/null || fail 1 "The unpacked espeak-ng does not start; it cannot be used."
  "$new/bin/flite" -lv > /dev/null || fail 1 "The unpacked Flite does not start; it cannot be used."
}

# By renaming: whoever looks sees the old tree, none, or the new one, but never half of one.
put_in_place() {
  printf 'recipe %s\nasterisk %s\n%s' "$recipe" "$version" "${EARS:+ears$'\n'}" > "$new/installed"
  rm -rf "$dest.old"
  [ ! -e "$dest" ] || mv "$dest" "$dest.old"
  mv "$new" "$dest"
  rm -rf "$dest.old"
  say "Asterisk $version, SIPp, espeak-ng and Flite are installed in $dest: $(du -sm "$dest" | cut -f1) MB, $SECONDS s"
}

main "$@"
