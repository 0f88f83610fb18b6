#!/usr/bin/env bash
# market.sh measures the cost of waitlists, saved searches and messages with both stores, and prints a
# Markdown table of medians. COUNT (100) is the number of measurements.
set -eu
cd "$(dirname "$0")/.."
bash scripts/mongo.sh install >&2
go test -run '^$' -bench '^BenchmarkMarket$' -benchtime "${COUNT:-100}x" -timeout 30m ./store/sqlite ./store/mongo | tee /dev/stderr | awk '
	BEGIN {
		engines["secondring/store/sqlite"] = "SQLite"; engines["secondring/store/mongo"] = "FerretDB"
		names["release/none_waits"] = "end of a hold, empty waitlist"
		names["release/50_wait"] = "end of a hold, 50 people on the waitlist"
		names["phone/no_searches"] = "new phone, no saved searches"
		names["phone/10000_searches_of_others"] = "new phone, 10,000 saved searches for other brands"
		names["phone/10000_searches_of_its_brand"] = "new phone, 10,000 saved searches for its brand, no match"
		names["message/plain_row"] = "a row in a plain table"
		names["message/sent"] = "a message to a seller"
		names["threads/10"] = "the first page of ten conversations"
		names["threads/1000"] = "the first page of 1,000 conversations"
		print "| operation | writes | ms of the call | relative to the base case | ms in the background |\n| --- | --- | --- | --- | --- |"
	}
	$1 == "pkg:" { engine = engines[$2] }
	/^BenchmarkMarket\// {
		name = $1; sub(/^BenchmarkMarket\//, "", name); sub(/-[0-9]+$/, "", name)
		announced = ""
		for (i = 3; i < NF; i += 2) {
			if ($(i + 1) == "call-µs") call = $i / 1000
			if ($(i + 1) == "writes") writes = $i
			if ($(i + 1) == "announce-µs") announced = sprintf("%.1f", $i / 1000)
		}
		if (name ~ /none_waits|no_searches|plain_row|threads\/10$/) first = call
		printf "| %s: %s | %d | %.2f | %.2f | %s |\n", engine, names[name], writes, call, call / first, announced
	}'
