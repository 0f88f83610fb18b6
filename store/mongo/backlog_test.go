package mongo_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/event"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
)

// commandLog records the names of the commands that a store sends.
type commandLog struct {
	mu    sync.Mutex
	names []string
}

func (c *commandLog) monitor() *options.ClientOptions {
	return options.Client().SetMonitor(&event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.names = append(c.names, e.CommandName)
	}})
}

// take returns the names since the last call.
func (c *commandLog) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	names := c.names
	c.names = nil
	return names
}

func openLogged(t *testing.T) (*opened, *commandLog) {
	t.Helper()
	commands := &commandLog{}
	s, err := openWith(t.Context(), database(t), commands.monitor())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, commands
}

// Backlog, which a scrape of the metrics calls, writes nothing, even if a dead process has left
// followers.
func TestBacklogIsCountedWithoutWrites(t *testing.T) {
	s, commands := openLogged(t)
	if err := s.engine.AddUnfollowed(t.Context(), reportWithRecord()); err != nil {
		t.Fatal(err)
	}
	commands.take()
	if _, err := s.Backlog(t.Context(), 1000); err != nil {
		t.Error(err)
	}
	names := commands.take()
	if len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return name != "aggregate" }) {
		t.Errorf("Backlog sent the commands %v, want only aggregate", names)
	}
}

// A page of two hundred phones, and their events, are read without a getMore. For each of those FerretDB
// opens a connection to PostgreSQL, and one stays open if the client is cut off in between.
func TestReadsAreOneCommand(t *testing.T) {
	s, commands := openLogged(t)
	const n = 200
	must(t, s.AddBrand(t.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1}))
	for i := range n {
		p := market.Product{ID: fmt.Sprintf("%03d", i), BrandID: "b", SellerUID: "s", Version: 1}
		must(t, s.AddProduct(t.Context(), p, []market.Effect{market.Event{Topic: "t", Entity: p.ID, Version: 1}}))
	}
	commands.take()
	list, err := s.ProductsOfBrand(t.Context(), "b", market.Page{Limit: n - 1})
	if err != nil || len(list.Items) != n-1 {
		t.Errorf("the page has %d phones (%v), want %d", len(list.Items), err, n-1)
	}
	events, err := s.PendingEvents(t.Context(), n)
	if err != nil || len(events) != n {
		t.Errorf("%d events are pending (%v), want %d", len(events), err, n)
	}
	if names := commands.take(); slices.Contains(names, "getMore") {
		t.Errorf("the reads sent the commands %v, want no getMore", names)
	}
}
