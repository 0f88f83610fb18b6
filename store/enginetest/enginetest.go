// Package enginetest is the test suite for every implementation of store.Engine.
//
// Run tests the promises in the comments of store/engine.go with the kinds of store.Kinds, but with
// documents that no entity is like: write.go tests writes, needs.go the documents that a write
// needs, races.go concurrent writes, follow.go the documents that follow from a write, outbox.go
// events, lists.go reads, and model.go compares random writes of concurrent callers with a model in
// memory. Package storetest tests the rules that stand above the engines.
package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"secondring/market"
	"secondring/store"
)

// Open returns an empty engine for one test, and registers a cleanup that closes it when the test
// ends. The test may close it earlier.
type Open func(t *testing.T) store.Engine

// Run runs the suite.
func Run(t *testing.T, open Open) {
	t.Run("Write", func(t *testing.T) { run(t, open, writeCases) })
	t.Run("Kinds", func(t *testing.T) { eachKind(t, open) })
	t.Run("Needs", func(t *testing.T) { run(t, open, needsCases) })
	t.Run("Races", func(t *testing.T) { run(t, open, raceCases) })
	t.Run("Follow", func(t *testing.T) { run(t, open, followCases) })
	t.Run("Outbox", func(t *testing.T) { run(t, open, outboxCases) })
	t.Run("Lists", func(t *testing.T) { run(t, open, listCases) })
	t.Run("Due", func(t *testing.T) { run(t, open, dueCases) })
	t.Run("Each", func(t *testing.T) { run(t, open, everyCases) })
	t.Run("General", func(t *testing.T) { run(t, open, generalCases) })
	t.Run("Model", func(t *testing.T) { model(t, open) })
}

// cases has the test cases by the promise that they test.
type cases map[string]func(s env)

func run(t *testing.T, open Open, all cases) {
	for name, check := range all {
		t.Run(name, func(t *testing.T) { check(env{t, open(t)}) })
	}
}

// env is an engine under test with helpers for the cases.
type env struct {
	*testing.T
	store.Engine
}

// ok fails the test, and ends it, if err is not nil.
func (s env) ok(err error) {
	s.Helper()
	if err != nil {
		s.Fatalf("unexpected error: %v", err)
	}
}

// wantError fails the test unless err is want, as errors.Is compares them.
func (s env) wantError(err, want error) {
	s.Helper()
	if !errors.Is(err, want) {
		s.Fatalf("got error %v, want %v", err, want)
	}
}

// wantTaken fails the test unless err says that this unique key is taken.
func (s env) wantTaken(err error, unique []string) {
	s.Helper()
	taken, ok := errors.AsType[*store.TakenError](err)
	if !ok || !errors.Is(err, market.ErrExists) {
		s.Fatalf("got error %v, want that the unique key %v is taken", err, unique)
	}
	s.equal(taken.Unique, unique)
}

// get returns the result of a call that must not fail: get[store.Found](s)(s.Find(ctx, kind, f)).
func get[T any](s env) func(T, error) T {
	return func(v T, err error) T {
		s.Helper()
		s.ok(err)
		return v
	}
}

// equal fails the test unless the values are equal. An empty slice equals nil.
func (s env) equal(got, want any) {
	s.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		s.Fatalf("(-want +got)\n%s", diff)
	}
}

// noon is the time of all events of the suite.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var ids atomic.Int64

// newID returns increasing IDs, as market.NewID does over time.
func newID() string { return fmt.Sprintf("%024x", ids.Add(1)) }

// kind returns the kind with a name.
func kind(name string) *store.Info {
	return store.Kinds()[slices.IndexFunc(store.Kinds(), func(k *store.Info) bool { return k.Name == name })]
}

// added returns a write that adds a document.
func added(k *store.Info, id string, keys store.Keys) store.Write {
	return versioned(store.Write{Op: store.Add, Kind: k, Doc: store.Doc{ID: id}, Keys: keys}, 1)
}

// versioned returns the write with a version and a body that contains it.
func versioned(w store.Write, version int64) store.Write {
	w.Version, w.Body = version, fmt.Appendf(nil, `{"Text":"%s in version %d"}`, w.ID, version)
	return w
}

// replaced returns a write of the next version of a document.
func replaced(w store.Write, keys store.Keys) store.Write {
	w.Op, w.Keys, w.Events, w.Follow, w.Needs = store.Replace, keys, nil, nil, nil
	return versioned(w, w.Version+1)
}

// removed returns a write that removes a document.
func removed(w store.Write) store.Write {
	w = replaced(w, w.Keys)
	w.Op, w.Body = store.Remove, nil
	return w
}

// dropped returns a write that drops a document.
func dropped(k *store.Info, id string) store.Write {
	return store.Write{Op: store.Drop, Kind: k, Doc: store.Doc{ID: id}}
}

// write makes a write that must succeed, and returns it.
func (s env) write(w store.Write) store.Write {
	s.Helper()
	s.ok(s.Write(s.Context(), w))
	return w
}

// add adds a new document.
func (s env) add(k *store.Info, keys store.Keys) store.Write {
	s.Helper()
	return s.write(added(k, newID(), keys))
}

// wantStored fails the test unless the documents of these writes are stored, as they are there.
func (s env) wantStored(writes ...store.Write) {
	s.Helper()
	for _, w := range writes {
		s.equal(get[[]store.Doc](s)(s.Get(s.Context(), w.Kind, w.ID)), []store.Doc{w.Doc})
	}
}

// wantGone fails the test unless there is no document with the ID.
func (s env) wantGone(k *store.Info, id string) {
	s.Helper()
	s.equal(get[[]store.Doc](s)(s.Get(s.Context(), k, id)), []store.Doc{})
}

// wantList fails the test unless a list has the documents of these writes, the newest first, and
// its total is right.
func (s env) wantList(k *store.Info, where store.Keys, writes ...store.Write) {
	s.Helper()
	found := get[store.Found](s)(s.Find(s.Context(), k, store.Find{Where: where, Limit: 100, CountTo: store.CountAll}))
	s.equal(found, store.Found{Docs: docsOf(writes...), Total: len(writes)})
	total := get[store.Found](s)(s.Find(s.Context(), k, store.Find{Where: where, CountTo: store.CountAll}))
	s.equal(total, store.Found{Total: len(writes)})
}

func docsOf(writes ...store.Write) (docs []store.Doc) {
	for _, w := range writes {
		docs = append(docs, w.Doc)
	}
	return docs
}

// event returns an event of a version of an entity.
func event(entity string, version int64) market.Event {
	return market.Event{
		Topic: market.TopicAdvertised, Type: market.TypeAdvertisedChanged, At: noon, Entity: entity,
		Version: version, Data: fmt.Appendf(nil, `{"_id":%q,"version":%d}`, entity, version),
	}
}

// withEvents returns the write with events of its document.
func withEvents(w store.Write, n int) store.Write {
	for i := range n {
		e := event(w.ID, w.Version)
		e.Topic = fmt.Sprint(e.Topic, i)
		w.Events = append(w.Events, e)
	}
	return w
}

// wantEvents fails the test unless the outbox has exactly the events of these writes, in order,
// and empties it.
func (s env) wantEvents(writes ...store.Write) {
	s.Helper()
	var want []market.Event
	for _, w := range writes {
		want = append(want, w.Events...)
	}
	pending := get[[]market.Event](s)(s.PendingEvents(s.Context(), 1000))
	s.equal(withoutSeq(pending), want)
	s.ok(s.EventsPublished(s.Context(), pending))
}

func withoutSeq(events []market.Event) []market.Event {
	plain := slices.Clone(events)
	for i := range plain {
		plain[i].Seq = 0
	}
	return plain
}

// generalCases test contexts, Ping and Close.
var generalCases = cases{
	"Ping succeeds": func(s env) { s.ok(s.Ping(s.Context())) },
	"a call with a cancelled context does nothing": func(s env) {
		w := withEvents(added(kind("records"), newID(), nil), 1)
		ctx, cancel := context.WithCancel(s.Context())
		cancel()
		s.wantError(s.Write(ctx, w), context.Canceled)
		_, err := s.Get(ctx, w.Kind, w.ID)
		s.wantError(err, context.Canceled)
		s.wantGone(w.Kind, w.ID)
		s.wantEvents()
	},
	"calls after Close fail": func(s env) {
		w := s.add(kind("records"), nil)
		s.ok(s.Close())
		s.ok(s.Close())
		_, read := s.Get(s.Context(), w.Kind, w.ID)
		_, list := s.Find(s.Context(), w.Kind, store.Find{Limit: 1})
		_, pending := s.PendingEvents(s.Context(), 1)
		for call, err := range map[string]error{
			"Ping": s.Ping(s.Context()), "Get": read, "Find": list, "PendingEvents": pending, "Write": s.Write(s.Context(), replaced(w, nil)),
			"Each": s.Each(s.Context(), func(*store.Info, []store.Doc) error { return nil }),
		} {
			if err == nil || errors.Is(err, market.ErrNotFound) || errors.Is(err, market.ErrConflict) {
				s.Errorf("%s after Close returns %v", call, err)
			}
		}
	},
}
