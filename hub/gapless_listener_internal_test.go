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

// scripted is a broker whose answers a test writes down beforehand.
type scripted struct {
	Broker
	at        Position
	early     []Entry // heard before Subscribe returns
	histories []func(since Position) (History, error)
	during    func() // happens while the first history is being read
}

func (b *scripted) Subscribe(_ context.Context, _ string, l Listener) (Position, error) {
	for _, e := range b.early {
		l.Event(e)
	}
	return b.at, nil
}

func (b *scripted) Unsubscribe(context.Context, string, Listener) error { return nil }

func (b *scripted) History(_ context.Context, _ string, since Position) (History, error) {
	if b.during != nil {
		b.during()
		b.during = nil
	}
	next := b.histories[0]
	b.histories = b.histories[1:]
	return next(since)
}

// notes is a sink that records its calls.
type notes struct{ lines []string }

func (n *notes) start(at Position) { n.lines = append(n.lines, "start "+at.String()) }
func (n *notes) entry(e Entry)     { n.lines = append(n.lines, e.Position.String()) }
func (n *notes) lost(at Position)  { n.lines = append(n.lines, "lost "+at.String()) }

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

// lines writes positions of one epoch as notes does.
func lines(epoch string, from, to uint64) []string {
	var all []string
	for _, e := range entries(epoch, from, to) {
		all = append(all, e.Position.String())
	}
	return all
}

func TestGaplessListener(t *testing.T) {
	type doing = func(f *gaplessListener)
	hear := func(all []Entry) doing {
		return func(f *gaplessListener) {
			for _, e := range all {
				f.Event(e)
			}
		}
	}
	histories := func(all ...func(Position) (History, error)) []func(Position) (History, error) { return all }
	for name, tc := range map[string]struct {
		broker scripted
		doing  []doing
		during []doing  // while the first history is being read
		want   []string // after "start a:3"
	}{
		"events in order": {
			doing: []doing{hear(entries("a", 4, 6))},
			want:  lines("a", 4, 6),
		},
		"events come twice": {
			doing: []doing{hear(entries("a", 2, 5)), hear(entries("a", 4, 6))},
			want:  lines("a", 4, 6),
		},
		"heard before the subscription returned": {
			broker: scripted{early: entries("a", 3, 5)},
			doing:  []doing{hear(entries("a", 6, 6))},
			want:   lines("a", 4, 6),
		},
		"a gap before the subscription returned": {
			broker: scripted{early: entries("a", 6, 7), histories: histories(completeHistory("a", 4, 6))},
			want:   lines("a", 4, 7),
		},
		"an offset left out": {
			broker: scripted{histories: histories(completeHistory("a", 4, 6))},
			doing:  []doing{hear(entries("a", 6, 8))},
			want:   lines("a", 4, 8),
		},
		"told of a gap where nothing was lost": {
			broker: scripted{histories: histories(completeHistory("a", 4, 3))},
			doing:  []doing{(*gaplessListener).Gap, hear(entries("a", 4, 5))},
			want:   lines("a", 4, 5),
		},
		"a gap during recovery": {
			broker: scripted{histories: histories(completeHistory("a", 4, 5), completeHistory("a", 6, 9))},
			doing:  []doing{(*gaplessListener).Gap},
			during: []doing{(*gaplessListener).Gap, hear(entries("a", 9, 9))},
			want:   lines("a", 4, 9),
		},
		"a broker unavailable for a while": {
			broker: scripted{histories: histories(brokenHistory, brokenHistory, brokenHistory, brokenHistory, brokenHistory, brokenHistory, brokenHistory, completeHistory("a", 4, 6))},
			doing:  []doing{hear(entries("a", 6, 7))},
			want:   lines("a", 4, 7),
		},
		"history out of reach": {
			broker: scripted{histories: histories(outOfReach(at("a", 90)))},
			doing:  []doing{hear(entries("a", 90, 92))},
			want:   append([]string{"lost a:90"}, lines("a", 91, 92)...),
		},
		"a new epoch": {
			broker: scripted{histories: histories(outOfReach(at("b", 2)))},
			doing:  []doing{hear(entries("b", 1, 4))},
			want:   append([]string{"lost b:2"}, lines("b", 3, 4)...),
		},
		"a straggler of an epoch long gone": {
			broker: scripted{histories: histories(completeHistory("a", 4, 4))},
			doing:  []doing{hear(entries("old", 9, 9)), hear(entries("a", 4, 6))},
			want:   lines("a", 4, 6),
		},
		"more held than is kept": {
			broker: scripted{histories: histories(completeHistory("a", 4, 6), completeHistory("a", 7, 3+maxHeld+50))},
			doing:  []doing{(*gaplessListener).Gap},
			during: []doing{hear(entries("a", 4, 3+maxHeld+50))},
			want:   lines("a", 4, 3+maxHeld+50),
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tc.broker.at = at("a", 3)
				got := &notes{}
				f := newGaplessListener(&tc.broker, "topic", got, slog.New(slog.DiscardHandler))
				tc.broker.during = func() {
					for _, do := range tc.during {
						do(f)
					}
				}
				if err := f.open(t.Context()); err != nil {
					t.Fatal(err)
				}
				for _, do := range tc.doing {
					do(f)
				}
				f.settled(t)
				if want := append([]string{"start a:3"}, tc.want...); !slices.Equal(got.lines, want) {
					t.Errorf("got  %v\nwant %v", brief(got.lines), brief(want))
				}
				if len(tc.broker.histories) > 0 {
					t.Errorf("%d histories were not asked for", len(tc.broker.histories))
				}
				f.close(t.Context())
				f.Event(entries("a", 1<<40, 1<<40)[0]) // too late: it is ignored
				f.Gap()
			})
		})
	}
}

// settled waits, in a synctest bubble, until no event is missing or held.
func (f *gaplessListener) settled(t *testing.T) {
	t.Helper()
	synctest.Wait()
	f.wg.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.holding || len(f.held) > 0 {
		t.Fatalf("still holding %d events", len(f.held))
	}
}

func brief(lines []string) string {
	if len(lines) > 20 {
		return fmt.Sprint(lines[:10], " … ", lines[len(lines)-5:])
	}
	return fmt.Sprint(lines)
}
