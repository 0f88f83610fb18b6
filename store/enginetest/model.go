package enginetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"secondring/market"
	"secondring/store"
)

// model lets concurrent callers make random writes, each of its own documents. They compete for
// unique keys, and are in the same lists. Then every list, its totals, the sums and the events are
// compared with what the callers know.
func model(t *testing.T, open Open) {
	rounds := 3
	if os.Getenv("SOAK") != "" {
		rounds = 30
	}
	for _, name := range []string{"products", "users", "notifications", "bookings", "threads"} {
		t.Run(name, func(t *testing.T) {
			for seed := range rounds {
				s := env{t, open(t)}
				modelRound(s, kind(name), uint64(seed))
				s.ok(s.Close()) // otherwise many engines stay open
			}
		})
	}
}

const modelCallers, modelWrites = 8, 60

// modelCaller makes writes of its own documents, and knows which are stored.
type modelCaller struct {
	engine store.Engine
	kind   *store.Info
	r      *rand.Rand
	stored map[string]store.Write
	gone   []string // IDs
	events map[string][]int64
	refuse int // writes of which a unique key was taken
}

func modelRound(s env, k *store.Info, seed uint64) {
	var all []*modelCaller
	var running sync.WaitGroup
	for i := range modelCallers {
		c := &modelCaller{
			engine: s.Engine, kind: k, r: rand.New(rand.NewPCG(seed, uint64(i))),
			stored: map[string]store.Write{}, events: map[string][]int64{},
		}
		all = append(all, c)
		running.Go(func() {
			for range modelWrites {
				if err := c.step(s.Context()); err != nil {
					s.Error(err)
					return
				}
			}
		})
	}
	running.Wait()
	if s.Failed() {
		s.FailNow()
	}
	var stored []store.Write
	events := map[string][]int64{}
	refused := 0
	for _, c := range all {
		stored = append(stored, slices.Collect(maps.Values(c.stored))...)
		maps.Copy(events, c.events)
		refused += c.refuse
	}
	s.Logf("seed %d: %d documents are stored, %d writes were refused", seed, len(stored), refused)
	slices.SortFunc(stored, func(a, b store.Write) int { return cmp.Compare(placeOf(b), placeOf(a)) })
	s.compareLists(k, stored)
	s.compareSums(k, stored)
	s.compareEvents(events)
}

// modelValues are the values of each key.
var modelValues = []string{"a", "b", "c", ""}

// keys returns random keys. Values of unique keys are of more than there are documents, or of a few.
func (c *modelCaller) keys() store.Keys {
	keys := store.Keys{}
	for _, key := range c.kind.Fields() {
		keys[key] = modelValues[c.r.IntN(len(modelValues))]
	}
	for _, unique := range c.kind.Unique {
		last := unique[len(unique)-1]
		keys[last] = fmt.Sprint(c.r.IntN(modelCallers * modelWrites / 2))
		if c.r.IntN(8) == 0 {
			delete(keys, last)
		}
	}
	if c.kind.Order != "" { // each document has another value
		keys[c.kind.Order] = newID()
	}
	if c.kind.Least != "" {
		keys[c.kind.Least] = int64(c.r.IntN(9))
	}
	for _, key := range c.kind.Many {
		var values []string
		for range c.r.IntN(4) {
			values = append(values, modelValues[c.r.IntN(3)])
		}
		keys[key] = values
	}
	return keys
}

// step makes a random write. It returns an error if the engine returns another result than expected.
func (c *modelCaller) step(ctx context.Context) error {
	ids := slices.Sorted(maps.Keys(c.stored))
	w, want := added(c.kind, newID(), c.keys()), error(nil)
	switch n := c.r.IntN(10); {
	case n < 3 || len(ids) == 0:
	case n < 4 && len(c.gone) > 0:
		i := c.r.IntN(len(c.gone))
		w.ID = c.gone[i]
		w = versioned(w, c.lastVersion(w.ID)+1)
	case n < 7:
		w = replaced(c.stored[ids[c.r.IntN(len(ids))]], c.keys())
	case n < 8:
		w = removed(c.stored[ids[c.r.IntN(len(ids))]])
	case n < 9:
		w = replaced(c.stored[ids[c.r.IntN(len(ids))]], c.keys())
		w.Version, want = w.Version+1, market.ErrConflict
	default:
		id := ids[c.r.IntN(len(ids))]
		w = dropped(c.kind, id)
		w.Version = c.lastVersion(id) + 1
	}
	w = withEvents(w, 1)
	err := c.engine.Write(ctx, w)
	if _, ok := errors.AsType[*store.TakenError](err); ok && want == nil && (w.Op == store.Add || w.Op == store.Replace) {
		c.refuse++
		return nil
	}
	if !errors.Is(err, want) {
		return fmt.Errorf("write %+v: got error %q, want %q", w, fmt.Sprint(err), fmt.Sprint(want))
	}
	if err == nil {
		c.done(w)
	}
	return nil
}

func (c *modelCaller) lastVersion(id string) int64 {
	return c.events[id][len(c.events[id])-1]
}

// done records a write that has succeeded.
func (c *modelCaller) done(w store.Write) {
	c.events[w.ID] = append(c.events[w.ID], w.Version)
	c.gone = slices.DeleteFunc(c.gone, func(id string) bool { return id == w.ID })
	if w.Op == store.Add || w.Op == store.Replace {
		c.stored[w.ID] = w
		return
	}
	delete(c.stored, w.ID)
	c.gone = append(c.gone, w.ID)
}

// compareLists compares every list of a kind with the documents that are stored, the newest first.
func (s env) compareLists(k *store.Info, stored []store.Write) {
	s.Helper()
	s.wantBothWays(k, nil, stored...)
	for _, key := range k.Many {
		for _, value := range modelValues[:3] {
			s.wantBothWays(k, store.Keys{key: value}, matching(stored, store.Keys{key: value})...)
		}
	}
	for _, keys := range k.Lists {
		for _, value := range modelValues[:3] {
			where := store.Keys{}
			for _, key := range keys {
				where[key] = value
				if key == k.Least {
					where[key] = int64(4)
				}
			}
			s.wantBothWays(k, where, matching(stored, where)...)
		}
	}
	for _, unique := range k.Unique {
		owners := map[string]string{}
		for _, w := range stored {
			name, complete := "", true
			for _, key := range unique {
				value, _ := w.Keys[key].(string)
				name, complete = name+value+" ", complete && value != ""
			}
			if other := owners[name]; complete && other != "" {
				s.Errorf("the unique key %v is %s of %s and of %s", unique, name, w.ID, other)
			}
			owners[name] = w.ID
		}
	}
}

// matching returns the writes of documents with these keys.
func matching(stored []store.Write, where store.Keys) (all []store.Write) {
	for _, w := range stored {
		matches := true
		for key, want := range where {
			if values, ok := w.Keys[key].([]string); ok {
				matches = matches && slices.Contains(values, want.(string))
			} else {
				matches = matches && w.Keys[key] == want
			}
		}
		if matches {
			all = append(all, w)
		}
	}
	return all
}

func (s env) compareSums(k *store.Info, stored []store.Write) {
	s.Helper()
	if k.SumBy == "" {
		return
	}
	var want []store.Sum
	for _, value := range modelValues[:3] {
		sum := store.Sum{Value: value}
		for _, w := range matching(stored, store.Keys{k.SumBy: value}) {
			if price := w.Keys[k.Least].(int64); sum.Count == 0 || price < sum.Least {
				sum.Least = price
			}
			sum.Count++
		}
		if sum.Count > 0 {
			want = append(want, sum)
		}
	}
	got := get[[]store.Sum](s)(s.Sums(s.Context(), k))
	slices.SortFunc(got, func(a, b store.Sum) int { return cmp.Compare(a.Value, b.Value) })
	s.equal(got, want)
}

// compareEvents compares the outbox with the versions of each document whose writes have succeeded.
func (s env) compareEvents(want map[string][]int64) {
	s.Helper()
	got := map[string][]int64{}
	for _, e := range get[[]market.Event](s)(s.PendingEvents(s.Context(), 1_000_000)) {
		got[e.Entity] = append(got[e.Entity], e.Version)
	}
	s.equal(got, want)
}
