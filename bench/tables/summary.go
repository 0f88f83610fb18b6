package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

type fanout struct {
	Peer       string
	Deliveries float64
	RSS        float64 `json:"rssPerSocket"`
}

type calls struct {
	Peer  string
	Calls map[string]struct{ Rate float64 }
	Race  float64
}

// column is a column of the summary: a product, with its names in both measurements.
type column struct{ title, fanout, calls string }

var columns = []column{
	{"SecondRing", "hubd", "secondring"},
	{"Go, prepared bytes only", "rawtcp", "rawhttp"},
	{"simple gorilla hub", "plain", ""},
	{"Centrifuge", "centrifuge", ""},
	{"Socket.IO", "socketio", ""},
	{"Fastify", "", "fastify"},
	{"PocketBase", "", "pocketbase"},
}

// row is a row of the summary: a figure, and the function that reads it from the results.
type row struct {
	title  string
	format string
	fanout func(fanout) float64
	calls  func(calls) float64
}

var rows = []row{
	{"events to 10,000 sockets, deliveries/s", "%.0f", func(f fanout) float64 { return f.Deliveries }, nil},
	{"memory of an idle socket, kB", "%.1f", func(f fanout) float64 { return f.RSS }, nil},
	{"list of a brand's 50 phones, calls/s", "%.0f", nil, func(c calls) float64 { return c.Calls["R1"].Rate }},
	{"new phone, calls/s (SecondRing waits for the disk)", "%.0f", nil, func(c calls) float64 { return c.Calls["W1"].Rate }},
	{"95 % reads and 5 % writes, calls/s", "%.0f", nil, func(c calls) float64 { return c.Calls["W3"].Rate }},
	{"200 buyers book one phone, ms until all have a response", "%.0f", nil, func(c calls) float64 { return c.Race }},
}

// summary returns the summary of both measurements. It returns "" if one of them is missing.
func summary(results string) (string, error) {
	var (
		fanouts     []fanout
		callResults []calls
	)
	err := errors.Join(read(filepath.Join(results, "fanout-10000.json"), &fanouts), read(filepath.Join(results, "calls.json"), &callResults))
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| one processor |")
	for _, c := range columns {
		b.WriteString(" " + c.title + " |")
	}
	b.WriteString("\n|" + strings.Repeat(" --- |", len(columns)+1) + "\n")
	for _, r := range rows {
		b.WriteString("| " + r.title + " |")
		for _, c := range columns {
			b.WriteString(" " + r.cell(c, fanouts, callResults) + " |")
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// cell returns the row's figure for a column, or "".
func (r row) cell(c column, fanouts []fanout, callResults []calls) string {
	for _, f := range fanouts {
		if r.fanout != nil && f.Peer == c.fanout && r.fanout(f) > 0 {
			return fmt.Sprintf(r.format, r.fanout(f))
		}
	}
	for _, f := range callResults {
		if r.calls != nil && f.Peer == c.calls && r.calls(f) > 0 {
			return fmt.Sprintf(r.format, r.calls(f))
		}
	}
	return ""
}

func read(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
