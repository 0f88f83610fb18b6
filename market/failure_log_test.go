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
		var said bytes.Buffer
		log := slog.New(slog.NewTextHandler(&said, nil))
		var out market.FailureLog
		lines := func(want int) {
			t.Helper()
			if got := strings.Count(said.String(), "\n"); got != want {
				t.Errorf("%d lines, want %d:\n%s", got, want, said.String())
			}
		}
		note := func(err error) { out.Note(t.Context(), log, "to dance", err) }
		note(nil)
		lines(0)
		for range 4 * 59 {
			note(errors.New("away"))
			<-time.After(250 * time.Millisecond)
		}
		lines(1)
		for range 4 * 60 {
			note(errors.New("away"))
			<-time.After(250 * time.Millisecond)
		}
		lines(2)
		note(nil)
		note(nil)
		lines(3)
		if !strings.Contains(said.String(), "after=1m59s") {
			t.Error(said.String())
		}
	})
}
