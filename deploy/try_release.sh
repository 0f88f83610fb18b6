#!/usr/bin/env bash
# try_release.sh tries the files of a release, which "make release" has made in dist/. In a bare Debian,
# without Go and Node, it starts the demo from the archive and the service from the package. It needs
# root on Debian, and the Debian mirror once.
set -euo pipefail
cd "$(dirname "$0")/../dist"
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
bare=${XDG_CACHE_HOME:-$HOME/.cache}/secondring/debian-bookworm-certificates
port=18080

say() { echo "  $*"; }
fail() { echo "try_release.sh: $*" >&2; exit 1; }

# answers URL waits until a server answers there with 200.
answers() {
  for _ in $(seq 600); do
    curl -fsS -o /dev/null "$1" 2>/dev/null && return
    [ -d "/proc/$server" ] || break
    sleep 0.1
  done
  cat "$root/tmp/log" >&2
  fail "there is no answer from $1"
}

# stop ends the server with SIGTERM, and fails if it does not end well.
stop() { kill "$server"; wait "$server" || fail "the server ended with $?"; }

in_root() { chroot "$root" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"; }

# start COMMAND… starts a server in the root.
start() {
  (exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@") >"$root/tmp/log" 2>&1 &
  server=$!
}

[ "$(id -u)" -eq 0 ] || fail 'only root can make a bare Debian'
sha256sum --check --quiet checksums.txt
say 'The checksums are right.'

if ! [ -e "$bare" ]; then
  command -v debootstrap >/dev/null || apt-get install -y --no-install-recommends debootstrap >/dev/null
  part=$(mktemp -d "$bare.XXXXXX")
  debootstrap --variant=minbase --include=systemd,ca-certificates bookworm "$part" "$mirror" >/dev/null
  chmod 755 "$part"
  mv -T "$part" "$bare"
fi
root=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill -9 "$server" 2>/dev/null || true; rm -rf "$root"' EXIT
cp -a "$bare/." "$root"
chmod 755 "$root"
! in_root sh -c 'command -v go || command -v node' || fail 'the bare Debian has Go or Node'

mkdir "$root/srv/archive"
tar -xzf secondring_linux_"$(dpkg --print-architecture)".tar.gz -C "$root/srv/archive" --strip-components=1
for file in README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE LICENCES.txt CREDITS.txt docs/START.md docs/adr/README.md \
  docs/pictures/phone.jpg deploy/haproxy.cfg secondring.service secondring.env secondringctl; do
  [ -s "$root/srv/archive/$file" ] || fail "the archive has no $file"
done
start setpriv --reuid=61184 --regid=61184 --clear-groups env ADDR=127.0.0.1:$port /srv/archive/secondring demo
answers "http://127.0.0.1:$port/readyz"
grep -q "http://localhost:$port" "$root/tmp/log" || fail "the demo does not print its address: $(cat "$root/tmp/log")"
grep -q 'admin@example.com' "$root/tmp/log" || fail "the demo does not print its logins: $(cat "$root/tmp/log")"
curl -fsS "http://127.0.0.1:$port/" | grep -q '<title>' || fail 'the demo has no pages'
stop
[ -z "$(find "$root/tmp" -mindepth 1 ! -name log)" ] || fail 'the demo has left files behind'
say 'The archive runs the demo.'

# The commands are those of docs/START.md.
cp secondring_*_"$(dpkg --print-architecture)".deb checksums.txt "$root/srv"
printf '#!/bin/sh\nexec "$@"\n' >"$root/usr/local/bin/sudo"
chmod +x "$root/usr/local/bin/sudo"
commands=$(sed -n '/^```sh package/,/^```$/{/^```/d;p}' ../docs/START.md)
[ -n "$commands" ] || fail 'docs/START.md does not say how to install the package'
in_root sh -euc "cd /srv; $commands" >"$root/tmp/log" 2>&1 || { cat "$root/tmp/log" >&2; fail 'the package cannot be installed'; }
[ "$(stat -c %a "$root/etc/secondring.env")" = 600 ] || fail 'other users can read the settings'
unit=$root/usr/lib/systemd/system/secondring.service
systemd-analyze verify --root="$root" secondring.service
# There is no systemd here that could start the unit. Its command runs as a user of its own, with its
# settings and its folder, which is where systemd makes it for DynamicUser.
mkdir -m 700 -p "$root/var/lib/private/secondring"
chmod 700 "$root/var/lib/private"
chown 61184:61184 "$root/var/lib/private/secondring"
ln -s private/secondring "$root/var/lib/secondring"
echo "ADDR=127.0.0.1:$port" >>"$root/etc/secondring.env"
in_root secondringctl version | grep -q '(commit ' || fail 'the program does not know its commit'
# shellcheck disable=SC2046 # several arguments
start secondringctl $(sed -n 's|^ExecStart=/usr/bin/secondring ||p' "$unit")
answers "http://127.0.0.1:$port/readyz"
[ "$(stat -c %u "/proc/$server")" = 61184 ] || fail 'the server runs as another user'
in_root secondringctl health >/dev/null
echo 'a-long-password' | in_root secondringctl admin create admin@shop.example >/dev/null
in_root secondringctl backup /var/lib/secondring/market.tar >/dev/null
[ -s "$root/var/lib/secondring/market.tar" ] || fail 'there is no backup'
stop
in_root dpkg --remove secondring >/dev/null
[ -s "$root/etc/secondring.env" ] && [ -s "$root/var/lib/secondring/market.tar" ] || fail 'the removal has deleted settings or data'
say 'The package runs the service.'

systemd-analyze security --offline=true --threshold=15 "../deploy/package/secondring.service" >"$root/tmp/exposure" ||
  { cat "$root/tmp/exposure" >&2; fail 'the unit may do too much'; }
say "$(tail -n 1 "$root/tmp/exposure")"
