package redisbroker_test

import (
	"testing"

	"secondring/hub/redisbroker"
	"secondring/hub/redisbroker/redistest"
	"secondring/market"
)

// A history of events of other content is dropped, also if the first content comes back.
func TestOtherContentDropsHistories(t *testing.T) {
	s := redistest.Start(t)
	last := ""
	for _, content := range []string{"shown", "after-payment", "shown"} {
		b, err := redisbroker.New(redisbroker.Options{URL: s.URL, Content: content})
		if err != nil {
			t.Fatal(err)
		}
		before, err := b.Subscribe(t.Context(), topic, &recorder{})
		if err == nil {
			err = b.Publish(t.Context(), []market.Event{{Topic: topic, Entity: content + last, Version: 1}})
		}
		if err != nil {
			t.Fatal(err)
		}
		if before.Epoch == last || before.Offset != 0 {
			t.Errorf("%s begins at %+v, want a new epoch", content, before)
		}
		if h, err := b.History(t.Context(), topic, before); err != nil || !h.Complete || len(h.Entries) != 1 {
			t.Errorf("with %s the history is %+v (%v), want its own event", content, h, err)
		}
		last = before.Epoch
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
