package hub

import (
	"bytes"
	"testing"
)

func TestUnseenEvents(t *testing.T) {
	b := newBatch([]item{
		{seq: 11, at: at("a", 4), json: []byte(`{"n":4}`)},
		{seq: 12, at: at("a", 5), json: []byte(`{"n":5}`)},
		{seq: 13, at: at("a", 6), json: []byte(`{"n":6}`)},
	})
	for name, tc := range map[string]struct {
		afterSeq uint64
		after    Position
		want     string // the events in the frame; "" means no frame
	}{
		"subscribed before all events":                {10, Position{}, `[{"n":4},{"n":5},{"n":6}]`},
		"subscribed between the events":               {12, Position{}, `[{"n":6}]`},
		"subscribed after all events":                 {13, Position{}, ``},
		"the replay had some":                         {10, at("a", 5), `[{"n":6}]`},
		"the replay had all":                          {10, at("a", 6), ``},
		"the replay had more":                         {10, at("a", 60), ``},
		"subscribed between, and the replay had some": {11, at("a", 5), `[{"n":6}]`},
		"a replay of another epoch":                   {11, at("b", 60), `[{"n":5},{"n":6}]`},
		"the replay ended before all":                 {10, at("a", 3), `[{"n":4},{"n":5},{"n":6}]`},
		"the replay ended where it subscribed":        {11, at("a", 4), `[{"n":5},{"n":6}]`},
	} {
		t.Run(name, func(t *testing.T) {
			s := &subscription{afterSeq: tc.afterSeq, after: tc.after}
			got := s.unseen(b)
			switch {
			case tc.want == "" && got != nil:
				t.Errorf("got %s", got.frame)
			case tc.want != "" && (got == nil || !bytes.Contains(got.frame, []byte(tc.want))):
				t.Errorf("got %+v, want %s", got, tc.want)
			}
		})
	}
}

// A flusher may still have a subscription that has just ended.
func TestNothingIsDeliveredAfterUnsubscribe(t *testing.T) {
	b := newBatch([]item{{seq: 1, at: at("a", 1), json: []byte(`{}`)}})
	s := &subscription{conn: &conn{}, ended: true} // a write would panic
	if s.deliver(b) {
		t.Error("the batch was delivered")
	}
}

func TestBatchesAreBounded(t *testing.T) {
	half := bytes.Repeat([]byte("x"), maxBatchBytes/2)
	items := []item{
		{seq: 1, json: half},
		{seq: 2, json: half},
		{seq: 3, json: half},
		{seq: 4, at: at("b", 9)}, // the sign that events were lost
		{seq: 5, json: bytes.Repeat(half, 3)},
		{seq: 6, json: []byte("x")},
	}
	var got []int
	for len(items) > 0 {
		var b *batch
		b, items = nextBatch("brand:b1", items)
		got = append(got, b.events())
		if b.items[0].seq == 4 {
			want := string(serverFrame{Subscribed: map[string]string{"brand:b1": "b:9"}}.encode()) +
				string(serverFrame{Resync: []string{"brand:b1"}}.encode())
			if string(b.frame) != want {
				t.Errorf("got %q, want %q", b.frame, want)
			}
		}
	}
	if want := []int{2, 1, 0, 1, 1}; len(got) != len(want) || got[0] != 2 || got[1] != 1 || got[2] != 0 || got[3] != 1 {
		t.Errorf("events per frame: %v, want %v", got, want)
	}
}

func TestOverflowingTopicIsReset(t *testing.T) {
	h := &Hub{}
	topic := &topic{hub: h, flushing: true, subs: []*subscription{{}}} // but no flusher runs
	e := item{at: at("a", 1), json: make([]byte, maxTopicBytes/2)}
	for range 3 {
		e.at = e.at.Next()
		topic.add(e)
	}
	if len(topic.pending) != 1 || topic.pending[0].json != nil || topic.pending[0].at != e.at || h.Stats().Overflows != 1 {
		t.Errorf("the topic has %d pending items and the position %v, want only a sign of lost events", len(topic.pending), topic.at)
	}
}
