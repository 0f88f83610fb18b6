package stripe_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stripe/stripe-go/v76"

	"secondring/market"
	stripesandbox "secondring/sandbox/stripe"
)

// memory is a store in memory with the methods that the delivery of events needs. A real
// store does not work in a synctest bubble, where time passes only while all goroutines wait.
type memory struct {
	market.DocumentStore
	mu      sync.Mutex
	records map[string]market.Record
}

func (m *memory) put(r market.Record, version int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.records[r.Kind+r.ID].Version != version {
		return market.ErrConflict
	}
	m.records[r.Kind+r.ID] = r
	return nil
}

func (m *memory) AddRecord(_ context.Context, r market.Record, _ []market.Effect) error {
	return m.put(r, 0)
}

func (m *memory) SaveRecord(_ context.Context, r market.Record) error { return m.put(r, r.Version-1) }

func (m *memory) Record(_ context.Context, kind, id string) (market.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r, ok := m.records[kind+id]; ok {
		return r, nil
	}
	return market.Record{}, market.ErrNotFound
}

func (m *memory) RecordsDue(_ context.Context, kind string, now time.Time, _ int) (due []market.Record, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.records {
		if r.Kind == kind && !r.Due.IsZero() && !r.Due.After(now) {
			due = append(due, r)
		}
	}
	return due, nil
}

func TestRunSendsAtOnceAndPollsFourTimesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &memory{records: map[string]market.Record{}}
		received := make(chan stripe.EventType, 10)
		shop := &shop{t: t, status: func(e stripe.Event) int {
			received <- e.Type
			return 200
		}}
		node := func() *stripesandbox.Sandbox {
			s, err := stripesandbox.New(stripesandbox.Config{
				Records: store, Clock: market.SystemClock{}, SecretKey: secretKey, PublishableKey: publishableKey,
				WebhookSecret: webhookSecret, Webhook: shop, Log: slog.New(slog.DiscardHandler),
			})
			must(t, err)
			return s
		}
		running, other := node(), node()
		ctx, cancel := context.WithCancel(t.Context())
		go running.Run(ctx)
		synctest.Wait() // until it has checked once

		// delay returns the time between a change and its event.
		delay := func(change func() error) time.Duration {
			start := time.Now()
			must(t, change())
			<-received
			elapsed := time.Since(start)
			synctest.Wait()
			return elapsed
		}
		id := ""
		create := func(node *stripesandbox.Sandbox) func() error {
			return func() error {
				i, err := library(node).PaymentIntents.New(intentParams())
				id = i.ID
				return err
			}
		}
		cancelIntent := func() error {
			_, err := library(running).PaymentIntents.Cancel(id, nil)
			return err
		}
		if d := delay(create(running)); d != 0 {
			t.Errorf("the event of a new intent was sent after %s, want at once", d)
		}
		if d := delay(cancelIntent); d != 0 {
			t.Errorf("the event of a change was sent after %s, want at once", d)
		}
		if d := delay(create(other)); d == 0 || d > 250*time.Millisecond {
			t.Errorf("the event of another node was sent after %s, want at most 250ms", d)
		}
		cancel()
		synctest.Wait()
	})
}
