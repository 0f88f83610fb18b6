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
	"secondring/store"
	"secondring/store/sqlite/sqlitetest"
)

// shared is the store of all tests, each of which has its own namespace. Opening a store
// takes more than a second with the race detector.
var shared *store.Store

func TestMain(m *testing.M) { os.Exit(withStore(m)) }

func withStore(m *testing.M) int {
	dir, err := os.MkdirTemp("", "sandbox")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if shared, err = sqlitetest.Open(context.Background(), filepath.Join(dir, "shop.db")); err != nil {
		panic(err)
	}
	defer func() { _ = shared.Close() }()
	return m.Run()
}

// namespace is one test's part of a store. The kinds of its records begin with its name.
type namespace struct {
	market.DocumentStore
	name string
}

func (n namespace) AddRecord(ctx context.Context, record market.Record, effects []market.Effect) error {
	record.Kind = n.name + record.Kind
	return n.DocumentStore.AddRecord(ctx, record, effects)
}

func (n namespace) SaveRecord(ctx context.Context, record market.Record) error {
	record.Kind = n.name + record.Kind
	return n.DocumentStore.SaveRecord(ctx, record)
}

func (n namespace) Record(ctx context.Context, kind, id string) (market.Record, error) {
	record, err := n.DocumentStore.Record(ctx, n.name+kind, id)
	record.Kind = strings.TrimPrefix(record.Kind, n.name)
	return record, err
}

func (n namespace) RecordsOf(ctx context.Context, kind string, page market.Page) ([]market.Record, error) {
	records, err := n.DocumentStore.RecordsOf(ctx, n.name+kind, page)
	for i := range records {
		records[i].Kind = kind
	}
	return records, err
}

func (n namespace) RecordsDue(ctx context.Context, kind string, now time.Time, limit int) ([]market.Record, error) {
	records, err := n.DocumentStore.RecordsDue(ctx, n.name+kind, now, limit)
	for i := range records {
		records[i].Kind = kind
	}
	return records, err
}

func TestStateIsInTheStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shop.db")
	open := func() *store.Store {
		opened, err := sqlitetest.Open(t.Context(), path)
		must(t, err)
		return opened
	}
	db := open()
	e := newEnvWith(t, db)
	created := e.createIntent("k")
	e.confirm(&created.intent, "pm_card_authenticationRequired")
	must(t, db.Close())

	db = open()
	e.records = db
	e.restart()
	if a := e.createIntent("k"); a.body != created.body {
		t.Errorf("the repeated request: %d %s", a.status, a.body)
	}
	if a := e.authenticate(&created.intent, "complete"); a.intent.Status != "succeeded" {
		t.Errorf("the authentication after a restart: %d %s", a.status, a.body)
	}
	e.shop.setStatus(func(e stripe.Event) int { return 500 })
	e.step()
	e.shop.take()
	must(t, db.Close())

	db = open()
	e.records = db
	e.restart()
	e.shop.setStatus(nil)
	e.clock.Pass(time.Second)
	e.step()
	got := e.shop.eventTypes()
	if got != "payment_intent.created payment_intent.requires_action charge.succeeded payment_intent.succeeded" {
		t.Errorf("the events are %q", got)
	}
	must(t, errors.Join(db.Ping(t.Context()), db.Close()))
}
