package stripe_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v76"

	"secondring/market"
	"secondring/store/sqlite"
)

// shared is a real store. Opening one takes more than a second under the race
// detector, so that the tests have a room each in a single one.
var shared *sqlite.Store

func TestMain(m *testing.M) { os.Exit(withStore(m)) }

func withStore(m *testing.M) int {
	dir, err := os.MkdirTemp("", "sandbox")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if shared, err = sqlite.Open(context.Background(), filepath.Join(dir, "shop.db")); err != nil {
		panic(err)
	}
	defer func() { _ = shared.Close() }()
	return m.Run()
}

// room is one test's part of a store: its kinds of records begin with its name.
type room struct {
	market.DocumentStore
	name string
}

func (r room) AddRecord(ctx context.Context, record market.Record, events []market.Event) error {
	record.Kind = r.name + record.Kind
	return r.DocumentStore.AddRecord(ctx, record, events)
}

func (r room) SaveRecord(ctx context.Context, record market.Record) error {
	record.Kind = r.name + record.Kind
	return r.DocumentStore.SaveRecord(ctx, record)
}

func (r room) Record(ctx context.Context, kind, id string) (market.Record, error) {
	record, err := r.DocumentStore.Record(ctx, r.name+kind, id)
	record.Kind = strings.TrimPrefix(record.Kind, r.name)
	return record, err
}

func (r room) RecordsOf(ctx context.Context, kind string, page market.Page) ([]market.Record, error) {
	records, err := r.DocumentStore.RecordsOf(ctx, r.name+kind, page)
	for i := range records {
		records[i].Kind = kind
	}
	return records, err
}

func (r room) RecordsDue(ctx context.Context, kind string, now time.Time, limit int) ([]market.Record, error) {
	records, err := r.DocumentStore.RecordsDue(ctx, r.name+kind, now, limit)
	for at := range records {
		records[at].Kind = kind
	}
	return records, err
}

func TestStateIsInTheStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.db")
	open := func() *sqlite.Store {
		store, err := sqlite.Open(t.Context(), path)
		must(t, err)
		return store
	}
	store := open()
	e := newEnvWith(t, store)
	made := e.send("POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k")
	e.confirm(&made.intent, "pm_card_authenticationRequired")
	must(t, store.Close())

	store = open()
	e.records = store
	e.restart()
	if a := e.send("POST", "/v1/payment_intents", secretKey, plain(), "Idempotency-Key", "k"); a.body != made.body {
		t.Errorf("the repetition: %d %s", a.status, a.body)
	}
	if a := e.authenticate(&made.intent, "complete"); a.intent.Status != "succeeded" {
		t.Errorf("the step that was under way: %d %s", a.status, a.body)
	}
	e.shop.answers(func(e stripe.Event) int { return 500 })
	e.step()
	e.shop.take()
	must(t, store.Close())

	store = open()
	e.records = store
	e.restart()
	e.shop.answers(nil)
	e.clock.Pass(time.Second)
	e.step()
	got := e.shop.kinds()
	if got != "payment_intent.created payment_intent.requires_action charge.succeeded payment_intent.succeeded" {
		t.Errorf("events %s", got)
	}
	must(t, errors.Join(store.Ping(t.Context()), store.Close()))
}
