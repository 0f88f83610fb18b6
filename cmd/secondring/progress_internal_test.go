package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"secondring/cmd/secondring/move"
	"secondring/market"
)

// progressOutput returns the output of a progress bar while 1000 phones are copied in steps
// of 100, with an interval between two steps.
func progressOutput(terminal bool, interval time.Duration) string {
	var out bytes.Buffer
	b := newProgressBar(&out, terminal)
	now := time.Unix(0, 0)
	b.now = func() time.Time { return now }
	for done := 0; done <= 1000; done += 100 {
		b.show(move.Step{Phase: move.Copying, Kind: market.KindProducts, Done: done, Total: 1000, WorkDone: done, WorkTotal: 2000})
		now = now.Add(interval)
	}
	b.end()
	return out.String()
}

func TestProgressInLog(t *testing.T) {
	want := strings.Join([]string{
		"copying products: 0 of 1000; 0 % of all",
		"copying products: 500 of 1000; 25 % of all, 100/s, 15s left",
		"copying products: 1000 of 1000; 50 % of all, 100/s, 10s left",
		"copying products: 1000 of 1000; 50 % of all, 91/s, 11s left", // printed by end
	}, "\n")
	if got := strings.TrimSpace(progressOutput(false, time.Second)); got != want {
		t.Errorf("the log has\n%s\nwant\n%s", got, want)
	}
}

func TestProgressOnTerminal(t *testing.T) {
	got := progressOutput(true, time.Second)
	if strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, "\n") {
		t.Errorf("the output %q must end with its only newline", got)
	}
	lines := strings.Split(got, "\r\x1b[K")
	if len(lines) != 13 || lines[6] != "[######------------------]  25 %  copying products 500/1000, 100/s, 15s left" {
		t.Errorf("the bar is drawn as %d lines, %q", len(lines), lines)
	}
	for _, line := range lines {
		if len(line) > 79 {
			t.Errorf("the line is longer than 79 characters: %q", line)
		}
	}
	if fast := progressOutput(true, time.Millisecond); strings.Count(fast, "\r") > 3 {
		t.Errorf("the bar is drawn more than three times in 10 ms: %q", fast)
	}
}
