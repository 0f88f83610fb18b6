package mongo_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/event"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/market"
	"secondring/store/mongo"
)

// sent are the names of the commands that a store sends.
type sent struct {
	mu    sync.Mutex
	names []string
}

func (c *sent) monitor() *options.ClientOptions {
	return options.Client().SetMonitor(&event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.names = append(c.names, e.CommandName)
	}})
}

// take returns those since the last call.
func (c *sent) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	names := c.names
	c.names = nil
	return names
}

func openWatched(t *testing.T) (*mongo.Store, *sent) {
	t.Helper()
	commands := &sent{}
	s, err := mongo.OpenWith(t.Context(), database(t), commands.monitor())
	if err != nil {
		t.Fatal(err)
	}
	s.WaitLong()
	t.Cleanup(func() { _ = s.Close() })
	return s, commands
}

// Counting the backlog, as a scrape of the metrics does, writes nothing, also if a dead
// process has left an unfinished write.
func TestBacklogIsCountedWithoutWrites(t *testing.T) {
	s, commands := openWatched(t)
	if err := s.AddNotice(t.Context(), []string{"session"}, []market.Event{{Entity: "left"}}); err != nil {
		t.Fatal(err)
	}
	commands.take()
	backlog, err := s.Backlog(t.Context(), 1000)
	if err != nil || backlog.Events != 0 {
		t.Errorf("%+v, %v", backlog, err)
	}
	names := commands.take()
	if len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return name != "aggregate" }) {
		t.Errorf("it sent %v", names)
	}
}
