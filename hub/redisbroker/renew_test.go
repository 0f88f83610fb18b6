package redisbroker_test

import (
	"testing"

	"secondring/hub"
	"secondring/hub/redisbroker/redistest"
	"secondring/market"
)

// All earlier positions of a topic are invalid on every node.
func TestRenewInvalidatesEveryPosition(t *testing.T) {
	s := redistest.Start(t)
	b, peer := open(t, s, hub.HistoryLimits{}), open(t, s, hub.HistoryLimits{})
	before, err := b.Subscribe(t.Context(), topic, &ear{})
	if err == nil {
		err = b.Publish(t.Context(), []market.Event{{Topic: topic, Entity: "p", Version: 1}})
	}
	if err != nil {
		t.Fatal(err)
	}
	if h, err := peer.History(t.Context(), topic, before); err != nil || !h.Complete {
		t.Fatalf("%+v, %v", h, err)
	}
	if err := b.Renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	if h, err := peer.History(t.Context(), topic, before); err != nil || h.Complete || h.Top.Epoch == before.Epoch {
		t.Errorf("after it: %+v, %v", h, err)
	}
}
