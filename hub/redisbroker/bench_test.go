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

// benchEvent is of the size that a phone's are.
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

// hearing sends the version of each event.
type versionListener chan int64

func (h versionListener) Event(e hub.Entry) { h <- e.Event.Version }
func (h versionListener) Gap()              {}

// BenchmarkPublish publishes many events at a time, as the relay with a backlog, to a
// number of subscribed nodes. One operation is one event.
func BenchmarkPublish(b *testing.B) {
	for _, nodes := range []int{0, 1, 10} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) { publishing(b, nodes) })
	}
}

func publishing(b *testing.B, nodes int) {
	server := redistest.Start(b)
	var listeners []versionListener
	for range nodes {
		h := make(versionListener, 1<<16)
		listeners = append(listeners, h)
		if _, err := benchBroker(b, server).Subscribe(b.Context(), "brand:1", h); err != nil {
			b.Fatal(err)
		}
	}
	broker := benchBroker(b, server)
	b.ResetTimer()
	const atOnce = 100
	for i := 0; i < b.N; i += atOnce {
		var events []market.Event
		for j := range min(atOnce, b.N-i) {
			events = append(events, benchEvent(i+j+1))
		}
		if err := broker.Publish(context.Background(), events); err != nil {
			b.Fatal(err)
		}
		for _, h := range listeners {
			for range events {
				<-h
			}
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkToAnotherNode is the way of a single event from one node to another.
func BenchmarkToAnotherNode(b *testing.B) {
	server := redistest.Start(b)
	here, there := benchBroker(b, server), benchBroker(b, server)
	h := make(versionListener, 1)
	if _, err := there.Subscribe(b.Context(), "brand:1", h); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for i := range b.N {
		if err := here.Publish(context.Background(), []market.Event{benchEvent(i + 1)}); err != nil {
			b.Fatal(err)
		}
		<-h
	}
}
