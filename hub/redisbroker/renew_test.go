package redisbroker_test

import (
	"testing"

	"secondring/hub"
	"secondring/hub/redisbroker/redistest"
	"secondring/market"
)

// After BeginEpochs all earlier positions of a topic are invalid on every node.
func TestNewEpochsInvalidateEveryPosition(t *testing.T) {
	s := redistest.Start(t)
	b, peer := open(t, s, hub.HistoryLimits{}), open(t, s, hub.HistoryLimits{})
	before, err := b.Subscribe(t.Context(), topic, &recorder{})
	if err == nil {
		err = b.Publish(t.Context(), []market.Event{{Topic: topic, Entity: "p", Version: 1}})
	}
	if err != nil {
		t.Fatal(err)
	}
	if h, err := peer.History(t.Context(), topic, before); err != nil || !h.Complete {
		t.Fatalf("before BeginEpochs the history is %+v (%v), want a complete one", h, err)
	}
	if err := b.BeginEpochs(t.Context()); err != nil {
		t.Fatal(err)
	}
	if h, err := peer.History(t.Context(), topic, before); err != nil || h.Complete || h.Top.Epoch == before.Epoch {
		t.Errorf("after BeginEpochs the history is %+v (%v), want an incomplete one of another epoch", h, err)
	}
}
