package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"secondring/cmd/secondring/move"
	"secondring/market"
)

// steps are a thousand phones being copied, a hundred at a time and one each
// second, as a bar shows them.
func steps(terminal bool, pace time.Duration) string {
	var out bytes.Buffer
	b := newProgressBar(&out, terminal)
	at := time.Unix(0, 0)
	b.now = func() time.Time { return at }
	for done := 0; done <= 1000; done += 100 {
		b.show(move.Step{Phase: move.Copying, Kind: market.KindProducts, Done: done, Of: 1000, All: done, AllOf: 2000})
		at = at.Add(pace)
	}
	b.end()
	return out.String()
}

func TestProgressInLog(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(steps(false, time.Second)), "\n")
	want := []string{
		"copying products: 0 of 1000; 0 % of all",
		"copying products: 500 of 1000; 25 % of all, 100/s, 15s left",
		"copying products: 1000 of 1000; 50 % of all, 100/s, 10s left",
		"copying products: 1000 of 1000; 50 % of all, 91/s, 11s left", // the end
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestProgressOnTerminal(t *testing.T) {
	got := steps(true, time.Second)
	if strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, "\n") {
		t.Errorf("%q", got)
	}
	drawn := strings.Split(got, "\r\x1b[K")
	if len(drawn) != 13 || drawn[6] != "[######------------------]  25 %  copying products 500/1000, 100/s, 15s left" {
		t.Errorf("%d times, %q", len(drawn), drawn)
	}
	for _, line := range drawn {
		if len(line) > 79 {
			t.Errorf("too long for a narrow terminal: %q", line)
		}
	}
	if quick := steps(true, time.Millisecond); strings.Count(quick, "\r") > 3 {
		t.Errorf("drawn more often than can be seen: %q", quick)
	}
}
