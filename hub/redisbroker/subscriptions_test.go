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
	listeners := map[*recorder]hub.Broker{}
	for i := range 100 {
		r, b := &recorder{}, nodes[i%2]
		if _, err := b.Subscribe(t.Context(), topic, r); err != nil {
			t.Fatal(err)
		}
		listeners[r] = b
	}
	counts, ok := s.Do(t, "PUBSUB", "SHARDNUMSUB", channels(t, s)[0]).([]any)
	if !ok || counts[1] != int64(2) {
		t.Errorf("the subscriptions are %v, want one for each of two nodes", counts)
	}
	for r, b := range listeners {
		if err := b.Unsubscribe(t.Context(), topic, r); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "no subscription is left", func() bool { return len(channels(t, s)) == 0 })
}

// While other listeners subscribe and unsubscribe, each listener gets the event that is published after its
// Subscribe. In the end no topic is subscribed.
func TestSubscribersMissNothingDuringReconnects(t *testing.T) {
	const listeners, rounds, topics = 16, 60, 5
	s := redistest.Start(t)
	b := open(t, s, hub.HistoryLimits{})
	var wg sync.WaitGroup
	for p := range listeners {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(p)))
			for i := range rounds {
				if err := subscribeAndPublish(t, b, fmt.Sprint("brand:", r.IntN(topics)), fmt.Sprint(p, "-", i)); err != nil {
					t.Errorf("listener %d, round %d: %v", p, i, err)
					return
				}
			}
		})
	}
	wg.Wait()
	eventually(t, "no subscription is left", func() bool { return len(channels(t, s)) == 0 })
}

// subscribeAndPublish subscribes, publishes, waits for the event and unsubscribes.
func subscribeAndPublish(t *testing.T, b hub.Broker, topic, entity string) error {
	l := &entityListener{entity: entity, received: make(chan struct{})}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := b.Subscribe(ctx, topic, l); err != nil {
		return err
	}
	if err := b.Publish(ctx, []market.Event{brokertest.Event(topic, entity, 1)}); err != nil {
		return err
	}
	select {
	case <-l.received:
	case <-ctx.Done():
		return ctx.Err()
	}
	return b.Unsubscribe(ctx, topic, l)
}

// entityListener is a listener that waits for an event of one entity.
type entityListener struct {
	entity   string
	once     sync.Once
	received chan struct{}
}

func (l *entityListener) Event(e hub.Entry) {
	if e.Event.Entity == l.entity {
		l.once.Do(func() { close(l.received) })
	}
}

func (l *entityListener) Gap() {}
