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
)

// queryLog records one query of each shape that a store sends: finds, counts, and the filters
// of updates and deletes.
type queryLog struct {
	mu     sync.Mutex
	shapes map[string]bson.D // one command for explain of each shape
}

func (l *queryLog) monitor() *options.ClientOptions {
	return options.Client().SetMonitor(&event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
		for _, command := range explainable(e) {
			l.mu.Lock()
			l.shapes[shape(command)] = command
			l.mu.Unlock()
		}
	}})
}

// explainable returns commands for explain in place of the one that was sent. An update or
// delete becomes a find, because some servers cannot explain updates and the plan is the same.
func explainable(e *event.CommandStartedEvent) (all []bson.D) {
	var sent bson.D
	if err := bson.Unmarshal(e.Command, &sent); err != nil {
		panic(err)
	}
	field := func(name string) any {
		for _, f := range sent {
			if f.Key == name {
				return f.Value
			}
		}
		return nil
	}
	find := func(filter any) bson.D {
		return bson.D{{Key: "find", Value: field(e.CommandName)}, {Key: "filter", Value: filter}}
	}
	switch e.CommandName {
	case "find", "aggregate":
		var query bson.D
		for _, f := range sent {
			if slices.Contains([]string{"find", "filter", "sort", "limit", "aggregate", "pipeline", "cursor"}, f.Key) {
				query = append(query, f)
			}
		}
		return []bson.D{query}
	case "update", "delete":
		for _, one := range field(e.CommandName + "s").(bson.A) {
			for _, f := range one.(bson.D) {
				if f.Key == "q" {
					all = append(all, find(f.Value))
				}
			}
		}
	case "findAndModify":
		all = append(all, find(field("query")))
	}
	return all
}

// shape returns a command without its values.
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

// small lists the collections that always have only a few documents.
var small = []string{"state", "meta"}

// fill adds documents that match no query to the queried collections, because a server with a
// cost-based planner scans small collections.
func (l *queryLog) fill(t *testing.T, s *opened) {
	t.Helper()
	var all []any
	for i := range 2000 {
		all = append(all, bson.D{{Key: "_id", Value: fmt.Sprint("other ", i)}, {Key: "filler", Value: strings.Repeat("x", 100)}})
	}
	filled := map[string]bool{}
	for _, command := range l.shapes {
		name := fmt.Sprint(command[0].Value)
		if filled[name] {
			continue
		}
		filled[name] = true
		if _, err := s.engine.Database().Collection(name).InsertMany(t.Context(), all); err != nil {
			t.Fatal(err)
		}
	}
}

// A server with a cost-based planner updates its statistics from time to time, and may scan a
// collection until then.
const (
	statisticsTimeout = 150 * time.Second
	explainInterval   = 5 * time.Second
)

// explain fails the test unless all recorded queries use an index.
func (l *queryLog) explain(t *testing.T, s *opened) {
	t.Helper()
	if len(l.shapes) < 50 {
		t.Errorf("the log has %d queries, want at least 50", len(l.shapes))
	}
	l.fill(t, s)
	maps.DeleteFunc(l.shapes, func(_ string, command bson.D) bool {
		return slices.Contains(small, fmt.Sprint(command[0].Value)) || command[0].Value == int32(1)
	})
	ticker := time.NewTicker(explainInterval)
	defer ticker.Stop()
	for end := time.Now().Add(statisticsTimeout); ; <-ticker.C {
		scans := map[string][]string{} // plans that use no index, by shape
		for shape, command := range l.shapes {
			if steps := planOf(t, s, command); len(steps) == 0 || slices.ContainsFunc(steps, isScan) {
				scans[shape] = steps
			}
		}
		if len(scans) == 0 {
			return
		}
		if time.Now().After(end) {
			for shape, steps := range scans {
				t.Errorf("query %s uses no index, its plan is\n%v", shape, steps)
			}
			return
		}
	}
}

// planOf returns the steps of the server's plan of a command.
func planOf(t *testing.T, s *opened, command bson.D) []string {
	t.Helper()
	var plan bson.D
	err := s.engine.Database().RunCommand(t.Context(), bson.D{
		{Key: "explain", Value: command}, {Key: "verbosity", Value: "queryPlanner"},
	}).Decode(&plan)
	if err != nil {
		t.Fatalf("%s: %v", shape(command), err)
	}
	return planSteps(plan)
}

// planSteps returns the steps of a plan that read an index or a collection. They are the
// stages of MongoDB, or the nodes of PostgreSQL with FerretDB.
func planSteps(plan any) (steps []string) {
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
			steps = append(steps, planSteps(f.Value)...)
		}
	case bson.A:
		for _, v := range plan {
			steps = append(steps, planSteps(v)...)
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
