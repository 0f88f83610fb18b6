package mongo_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"secondring/store/mongo"
)

// asked collects what a store asks its server, once of each shape: a find, a
// count, and the filter of each update and delete.
type asked struct {
	mu     sync.Mutex
	shapes map[string]bson.D // a command that explain takes
}

func (a *asked) monitor() *options.ClientOptions {
	return options.Client().SetMonitor(&event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
		for _, command := range commands(e) {
			a.mu.Lock()
			a.shapes[shape(command)] = command
			a.mu.Unlock()
		}
	}})
}

// commands are those that explain takes in place of the one that was sent: not
// every server explains updates, and their filters are found as finds are.
func commands(e *event.CommandStartedEvent) (all []bson.D) {
	var sent bson.D
	if err := bson.Unmarshal(e.Command, &sent); err != nil {
		panic(err)
	}
	is := func(name string) any {
		for _, f := range sent {
			if f.Key == name {
				return f.Value
			}
		}
		return nil
	}
	find := func(filter any) bson.D {
		return bson.D{{Key: "find", Value: is(e.CommandName)}, {Key: "filter", Value: filter}}
	}
	switch e.CommandName {
	case "find", "aggregate":
		var asked bson.D
		for _, f := range sent {
			if slices.Contains([]string{"find", "filter", "sort", "limit", "aggregate", "pipeline", "cursor"}, f.Key) {
				asked = append(asked, f)
			}
		}
		return []bson.D{asked}
	case "update", "delete":
		for _, one := range is(e.CommandName + "s").(bson.A) {
			for _, f := range one.(bson.D) {
				if f.Key == "q" {
					all = append(all, find(f.Value))
				}
			}
		}
	case "findAndModify":
		all = append(all, find(is("query")))
	}
	return all
}

// shape is a command without its values.
func shape(v any) string {
	switch v := v.(type) {
	case bson.D:
		var fields []string
		for _, f := range v {
			text := f.Key + ":"
			if slices.Contains([]string{"find", "aggregate"}, f.Key) {
				text += fmt.Sprint(f.Value)
			} else {
				text += shape(f.Value)
			}
			fields = append(fields, text)
		}
		return "{" + strings.Join(fields, " ") + "}"
	case bson.A:
		if len(v) == 0 {
			return "[]"
		}
		return "[" + shape(v[0]) + "]"
	default:
		return fmt.Sprintf("%T", v)
	}
}

// small are collections of a few documents, which grow with nothing.
var small = []string{"state", "meta"}

// crowd fills the collections that were asked about with documents that no
// question means: a server that plans by cost walks through an empty collection.
func (a *asked) crowd(t *testing.T, s *mongo.Store) {
	t.Helper()
	var all []any
	for i := range 2000 {
		all = append(all, bson.D{{Key: "_id", Value: fmt.Sprint("other ", i)}, {Key: "filler", Value: strings.Repeat("x", 100)}})
	}
	crowded := map[string]bool{}
	for _, command := range a.shapes {
		name := fmt.Sprint(command[0].Value)
		if crowded[name] {
			continue
		}
		crowded[name] = true
		if _, err := s.Database().Collection(name).InsertMany(t.Context(), all); err != nil {
			t.Fatal(err)
		}
	}
}

// A server that plans by cost counts what a collection holds from time to time.
// Until it has counted the crowd it may find the collection too small to mind.
const (
	countedWithin = 150 * time.Second
	lookAgain     = 5 * time.Second
)

// explain fails the test unless all recorded queries use an index.
func (a *asked) explain(t *testing.T, s *mongo.Store) {
	t.Helper()
	if len(a.shapes) < 50 {
		t.Errorf("only %d questions were looked at", len(a.shapes))
	}
	a.crowd(t, s)
	maps.DeleteFunc(a.shapes, func(_ string, command bson.D) bool {
		return slices.Contains(small, fmt.Sprint(command[0].Value)) || command[0].Value == int32(1)
	})
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for end := time.Now().Add(countedWithin); ; <-again.C {
		walked := map[string][]string{} // those without an index
		for shape, command := range a.shapes {
			if steps := planOf(t, s, command); len(steps) == 0 || slices.ContainsFunc(steps, isScan) {
				walked[shape] = steps
			}
		}
		if len(walked) == 0 {
			return
		}
		if time.Now().After(end) {
			for shape, steps := range walked {
				t.Errorf("%s\n%v", shape, steps)
			}
			return
		}
	}
}

// planOf is how the server would find what a command asks for.
func planOf(t *testing.T, s *mongo.Store, command bson.D) []string {
	t.Helper()
	var plan bson.D
	err := s.Database().RunCommand(t.Context(), bson.D{
		{Key: "explain", Value: command}, {Key: "verbosity", Value: "queryPlanner"},
	}).Decode(&plan)
	if err != nil {
		t.Fatalf("%s: %v", shape(command), err)
	}
	return walks(plan)
}

// walks are the plan's steps along an index or a collection: MongoDB calls them
// stages, FerretDB has those of PostgreSQL.
func walks(plan any) (steps []string) {
	switch plan := plan.(type) {
	case bson.D:
		for _, f := range plan {
			switch f.Key {
			case "Index Cond", "indexBounds", "Node Type", "stage", "Index Name", "indexName":
				if step := fmt.Sprint(f.Key, "=", f.Value); !strings.Contains(step, "=Custom") {
					steps = append(steps, step)
				}
			case "rejectedPlans", "IndexCosts":
				continue
			}
			steps = append(steps, walks(f.Value)...)
		}
	case bson.A:
		for _, v := range plan {
			steps = append(steps, walks(v)...)
		}
	}
	return steps
}

// isScan tells whether a step reads a whole collection. PostgreSQL may do so along the
// primary key if the collection is the only condition.
func isScan(step string) bool {
	return strings.Contains(step, "COLLSCAN") || strings.Contains(step, "Seq Scan") ||
		strings.HasPrefix(step, "Index Cond=(shard_key_value") && !strings.Contains(step, "object_id")
}
