package redisbroker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"secondring/hub"
	"secondring/hub/redisbroker"
	"secondring/hub/redisbroker/redistest"
	"secondring/market"
)

// benchEvent returns an event with the size of a phone's event.
func benchEvent(version int) market.Event {
	pad := json.RawMessage(fmt.Sprintf(`{"pad":%q}`, strings.Repeat("x", 600)))
	return market.Event{Topic: "brand:1", Type: market.TypeProductChanged, Entity: "p", Version: int64(version), Data: pad}
}

func benchBroker(b *testing.B, s *redistest.Server) *redisbroker.Broker {
	b.Helper()
	broker, err := redisbroker.New(redisbroker.Options{URL: s.URL, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = broker.Close() })
	return broker
}

// versionListener receives the version of each event.
type versionListener chan int64

func (l versionListener) Event(e hub.Entry) { l <- e.Event.Version }
func (l versionListener) Gap()              {}

// BenchmarkPublish publishes batches of events, as the relay does with a backlog, to a number of
// subscribed nodes. One operation is one event.
func BenchmarkPublish(b *testing.B) {
	for _, nodes := range []int{0, 1, 10} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) { benchPublish(b, nodes) })
	}
}

func benchPublish(b *testing.B, nodes int) {
	server := redistest.Start(b)
	var listeners []versionListener
	for range nodes {
		l := make(versionListener, 1<<16)
		listeners = append(listeners, l)
		if _, err := benchBroker(b, server).Subscribe(b.Context(), "brand:1", l); err != nil {
			b.Fatal(err)
		}
	}
	broker := benchBroker(b, server)
	b.ResetTimer()
	const batch = 100
	for i := 0; i < b.N; i += batch {
		var events []market.Event
		for j := range min(batch, b.N-i) {
			events = append(events, benchEvent(i+j+1))
		}
		if err := broker.Publish(context.Background(), events); err != nil {
			b.Fatal(err)
		}
		for _, l := range listeners {
			for range events {
				<-l
			}
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkToAnotherNode publishes one event at a time and waits for it on another node.
func BenchmarkToAnotherNode(b *testing.B) {
	server := redistest.Start(b)
	publisher, subscriber := benchBroker(b, server), benchBroker(b, server)
	l := make(versionListener, 1)
	if _, err := subscriber.Subscribe(b.Context(), "brand:1", l); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for i := range b.N {
		if err := publisher.Publish(context.Background(), []market.Event{benchEvent(i + 1)}); err != nil {
			b.Fatal(err)
		}
		<-l
	}
}
