package mongo_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/event"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
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
