package hub

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"

	"secondring/market"
)

// scriptedBroker is a broker with prepared results.
type scriptedBroker struct {
	Broker
	at        Position
	early     []Entry // delivered before Subscribe returns
	histories []func(since Position) (History, error)
	during    func() // called while the first history is being read
}

func (b *scriptedBroker) Subscribe(_ context.Context, _ string, l Listener) (Position, error) {
	for _, e := range b.early {
		l.Event(e)
	}
	return b.at, nil
}

func (b *scriptedBroker) Unsubscribe(context.Context, string, Listener) error { return nil }

func (b *scriptedBroker) History(_ context.Context, _ string, since Position) (History, error) {
	if b.during != nil {
		b.during()
		b.during = nil
	}
	next := b.histories[0]
	b.histories = b.histories[1:]
	return next(since)
}

// recordingSink is a sink that records its calls.
type recordingSink struct{ calls []string }

func (s *recordingSink) start(at Position) { s.calls = append(s.calls, "start "+at.String()) }
func (s *recordingSink) entry(e Entry)     { s.calls = append(s.calls, e.Position.String()) }
func (s *recordingSink) lost(at Position)  { s.calls = append(s.calls, "lost "+at.String()) }

func at(epoch string, offset uint64) Position { return Position{Epoch: epoch, Offset: offset} }

func entries(epoch string, from, to uint64) []Entry {
	var all []Entry
	for o := from; o <= to; o++ {
		all = append(all, Entry{Position: at(epoch, o), Event: market.Event{Type: "x"}})
	}
	return all
}

func completeHistory(epoch string, from, to uint64) func(Position) (History, error) {
	return func(Position) (History, error) {
		return History{Entries: entries(epoch, from, to), Top: at(epoch, to), Complete: true}, nil
	}
}

func outOfReach(top Position) func(Position) (History, error) {
	return func(Position) (History, error) { return History{Top: top}, nil }
}

func brokenHistory(Position) (History, error) { return History{}, errors.New("unavailable") }

// calls returns the calls of entry with positions of one epoch.
func calls(epoch string, from, to uint64) []string {
	var all []string
	for _, e := range entries(epoch, from, to) {
		all = append(all, e.Position.String())
	}
	return all
}

func TestGaplessListener(t *testing.T) {
	type action = func(f *gaplessListener)
	deliver := func(all []Entry) action {
		return func(f *gaplessListener) {
			for _, e := range all {
				f.Event(e)
			}
		}
	}
	histories := func(all ...func(Position) (History, error)) []func(Position) (History, error) { return all }
	for name, tc := range map[string]struct {
		broker  scriptedBroker
		actions []action
		during  []action // while the first history is being read
		want    []string // after "start a:3"
	}{
		"events in order": {
			actions: []action{deliver(entries("a", 4, 6))},
			want:    calls("a", 4, 6),
		},
		"events come twice": {
			actions: []action{deliver(entries("a", 2, 5)), deliver(entries("a", 4, 6))},
			want:    calls("a", 4, 6),
		},
		"events before Subscribe returned": {
			broker:  scriptedBroker{early: entries("a", 3, 5)},
			actions: []action{deliver(entries("a", 6, 6))},
			want:    calls("a", 4, 6),
		},
		"a gap before Subscribe returned": {
			broker: scriptedBroker{early: entries("a", 6, 7), histories: histories(completeHistory("a", 4, 6))},
			want:   calls("a", 4, 7),
		},
		"a missing offset": {
			broker:  scriptedBroker{histories: histories(completeHistory("a", 4, 6))},
			actions: []action{deliver(entries("a", 6, 8))},
			want:    calls("a", 4, 8),
		},
		"a gap without lost events": {
			broker:  scriptedBroker{histories: histories(completeHistory("a", 4, 3))},
			actions: []action{(*gaplessListener).Gap, deliver(entries("a", 4, 5))},
			want:    calls("a", 4, 5),
		},
		"a gap during recovery": {
			broker:  scriptedBroker{histories: histories(completeHistory("a", 4, 5), completeHistory("a", 6, 9))},
			actions: []action{(*gaplessListener).Gap},
			during:  []action{(*gaplessListener).Gap, deliver(entries("a", 9, 9))},
			want:    calls("a", 4, 9),
		},
		"a broker unavailable for a while": {
			broker:  scriptedBroker{histories: histories(brokenHistory, brokenHistory, brokenHistory, brokenHistory, brokenHistory, brokenHistory, brokenHistory, completeHistory("a", 4, 6))},
			actions: []action{deliver(entries("a", 6, 7))},
			want:    calls("a", 4, 7),
		},
		"history out of reach": {
			broker:  scriptedBroker{histories: histories(outOfReach(at("a", 90)))},
			actions: []action{deliver(entries("a", 90, 92))},
			want:    append([]string{"lost a:90"}, calls("a", 91, 92)...),
		},
		"a new epoch": {
			broker:  scriptedBroker{histories: histories(outOfReach(at("b", 2)))},
			actions: []action{deliver(entries("b", 1, 4))},
			want:    append([]string{"lost b:2"}, calls("b", 3, 4)...),
		},
		"a late event of an old epoch": {
			broker:  scriptedBroker{histories: histories(completeHistory("a", 4, 4))},
			actions: []action{deliver(entries("old", 9, 9)), deliver(entries("a", 4, 6))},
			want:    calls("a", 4, 6),
		},
		"more events than are held": {
			broker:  scriptedBroker{histories: histories(completeHistory("a", 4, 6), completeHistory("a", 7, 3+maxHeld+50))},
			actions: []action{(*gaplessListener).Gap},
			during:  []action{deliver(entries("a", 4, 3+maxHeld+50))},
			want:    calls("a", 4, 3+maxHeld+50),
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tc.broker.at = at("a", 3)
				got := &recordingSink{}
				f := newGaplessListener(&tc.broker, "topic", got, slog.New(slog.DiscardHandler))
				tc.broker.during = func() {
					for _, do := range tc.during {
						do(f)
					}
				}
				if err := f.open(t.Context()); err != nil {
					t.Fatal(err)
				}
				for _, do := range tc.actions {
					do(f)
				}
				f.waitSettled(t)
				if want := append([]string{"start a:3"}, tc.want...); !slices.Equal(got.calls, want) {
					t.Errorf("got  %v\nwant %v", shorten(got.calls), shorten(want))
				}
				if len(tc.broker.histories) > 0 {
					t.Errorf("%d prepared histories were not read", len(tc.broker.histories))
				}
				f.close(t.Context())
				f.Event(entries("a", 1<<40, 1<<40)[0]) // ignored after close
				f.Gap()
			})
		})
	}
}

// waitSettled waits, in a synctest bubble, until no event is missing or held.
func (f *gaplessListener) waitSettled(t *testing.T) {
	t.Helper()
	synctest.Wait()
	f.wg.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.holding || len(f.held) > 0 {
		t.Fatalf("still holding %d events", len(f.held))
	}
}

// shorten leaves out the middle of a long list of calls.
func shorten(calls []string) string {
	if len(calls) > 20 {
		return fmt.Sprint(calls[:10], " … ", calls[len(calls)-5:])
	}
	return fmt.Sprint(calls)
}
