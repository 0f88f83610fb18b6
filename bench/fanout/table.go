package main

import (
	"fmt"
	"strings"

	"secondring/bench/process"
)

// median returns the median of each figure over the rounds.
func median(all []result) result {
	m := result{Peer: all[0].Peer, Sockets: all[0].Sockets}
	for _, get := range []func(*result) *float64{
		func(r *result) *float64 { return &r.RSS },
		func(r *result) *float64 { return &r.Connects },
		func(r *result) *float64 { return &r.ConnectCPU },
		func(r *result) *float64 { return &r.SteadyCPU },
		func(r *result) *float64 { return &r.P50 },
		func(r *result) *float64 { return &r.P99 },
		func(r *result) *float64 { return &r.Deliveries },
		func(r *result) *float64 { return &r.CPU },
		func(r *result) *float64 { return &r.Generator },
		func(r *result) *float64 { return &r.ServerShare },
	} {
		*get(&m) = process.Median(all, func(r result) float64 { return *get(&r) })
	}
	return m
}

// names has the name of each peer in the table.
var names = map[string]string{
	"rawtcp":     "prepared bytes to plain TCP connections, coalesced",
	"hubd":       "**SecondRing**",
	"hubd2":      "**SecondRing**, two nodes over Redis on the same core",
	"hubd-open":  "**SecondRing**, sockets without a topic",
	"plain":      "a simple hub with gorilla/websocket",
	"centrifuge": "the Centrifuge library 0.38",
	"socketio":   "Socket.IO 4.8",
}

// table returns the results as a Markdown table, with ratios to the first peer.
func table(all []result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n| %d sockets | kB per idle socket | connections/s | CPU µs per connection | steady: CPU s per million deliveries | steady: delay p50 / p99, ms | saturated: deliveries/s | relative to the first row | saturated: CPU s per million deliveries |\n", all[0].Sockets)
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, r := range all {
		name := names[r.Peer]
		if name == "" {
			name = r.Peer
		}
		fmt.Fprintf(&b, "| %s | %.1f | %.0f | %.0f | %.1f | %.1f / %.1f | %.0f | %.2f | %.2f |\n", name,
			r.RSS, r.Connects, r.ConnectCPU, r.SteadyCPU, r.P50, r.P99, r.Deliveries, r.Deliveries/all[0].Deliveries, r.CPU)
	}
	return b.String()
}
