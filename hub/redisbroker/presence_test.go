package redisbroker_test

import (
	"testing"
	"time"

	"secondring/hub"
	"secondring/hub/redisbroker/redistest"
	"secondring/market"
)

// After an outage of Redis, other nodes may not have subscribed again yet. Therefore HasListenerWithin returns
// an error for some time.
func TestHasListenerWithinFailsAfterRedisIsKilled(t *testing.T) {
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	if _, err := b.Subscribe(t.Context(), market.TopicControl, &recorder{}); err != nil { // as every node does
		t.Fatal(err)
	}
	isKnown := func() bool {
		t.Helper()
		hasListener, err := b.HasListenerWithin(t.Context(), market.TopicMe("ann"), time.Minute)
		if hasListener {
			t.Fatal("HasListenerWithin is true for a topic without listeners")
		}
		return err == nil
	}
	eventually(t, "HasListenerWithin succeeds", isKnown)
	s.Kill()
	eventually(t, "HasListenerWithin fails", func() bool { return !isKnown() })
	s.Restart(t)
	eventually(t, "Redis answers", func() bool { return b.Ping(t.Context()) == nil })
	if isKnown() {
		t.Error("HasListenerWithin succeeds before other nodes can have subscribed again")
	}
	eventually(t, "HasListenerWithin succeeds again", isKnown)
}
