package sqlite

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"secondring/market"
)

// FuzzUnbundle reads any bundle: what can be read is written so that the same can
// be read of it, and never takes more than a few times its bytes.
func FuzzUnbundle(f *testing.F) {
	at := time.UnixMilli(1_700_000_000_000).UTC()
	events := []market.Event{
		{Topic: "brand:1", Type: "product.added", Entity: "p1", Version: 1, At: at, Data: []byte(`{"_id":"p1"}`)},
		{Topic: "me:u1", Type: "product.added", Entity: "p1", Version: 1, At: at, Data: []byte(`{"_id":"p1"}`)},
		{Topic: "control", Type: "session.ended"},
	}
	whole := appendEvents(nil, events)
	f.Add(whole)
	f.Add(append([]byte{gone, gone}, whole...))
	f.Add(whole[:len(whole)/2])
	f.Add([]byte{here, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Add([]byte{same, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, bundle []byte) {
		events, err := unbundle(1, bundle)
		if err != nil {
			return
		}
		again, err := unbundle(1, appendEvents(bytes.Repeat([]byte{gone}, first(events)), events))
		if err != nil || len(again) != len(events) {
			t.Fatalf("% x: %d events, again %d, %v", bundle, len(events), len(again), err)
		}
		for i := range events {
			events[i].Seq, again[i].Seq = 0, 0 // those between may be gone
		}
		if diff := cmp.Diff(events, again); diff != "" {
			t.Errorf("% x: %s", bundle, diff)
		}
	})
}

// first is how many are gone before the first event.
func first(events []market.Event) int {
	if len(events) == 0 {
		return 0
	}
	return int(events[0].Seq & (1<<bundlePlaces - 1))
}
