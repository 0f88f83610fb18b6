// Package consistencytest_test checks that every open screen shows the state of the
// server. Users of all roles perform random actions in windows of the real client while
// sockets, networks, nodes and Redis fail. When no call is running, each list that a
// window shows is compared with a list that is fetched then.
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
func TestScreensAreConsistentOnTwoNodes(t *testing.T) {
	t.Parallel()
	newEnv(t, 2, planned(t, plan{clients: 30, ops: 1020, round: 170})).live()
}

// One node with a file.
func TestScreensAreConsistentOnOneNode(t *testing.T) {
	t.Parallel()
	newEnv(t, 1, planned(t, plan{clients: 20, ops: 480, round: 80})).live()
}

// live runs the rounds. In each a fault begins after a third of the actions and ends
// after two thirds. Then the lists are compared while no action runs.
func (e *env) live() {
	e.t.Helper()
	chance := rand.New(rand.NewPCG(e.seed, 0))
	began := time.Now()
	var first []action
	for _, c := range e.clients {
		first = append(first, action{client: c, name: "visit", dice: []float64{0, 0, 0, 0}})
	}
	e.perform(first)
	e.quiet(0, nil)
	before := e.counted()
	for i, broken := range e.mix(chance, e.ops/e.round) {
		e.runRound(chance, i, broken)
		e.quiet(i, broken)
		after := e.counted()
		e.isBounded(before, after, broken)
		e.t.Logf("%v: %d of %d done; %s; lists fetched %d, of these again %d",
			time.Since(began).Round(time.Second), (i+1)*e.round, e.ops, namesOf(broken), after.Lists-before.Lists, after.Again-before.Again)
		before = after
	}
	e.report(time.Since(began))
}

func (e *env) runRound(chance *rand.Rand, i int, broken []fault) {
	var actions []action
	for n := range e.round {
		actions = append(actions, e.randomAction(chance, i*e.round+n))
	}
	third := len(actions) / 3
	e.perform(actions[:third])
	var ends []func()
	for _, f := range broken {
		e.log.write("begins: %s", f.name)
		ends = append(ends, f.begin(e, chance))
	}
	e.perform(actions[third : 2*third])
	for k, end := range ends {
		end()
		e.log.write("ends: %s", broken[k].name)
	}
	e.perform(actions[2*third:])
}

// quiet waits until no call is running, and checks every screen.
func (e *env) quiet(i int, broken []fault) {
	e.t.Helper()
	e.isServed()
	e.log.write("waiting for running calls")
	e.waitUntilQuiet()
	e.log.write("no call is running")
	allowed := consistentWithin
	if slices.ContainsFunc(broken, func(f fault) bool { return f.server }) {
		allowed = toldIn
	}
	e.checkScreens(i%len(e.nodes), allowed)
	e.log.write("all screens are equal")
	e.checkNotifications()
	e.noUnexpectedSignOut()
	if e.t.Failed() {
		e.t.Fatalf("in round %d: %s; all actions: %s", i, namesOf(broken), e.log.flush())
	}
}

// isBounded limits how often a list is fetched again: three times where a history was
// lost, once elsewhere, and once more for a window that shows a list again whose position
// is older than the history, or missing.
func (e *env) isBounded(before, after counts, broken []fault) {
	e.t.Helper()
	again, shown := after.Again-before.Again, max(before.Shown, after.Shown)
	most := len(e.clients) + shown
	if slices.ContainsFunc(broken, func(f fault) bool { return f.loses || f.server && e.redis == nil }) {
		most += 2 * shown
	}
	if again > most {
		e.t.Errorf("%s: %d lists were fetched again, want %d at most; %d are shown", namesOf(broken), again, most, after.Shown)
	}
}

func namesOf(broken []fault) string {
	var names []string
	for _, f := range broken {
		names = append(names, f.name)
	}
	return strings.Join(names, " and ")
}

// report logs the numbers of actions and results.
func (e *env) report(took time.Duration) {
	e.t.Helper()
	sum := e.counted()
	e.t.Logf("%v; %d lists compared; comparisons: %d equal at once, %d within a second, %d later, the longest %v",
		took.Round(time.Second), e.rounds.compared, e.rounds.atOnce, e.rounds.soon, e.rounds.later, e.rounds.longest.Round(100*time.Millisecond))
	e.t.Logf("lists fetched: %d, of these again by the live connection %d; the history of %d topics was too short", sum.Lists, sum.Again, sum.Lost)
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(e.done)) {
		e.t.Logf("%-13s %v", name, e.done[name])
	}
}
