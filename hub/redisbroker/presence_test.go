package redisbroker_test

import (
	"testing"
	"time"

	"secondring/hub"
	"secondring/hub/redisbroker/redistest"
	"secondring/market"
)

// After an outage of Redis, other nodes may not have subscribed again yet. So for a while
// HeardWithin returns an error.
func TestNobodySeemsAwayAfterRedisWasKilled(t *testing.T) {
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	if _, err := b.Subscribe(t.Context(), market.TopicControl, &ear{}); err != nil { // as every node does
		t.Fatal(err)
	}
	isKnown := func() bool {
		t.Helper()
		is, err := b.HeardWithin(t.Context(), market.TopicMe("ann"), time.Minute)
		if is {
			t.Fatal("somebody who was never there is there")
		}
		return err == nil
	}
	eventually(t, "it is known", isKnown)
	s.Kill()
	eventually(t, "nothing is known", func() bool { return !isKnown() })
	s.Restart(t)
	eventually(t, "Redis answers", func() bool { return b.Ping(t.Context()) == nil })
	if isKnown() {
		t.Error("it is known before other nodes can have subscribed again")
	}
	eventually(t, "it is known again", isKnown)
}
