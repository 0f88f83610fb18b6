// Package truth_test holds every open screen to the market's truth, whatever
// happens: people of all roles do what chance has them do, in windows of the real
// client, while sockets, networks, nodes and Redis break. At every quiet point
// each list that a window shows is compared with a fresh one.
package consistencytest_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// Two nodes, a real Redis and a real server of MongoDB's protocol.
func TestEveryScreenIsTrueOnTwoNodes(t *testing.T) {
	t.Parallel()
	newWorld(t, 2, planned(t, plan{clients: 30, ops: 1020, round: 170})).live()
}

// One node with a file.
func TestEveryScreenIsTrueOnOneNode(t *testing.T) {
	t.Parallel()
	newWorld(t, 1, planned(t, plan{clients: 20, ops: 480, round: 80})).live()
}

// live lets the world have its rounds: things are done, something breaks after a
// third of them and is mended after another, and then there is quiet.
func (w *world) live() {
	w.t.Helper()
	chance := rand.New(rand.NewPCG(w.seed, 0))
	began := time.Now()
	var first []deed
	for _, c := range w.clients {
		first = append(first, deed{client: c, name: "visit", dice: []float64{0, 0, 0, 0}})
	}
	w.work(first)
	w.quiet(0, nil)
	before := w.counted()
	for i, broken := range w.mix(chance, w.ops/w.round) {
		w.goOn(chance, i, broken)
		w.quiet(i, broken)
		after := w.counted()
		w.isBounded(before, after, broken)
		w.t.Logf("%v: %d of %d done; %s; lists fetched %d, of these again %d",
			time.Since(began).Round(time.Second), (i+1)*w.round, w.ops, namesOf(broken), after.Lists-before.Lists, after.Again-before.Again)
		before = after
	}
	w.report(time.Since(began))
}

func (w *world) goOn(chance *rand.Rand, i int, broken []fault) {
	var deeds []deed
	for n := range w.round {
		deeds = append(deeds, w.deal(chance, i*w.round+n))
	}
	third := len(deeds) / 3
	w.work(deeds[:third])
	var ends []func()
	for _, f := range broken {
		w.log.write("begins: %s", f.name)
		ends = append(ends, f.begin(w, chance))
	}
	w.work(deeds[third : 2*third])
	for k, end := range ends {
		end()
		w.log.write("ends: %s", broken[k].name)
	}
	w.work(deeds[2*third:])
}

// quiet waits for it, and holds everybody to the truth.
func (w *world) quiet(i int, broken []fault) {
	w.t.Helper()
	w.isServed()
	w.log.write("settles")
	w.settles()
	w.log.write("settled")
	allowed := trueIn
	if slices.ContainsFunc(broken, func(f fault) bool { return f.server }) {
		allowed = toldIn
	}
	w.isTrue(i%len(w.nodes), allowed)
	w.log.write("true")
	w.nobodyWasSentAway()
	if w.t.Failed() {
		w.t.Fatalf("in round %d: %s; all that was done: %s", i, namesOf(broken), w.log.keep())
	}
}

// isBounded limits how often a list is fetched again: three times where a history was
// lost, once elsewhere, and once more for a window that shows a list again whose position
// is older than the history, or missing.
func (w *world) isBounded(before, after counts, broken []fault) {
	w.t.Helper()
	again, shown := after.Again-before.Again, max(before.Shown, after.Shown)
	most := len(w.clients) + shown
	if slices.ContainsFunc(broken, func(f fault) bool { return f.loses || f.server && w.redis == nil }) {
		most += 2 * shown
	}
	if again > most {
		w.t.Errorf("%s: %d lists were fetched again, want %d at most; %d are shown", namesOf(broken), again, most, after.Shown)
	}
}

func namesOf(broken []fault) string {
	var names []string
	for _, f := range broken {
		names = append(names, f.name)
	}
	return strings.Join(names, " and ")
}

// report says what was done and found.
func (w *world) report(took time.Duration) {
	w.t.Helper()
	sum := w.counted()
	w.t.Logf("%v; %d lists compared; quiet points: %d true at once, %d within a second, %d later, the longest %v",
		took.Round(time.Second), w.rounds.compared, w.rounds.atOnce, w.rounds.soon, w.rounds.later, w.rounds.longest.Round(100*time.Millisecond))
	w.t.Logf("lists fetched: %d, of these again by the line itself %d; a history did not reach back for %d topics", sum.Lists, sum.Again, sum.Lost)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(w.done)) {
		w.t.Logf("%-13s %v", name, w.done[name])
	}
}
