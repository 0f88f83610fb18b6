#!/usr/bin/env bash
# mongo.sh: a server that speaks MongoDB's protocol, for the tests.
#
#   mongo.sh install   puts PostgreSQL into the cache, if it is not there yet
#   mongo.sh serve     runs one with an empty database until its input ends
#
# It is FerretDB in front of PostgreSQL with the extension documentdb. Debian
# carries that from forky on: it lives in a folder of its own, and nothing of
# the system is touched. Where MONGODB_URI is set the tests use that server, and
# this script is not needed.
#
# serve prints, a word and a value a line: "postgres" and "ferretdb", each with
# its process id, as often as it starts one, and "uri" once it answers. One that
# is killed is started again, with the same database and address.
set -eu -o pipefail

FORMAT=1 # raise it when the folder is to be made anew
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/secondring
FERRETDB=${FERRETDB:-$CACHE/ferretdb-v2.7.0/ferretdb} # make builds and exports it
ROOT=$CACHE/documentdb-forky-$FORMAT
MIRROR=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
PG=/usr/lib/postgresql/18/bin
NOBODY=65534 # PostgreSQL refuses to run as root

fail() { printf '%s\n' "$*" >&2; exit 1; }

instead='set MONGODB_URI to a MongoDB-compatible server that the tests may fill and empty'

# quietly COMMAND…: what it says is shown only where it fails.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    fail "mongo.sh: failed: $*. Mend that, or $instead."
  fi
  rm -f "$log"
}

# can_chroot: root alone is not enough in every container.
can_chroot() { [ "$(id -u)" -eq 0 ] && chroot / true 2>/dev/null; }

# install_postgresql makes the folder beside its place and then moves it there,
# so that it is whole or not there.
install_postgresql() {
  [ -e "$ROOT/template/PG_VERSION" ] && return
  can_chroot || fail "mongo.sh: to install PostgreSQL with documentdb takes root on Debian. Run as root once, or $instead."
  command -v apt-get >/dev/null || fail "mongo.sh: this system has no apt-get. Please $instead."
  if ! command -v debootstrap >/dev/null; then
    quietly apt-get update
    DEBIAN_FRONTEND=noninteractive quietly apt-get install -y --no-install-recommends debootstrap
  fi
  echo 'Fetching PostgreSQL 18 with documentdb from Debian, a minute or two, this once…'
  local part
  part=$(mktemp -d "$ROOT.XXXXXX")
  # shellcheck disable=SC2064 # this very folder
  trap "rm -rf '$part'" EXIT
  chmod 755 "$part"
  # The last word names the script: an older debootstrap knows no forky.
  quietly debootstrap --variant=minbase forky "$part" "$MIRROR" sid
  quietly chroot "$part" apt-get -o Acquire::Check-Valid-Until=false update
  quietly chroot "$part" apt-get install -y --no-install-recommends --download-only postgresql-18-documentdb
  # Unpacked and not set up: the packages' scripts would make clusters, users
  # and services, and want a system around them.
  quietly chroot "$part" sh -ec 'for deb in /var/cache/apt/archives/*.deb; do dpkg-deb -x "$deb" /; done; ldconfig
    ln -s postgis-3.control /usr/share/postgresql/18/extension/postgis.control
    echo "127.0.0.1 localhost" >/etc/hosts'
  rm -rf "$part"/var/cache/apt/archives/*.deb "$part"/var/lib/apt/lists/* "$part"/usr/share/{doc,man,locale}
  make_template "$part"
  # Another may have been faster; then its folder is in use, and ours is not needed.
  mv -T "$part" "$ROOT" 2>/dev/null || [ -e "$ROOT/template/PG_VERSION" ] ||
    fail "mongo.sh: $ROOT is in the way. Remove it, or $instead."
  rm -rf "$part"
  trap - EXIT
}

# make_template fills a database with the extension, to be copied for each run.
make_template() {
  local root=$1
  mkdir -p "$root/template" "$root/run"
  chown $NOBODY:$NOBODY "$root/template" "$root/run"
  chmod 700 "$root/template"
  quietly chroot --userspec=$NOBODY:$NOBODY "$root" $PG/initdb -D /template -U postgres --no-sync --locale=C.UTF-8 -A trust
  # A killed process loses nothing without fsync, a power cut would: fine for
  # tests. Several who want one unique key wait for each other until PostgreSQL
  # sees it, so it looks soon. A test asks whether there is an index for each
  # query, not whether one is worth while for a few documents.
  cat >>"$root/template/postgresql.conf" <<'CONF'
shared_preload_libraries = 'pg_cron,pg_documentdb_core,pg_documentdb'
cron.database_name = 'postgres'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 100
fsync = off
deadlock_timeout = 20ms
enable_seqscan = off
log_min_messages = panic
cron.log_run = off
cron.log_statement = off
CONF
  local port
  port=$(free_port)
  chroot --userspec=$NOBODY:$NOBODY "$root" $PG/postgres -D /template -p "$port" >/dev/null 2>&1 </dev/null &
  local postgres=$!
  answers "$root" "$port" $postgres || fail "mongo.sh: PostgreSQL does not start from $root. Please $instead."
  quietly sql "$root" "$port" 'CREATE EXTENSION documentdb CASCADE'
  kill -INT $postgres
  wait $postgres || true
}

sql() { chroot "$1" $PG/psql -h 127.0.0.1 -p "$2" -U postgres -qAtc "$3"; }

# answers ROOT PORT PID waits until PostgreSQL does, or is gone.
answers() {
  local _
  for _ in $(seq 300); do
    kill -0 "$3" 2>/dev/null || return 1
    chroot "$1" $PG/pg_isready -q -h 127.0.0.1 -p "$2" -U postgres && return
    sleep 0.1
  done
  return 1
}

# free_port prints one that nobody listens on. Another may take it before we do:
# whoever then cannot listen tries once more.
free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 12000)) # below those that systems give out themselves
    (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo $port; return; }
  done
}

serve() {
  [ -x "$FERRETDB" ] && [ -e "$ROOT/template/PG_VERSION" ] ||
    fail "mongo.sh: there is no server in $CACHE yet: run make mongo, or $instead."
  can_chroot || fail "mongo.sh: the server runs in a folder of its own, which takes root. Run as root, or $instead."
  home=$(mktemp -d "$ROOT/run/XXXXXX")
  inside=${home#"$ROOT"}
  trap stop EXIT
  trap 'exit 1' INT TERM HUP
  chown $NOBODY:$NOBODY "$home"
  cp -a --reflink=auto "$ROOT/template" "$home/data"
  mkdir "$home/state"
  pg_port=$(free_port)
  port=$(free_port)
  postgres= ferretdb=
  start_postgres
  answers "$ROOT" "$pg_port" "$postgres" || fail "mongo.sh: PostgreSQL does not start: $(tail -n 3 "$home/log")"
  start_ferretdb
  until (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    kill -0 "$ferretdb" 2>/dev/null || fail "mongo.sh: FerretDB does not start: $(tail -n 3 "$home/log")"
    sleep 0.05
  done
  echo "uri mongodb://127.0.0.1:$port"
  watch
}

start_postgres() {
  chroot --userspec=$NOBODY:$NOBODY "$ROOT" $PG/postgres -D "$inside/data" -p "$pg_port" >>"$home/log" 2>&1 </dev/null &
  postgres=$!
  disown # so that the shell says nothing of it when it is killed
  echo "postgres $postgres"
}

start_ferretdb() {
  "$FERRETDB" --postgresql-url="postgres://postgres@127.0.0.1:$pg_port/postgres?pool_max_conns=20" \
    --listen-addr="127.0.0.1:$port" --debug-addr=- --no-auth --telemetry=disable \
    --state-dir="$home/state" --log-level=error >>"$home/log" 2>&1 </dev/null &
  ferretdb=$!
  disown
  echo "ferretdb $ferretdb"
}

# watch starts again what was killed, until the input ends: with the process
# that uses the server, however that comes to its end.
watch() {
  local status
  while :; do
    status=0
    read -r -t 0.2 _ || status=$?
    [ $status -le 128 ] && [ $status -ne 0 ] && return # the end of the input, not of the wait
    # As long as children of the killed one hold the database, PostgreSQL sees
    # that from postmaster.pid and ends: so it is started again and again.
    kill -0 "$postgres" 2>/dev/null || start_postgres
    kill -0 "$ferretdb" 2>/dev/null || start_ferretdb
  done
}

stop() {
  trap - EXIT INT TERM HUP
  local pid _
  for pid in $ferretdb $postgres; do
    kill -QUIT "$pid" 2>/dev/null || continue
    for _ in $(seq 100); do
      kill -0 "$pid" 2>/dev/null || continue 2
      sleep 0.05
    done
    kill -KILL "$pid" 2>/dev/null || true
  done
  rm -rf "$home"
}

case ${1:-} in
  install)
    mkdir -p "$CACHE"
    install_postgresql
    ;;
  serve) serve ;;
  *) fail 'usage: mongo.sh install | serve' ;;
esac
