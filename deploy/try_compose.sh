#!/usr/bin/env bash
# try_compose.sh builds and starts docker-compose.yml on a Linux machine, lets people book a
# phone through different nodes, and deletes the containers and volumes. It has its own
# project, image and secrets, so that it never changes a market on the same machine. It needs
# docker, curl and jq, the free ports 8080 and 8443, and the free network 172.30.0.0/24.
#
# To try servers that run already, set their addresses, and the program for the admin:
#
#   NODES="http://10.0.0.1:8080 http://10.0.0.2:8080 http://10.0.0.3:8080" \
#     PROXY=https://ring.example SECONDRING=bin/secondring bash deploy/try_compose.sh
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "try_compose.sh: $*" >&2; exit 1; }

folder=$(mktemp -d)
started=

compose() { docker compose --project-name secondring-try --env-file "$folder/env" "$@"; }

clean() {
  local status=$?
  trap - EXIT
  if [ -n "$started" ]; then
    if [ $status -ne 0 ]; then
      compose ps --all
      compose logs --tail 50
    fi >&2
    compose down --volumes
  fi
  rm -rf "$folder"
  exit $status
}
trap clean EXIT

# address NODE prints the address of a node in the network of the proxy. A Linux machine
# reaches the containers there directly, without the proxy.
address() {
  local container
  container=$(compose ps --quiet "$1")
  docker inspect --format '{{(index .NetworkSettings.Networks "secondring-try_front").IPAddress}}' "$container"
}

if [ -z "${NODES:-}" ]; then
  bash deploy/env.sh "$folder/env"
  export VERSION=try
  compose build
  started=1
  compose up --detach --wait --wait-timeout 300
  NODES= PROXY=http://localhost:8080
  # The proxy uses a node after two checks of it.
  curl --silent --show-error --fail --output "$folder/ready" --retry 30 --retry-delay 1 --retry-all-errors "$PROXY/readyz"
  for node in node-1 node-2 node-3; do
    NODES+=" http://$(address $node):8080"
  done
  secondring() { compose exec -T node-1 /secondring "$@"; }
else
  : "${PROXY:?is missing}" "${SECONDRING:?is missing}"
  secondring() { "$SECONDRING" "$@"; }
fi
read -r node1 node2 node3 <<<"$NODES"
[ -n "$node3" ] || fail 'NODES needs three addresses'

token=
# call STATUS METHOD URL [BODY] makes a call, with $token if it is set, and prints the
# response. It fails if the response has another status. The body is JSON, or @FILE to
# upload a picture. Cookies are kept in the file $jar.
call() {
  local want=$1 method=$2 url=$3 status
  local args=(--silent --show-error --max-time 30 --request "$method" --output "$folder/response"
    --write-out '%{http_code}' --cookie "$jar" --cookie-jar "$jar")
  [ -z "$token" ] || args+=(--header "Authorization: Bearer $token")
  case ${4:-} in
    '') ;;
    @*) args+=(--form "image=$4") ;;
    *) args+=(--header 'Content-Type: application/json' --data "$4") ;;
  esac
  status=$(curl "${args[@]}" "$url") || fail "$method $url: no response"
  [ "$status" = "$want" ] || fail "$method $url: status $status, want $want: $(cat "$folder/response")"
  cat "$folder/response"
}

# json NAME VALUE… prints an object of texts.
json() { jq --null-input --compact-output '$ARGS.positional as $p | [range(0; $p | length; 2) | {($p[.]): $p[. + 1]}] | add' --args "$@"; }

# token_of EMAIL prints an access token for the account that is signed in.
token_of() { call 200 GET "$PROXY/jwt?email=$1" | jq --exit-status --raw-output .accessToken; }

run=$(date +%s)$RANDOM # makes the accounts of this run new
password=$run-$RANDOM-$RANDOM

# join NAME TYPE creates an account through the proxy and prints its access token.
join() {
  local jar=$folder/$1.cookies email=$1-$run@example.com
  call 201 POST "$PROXY/identity/sign-up" "$(json email "$email" password "$password" displayName "$1")" >/dev/null
  call 200 POST "$PROXY/users" "$(json name "$1" email "$email" accountType "$2")" >/dev/null
  token_of "$email"
}

# state NODE prints whether the phone is booked in the list of its brand, as the node sees it.
state() {
  call 200 GET "$1/categories/$brand" | jq --raw-output --arg id "$phone" '.[] | select(._id == $id) | .booked'
}

jar=$folder/cookies
for node in "$PROXY" $NODES; do
  call 200 GET "$node/readyz" >/dev/null
done

echo 'Creating an admin, a seller and two buyers…'
secondring admin create "admin-$run@example.com" <<<"$password"
call 200 POST "$PROXY/identity/sign-in" "$(json email "admin-$run@example.com" password "$password")" >/dev/null
admin=$(token_of "admin-$run@example.com")
seller=$(join seller Seller)
buyer=$(join buyer User)
other=$(join other User)

token=$admin
call 200 GET "$node2/users/sellers" | jq --exit-status --arg email "seller-$run@example.com" 'any(.email == $email)' >/dev/null ||
  fail 'the admin does not see the seller'

echo 'Listing a phone at node 1…'
brand=$(call 200 GET "$node1/allCategories" | jq --exit-status --raw-output '.[0]._id')
token=$seller
base64 --decode >"$folder/a.png" <<<'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
picture=$(call 200 POST "$node1/images" "@$folder/a.png" | jq --exit-status --raw-output .data.url)
phone=$(call 200 POST "$node1/products" "$(json id "$brand" img "$picture" name 'A phone' email "seller-$run@example.com" \
  productCondition Good usedTime '1 year' description 'It rings.' location Dhaka phone 01700000000 \
  selling_post_date "$(date --utc +%F)" | jq --compact-output '. + {originalPrice: 500, resalePrice: 100}')" |
  jq --exit-status --raw-output .insertedId)

token=$other
[ "$(state "$node3")" = false ] || fail 'the phone is not for sale at node 3'
call 200 GET "$node3/${picture#"${picture%/images/*}/"}" >"$folder/picture"
[ -s "$folder/picture" ] || fail 'node 3 does not have the picture'

echo 'Booking it at node 2…'
token=$buyer
booking=$(call 200 PUT "$node2/bookings" "$(json productID "$phone" phone 01800000000)" | jq --exit-status --raw-output .insertedId)

echo 'Booking it again at node 3, as another buyer…'
token=$other
call 409 PUT "$node3/bookings" "$(json productID "$phone" phone 01900000000)" |
  jq --exit-status '.acknowledged == false' >/dev/null || fail 'the second booking was acknowledged'

for _ in {1..20}; do
  booked=$(state "$node3")
  [ "$booked" = true ] && break
  sleep 0.5
done
[ "$booked" = true ] || fail 'node 3 does not show the phone as booked'

token=$buyer
call 200 GET "$node1/bookings?email=buyer-$run@example.com" |
  jq --exit-status --arg id "$booking" 'any(._id == $id and .status == "held")' >/dev/null ||
  fail 'node 1 does not show the booking'

echo 'The phone was listed at node 1, booked at node 2, refused to another buyer at node 3, and is Booked there.'
