package main

import (
	"fmt"
	"strings"

	"secondring/bench/process"
)

// result has the figures of one run of one peer.
type result struct {
	Peer   string             `json:"peer"`
	Calls  map[string]figures `json:"calls"`
	Race   float64            `json:"race"`   // ms until all 200 buyers have a response
	Double float64            `json:"double"` // number of the 50 phones that were sold twice
	Start  float64            `json:"start"`  // ms to the first connection; some peers create their data in this time
	Read   float64            `json:"read"`   // MB after all reads, before the first write
	RSS    float64            `json:"rss"`    // MB at the end
}

// median returns the median of each figure over the rounds, and the maximum of the phones
// that were sold twice.
func median(all []result) result {
	of := func(get func(result) float64) float64 { return process.Median(all, get) }
	m := result{
		Peer: all[0].Peer, Calls: map[string]figures{},
		Race:  of(func(r result) float64 { return r.Race }),
		Start: of(func(r result) float64 { return r.Start }),
		Read:  of(func(r result) float64 { return r.Read }),
		RSS:   of(func(r result) float64 { return r.RSS }),
	}
	for _, r := range all {
		m.Double = max(m.Double, r.Double)
	}
	for kind := range all[0].Calls {
		m.Calls[kind] = figures{
			Rate:  of(func(r result) float64 { return r.Calls[kind].Rate }),
			CPU:   of(func(r result) float64 { return r.Calls[kind].CPU }),
			P50:   of(func(r result) float64 { return r.Calls[kind].P50 }),
			P99:   of(func(r result) float64 { return r.Calls[kind].P99 }),
			Bytes: of(func(r result) float64 { return r.Calls[kind].Bytes }),
		}
	}
	return m
}

var names = map[string]string{
	"secondring":      "**SecondRing**, durable writes",
	"rawhttp":         "prepared bytes from memory, without access checks",
	"fastify":         "Fastify 5 + better-sqlite3, not durable",
	"fastify-durable": "Fastify 5 + better-sqlite3, durable",
	"express":         "Express 5 + better-sqlite3, not durable",
	"pocketbase":      "PocketBase 0.39.11",
}

// table returns the results as a Markdown table: calls a second, with CPU seconds per
// 100,000 calls.
func table(all []result) string {
	var b strings.Builder
	b.WriteString("\n| calls/s (CPU s per 100,000) |")
	for _, kind := range kinds {
		b.WriteString(" " + kind + " |")
	}
	b.WriteString(" 200 buyers book one phone, ms | phones of 50 that were sold twice | MB after the reads · at the end |\n|" + strings.Repeat(" --- |", len(kinds)+4) + "\n")
	for _, r := range all {
		fmt.Fprintf(&b, "| %s |", names[r.Peer])
		for _, kind := range kinds {
			if f, ok := r.Calls[kind]; ok {
				fmt.Fprintf(&b, " %.0f (%.1f) |", f.Rate, f.CPU)
			} else {
				b.WriteString(" |")
			}
		}
		if r.Race > 0 {
			fmt.Fprintf(&b, " %.1f | %.0f |", r.Race, r.Double)
		} else {
			b.WriteString(" | |")
		}
		fmt.Fprintf(&b, " %.0f · %.0f |\n", r.Read, r.RSS)
	}
	fmt.Fprintf(&b, "\nTime from the start until the server accepts connections, with %d phones: %.0f ms.\n", phones, all[0].Start)
	return b.String()
}
