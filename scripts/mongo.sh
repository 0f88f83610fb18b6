#!/usr/bin/env bash
# mongo.sh provides a server that speaks MongoDB's protocol, for the tests.
#
#   mongo.sh install   installs PostgreSQL into the cache, if it is not there
#   mongo.sh serve     runs a server with an empty database until standard input ends
#
# The server is FerretDB over PostgreSQL with the extension documentdb. Debian has this
# extension since the release forky. The script installs a Debian forky into a folder of
# its own, and changes nothing else on the machine. If MONGODB_URI is set, the tests use
# that server and do not need this script.
#
# serve prints lines of a word and a value: "postgres" or "ferretdb" and the process ID,
# each time that it starts one of them, and "uri" and the address when the server
# responds. If a test kills one of the processes, serve starts it again with the same
# database and address.
set -eu -o pipefail

FORMAT=1 # increase it if the folder must be created again
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/secondring
FERRETDB=${FERRETDB:-$CACHE/ferretdb-v2.7.0/ferretdb} # make builds and exports it
ROOT=$CACHE/documentdb-forky-$FORMAT
MIRROR=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
PG=/usr/lib/postgresql/18/bin
NOBODY=65534 # PostgreSQL refuses to run as root

fail() { printf '%s\n' "$*" >&2; exit 1; }

instead='set MONGODB_URI to a MongoDB-compatible server that the tests may fill and empty'

# quietly COMMAND… shows the output of the command only if it fails.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    fail "mongo.sh: failed: $*. Correct the problem, or $instead."
  fi
  rm -f "$log"
}

# can_chroot tests chroot itself, because some containers do not permit it to root.
can_chroot() { [ "$(id -u)" -eq 0 ] && chroot / true 2>/dev/null; }

# install_postgresql creates the folder under a temporary name and then renames it, so
# that an incomplete folder is never used.
install_postgresql() {
  [ -e "$ROOT/template/PG_VERSION" ] && return
  can_chroot || fail "mongo.sh: only root on Debian can install PostgreSQL with documentdb. Run this once as root, or $instead."
  command -v apt-get >/dev/null || fail "mongo.sh: this system has no apt-get. Please $instead."
  if ! command -v debootstrap >/dev/null; then
    quietly apt-get update
    DEBIAN_FRONTEND=noninteractive quietly apt-get install -y --no-install-recommends debootstrap
  fi
  echo 'Downloading PostgreSQL 18 with documentdb from Debian, which takes a minute or two…'
  local part
  part=$(mktemp -d "$ROOT.XXXXXX")
  # shellcheck disable=SC2064 # the present value of part
  trap "rm -rf '$part'" EXIT
  chmod 755 "$part"
  # The last argument selects a script, because an older debootstrap does not know forky.
  quietly debootstrap --variant=minbase forky "$part" "$MIRROR" sid
  quietly chroot "$part" apt-get -o Acquire::Check-Valid-Until=false update
  quietly chroot "$part" apt-get install -y --no-install-recommends --download-only postgresql-18-documentdb
  # The packages are only unpacked. Their scripts would create clusters, users and
  # services, and need a complete system.
  quietly chroot "$part" sh -ec 'for deb in /var/cache/apt/archives/*.deb; do dpkg-deb -x "$deb" /; done; ldconfig
    ln -s postgis-3.control /usr/share/postgresql/18/extension/postgis.control
    echo "127.0.0.1 localhost" >/etc/hosts'
  rm -rf "$part"/var/cache/apt/archives/*.deb "$part"/var/lib/apt/lists/* "$part"/usr/share/{doc,man,locale}
  make_template "$part"
  # If another process was faster, its folder is used, and this one is deleted.
  mv -T "$part" "$ROOT" 2>/dev/null || [ -e "$ROOT/template/PG_VERSION" ] ||
    fail "mongo.sh: $ROOT exists, but is incomplete. Delete it, or $instead."
  rm -rf "$part"
  trap - EXIT
}

# make_template creates a database with the extension. serve copies it for each run.
make_template() {
  local root=$1
  mkdir -p "$root/template" "$root/run"
  chown $NOBODY:$NOBODY "$root/template" "$root/run"
  chmod 700 "$root/template"
  quietly chroot --userspec=$NOBODY:$NOBODY "$root" $PG/initdb -D /template -U postgres --no-sync --locale=C.UTF-8 -A trust
  # Without fsync a power failure loses data, but a killed process does not, which is
  # sufficient for tests. Concurrent inserts of one unique key can deadlock, so PostgreSQL
  # checks for this after a short time. enable_seqscan is off because a test checks that
  # each query has an index, and the planner would not use it for a few documents.
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

# answers ROOT PORT PID waits until PostgreSQL responds, and fails if its process ends.
answers() {
  local _
  for _ in $(seq 300); do
    kill -0 "$3" 2>/dev/null || return 1
    chroot "$1" $PG/pg_isready -q -h 127.0.0.1 -p "$2" -U postgres && return
    sleep 0.1
  done
  return 1
}

# free_port prints a port that is not in use. Another process may take it before the
# server listens on it. Then serve fails.
free_port() {
  local port
  while :; do
    # below the ports that the kernel assigns to connections, and above those of the browser tests
    port=$((24000 + RANDOM % 8000))
    (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo $port; return; }
  done
}

serve() {
  [ -x "$FERRETDB" ] && [ -e "$ROOT/template/PG_VERSION" ] ||
    fail "mongo.sh: there is no server in $CACHE: run make mongo, or $instead."
  can_chroot || fail "mongo.sh: the server needs chroot, which only root may use. Run this as root, or $instead."
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
  disown # so that the shell prints no message when the process is killed
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

# watch restarts killed processes until standard input ends. It ends with the process
# that uses the server, also if that process is killed.
watch() {
  local status
  while :; do
    status=0
    read -r -t 0.2 _ || status=$?
    [ $status -le 128 ] && [ $status -ne 0 ] && return # the end of the input, not the timeout
    # While child processes of the killed PostgreSQL still use the database, a new one
    # finds this in postmaster.pid and ends. Then it is started again.
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
