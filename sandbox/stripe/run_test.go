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

// memory is as much of a store as one that sends events needs: time in a bubble
// does not pass while a real one works.
type memory struct {
	market.DocumentStore
	mu   sync.Mutex
	kept map[string]market.Record
}

func (m *memory) put(r market.Record, version int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept[r.Kind+r.ID].Version != version {
		return market.ErrConflict
	}
	m.kept[r.Kind+r.ID] = r
	return nil
}

func (m *memory) AddRecord(_ context.Context, r market.Record, _ []market.Event) error {
	return m.put(r, 0)
}

func (m *memory) SaveRecord(_ context.Context, r market.Record) error { return m.put(r, r.Version-1) }

func (m *memory) Record(_ context.Context, kind, id string) (market.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r, ok := m.kept[kind+id]; ok {
		return r, nil
	}
	return market.Record{}, market.ErrNotFound
}

func (m *memory) RecordsDue(_ context.Context, kind string, now time.Time, _ int) (due []market.Record, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.kept {
		if r.Kind == kind && !r.Due.IsZero() && !r.Due.After(now) {
			due = append(due, r)
		}
	}
	return due, nil
}

func TestRunSendsAtOnceAndPollsFourTimesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept := &memory{kept: map[string]market.Record{}}
		came := make(chan stripe.EventType, 10)
		shop := &shop{t: t, status: func(e stripe.Event) int {
			came <- e.Type
			return 200
		}}
		node := func() *stripesandbox.Sandbox {
			s, err := stripesandbox.New(stripesandbox.Config{
				Records: kept, Clock: market.SystemClock{}, SecretKey: secretKey, PublishableKey: publishableKey,
				WebhookSecret: webhookSecret, Webhook: shop, Log: slog.New(slog.DiscardHandler),
			})
			must(t, err)
			return s
		}
		running, other := node(), node()
		ctx, cancel := context.WithCancel(t.Context())
		go running.Run(ctx)
		synctest.Wait() // it has looked, and waits

		took := func(change func() error) time.Duration {
			began := time.Now()
			must(t, change())
			<-came
			took := time.Since(began)
			synctest.Wait() // it waits again
			return took
		}
		id := ""
		made := func(by *stripesandbox.Sandbox) func() error {
			return func() error {
				i, err := library(by).PaymentIntents.New(order())
				id = i.ID
				return err
			}
		}
		cancelled := func() error {
			_, err := library(running).PaymentIntents.Cancel(id, nil)
			return err
		}
		if took := took(made(running)); took != 0 {
			t.Errorf("news of a new intent took %s", took)
		}
		if took := took(cancelled); took != 0 {
			t.Errorf("news of a change took %s", took)
		}
		if took := took(made(other)); took == 0 || took > 250*time.Millisecond {
			t.Errorf("another node's news took %s", took)
		}
		cancel()
		synctest.Wait()
	})
}
