package redisbroker_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"secondring/hub"
	"secondring/hub/brokertest"
	"secondring/hub/redisbroker/redistest"
	"secondring/market"
)

func TestOneSubscriptionPerTopicAndNode(t *testing.T) {
	s := redistest.Start(t)
	nodes := []hub.Broker{open(t, s, hub.HistoryLimits{}), open(t, s, hub.HistoryLimits{})}
	ears := map[*ear]hub.Broker{}
	for i := range 100 {
		e, b := &ear{}, nodes[i%2]
		if _, err := b.Subscribe(t.Context(), topic, e); err != nil {
			t.Fatal(err)
		}
		ears[e] = b
	}
	counts, ok := s.Do(t, "PUBSUB", "SHARDNUMSUB", channels(t, s)[0]).([]any)
	if !ok || counts[1] != int64(2) {
		t.Errorf("Redis has %v, want one subscription for each of two nodes", counts)
	}
	for e, b := range ears {
		if err := b.Unsubscribe(t.Context(), topic, e); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "none is left", func() bool { return len(channels(t, s)) == 0 })
}

// Through all subscriptions, unsubscriptions and lost connections a listener gets what
// is published after it joined, and in the end only wanted topics are subscribed.
func TestSubscribersMissNothingDuringReconnects(t *testing.T) {
	const people, rounds, topics = 16, 60, 5
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	var wg sync.WaitGroup
	for p := range people {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(p)))
			for i := range rounds {
				if err := comeAndGo(t, b, fmt.Sprint("brand:", r.IntN(topics)), fmt.Sprint(p, "-", i)); err != nil {
					t.Errorf("%d, round %d: %v", p, i, err)
					return
				}
			}
		})
	}
	wg.Wait()
	eventually(t, "nothing is subscribed any more", func() bool { return len(channels(t, s)) == 0 })
}

// comeAndGo subscribes, publishes, waits for the event and unsubscribes.
func comeAndGo(t *testing.T, b hub.Broker, topic, entity string) error {
	e := &awaiting{entity: entity, heard: make(chan struct{})}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := b.Subscribe(ctx, topic, e); err != nil {
		return err
	}
	if err := b.Publish(ctx, []market.Event{brokertest.Event(topic, entity, 1)}); err != nil {
		return err
	}
	select {
	case <-e.heard:
	case <-ctx.Done():
		return ctx.Err()
	}
	return b.Unsubscribe(ctx, topic, e)
}

// awaiting is a listener for one entity's event.
type awaiting struct {
	entity string
	once   sync.Once
	heard  chan struct{}
}

func (a *awaiting) Event(e hub.Entry) {
	if e.Event.Entity == a.entity {
		a.once.Do(func() { close(a.heard) })
	}
}

func (a *awaiting) Gap() {}
