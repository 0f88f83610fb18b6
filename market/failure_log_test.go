package market_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"secondring/market"
)

func TestFailureLogReportsStartAndEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var logged bytes.Buffer
		log := slog.New(slog.NewTextHandler(&logged, nil))
		var failures market.FailureLog
		wantLines := func(want int) {
			t.Helper()
			if got := strings.Count(logged.String(), "\n"); got != want {
				t.Errorf("%d lines are logged, want %d:\n%s", got, want, logged.String())
			}
		}
		note := func(err error) { failures.Record(t.Context(), log, "to connect", err) }
		note(nil)
		wantLines(0)
		for range 4 * 59 {
			note(errors.New("unavailable"))
			<-time.After(250 * time.Millisecond)
		}
		wantLines(1)
		for range 4 * 60 {
			note(errors.New("unavailable"))
			<-time.After(250 * time.Millisecond)
		}
		wantLines(2)
		note(nil)
		note(nil)
		wantLines(3)
		if !strings.Contains(logged.String(), "after=1m59s") {
			t.Errorf("the duration of the failure is not logged: %s", logged.String())
		}
	})
}
