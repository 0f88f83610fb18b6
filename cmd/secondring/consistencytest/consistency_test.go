// Package consistencytest_test checks that every open screen shows the state of the
// server. Users of all roles perform random actions in the real client while sockets,
// networks, nodes and Redis fail. When no call is running, each list that a client shows is
// compared with the server's.
package consistencytest_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// Two nodes share a real Redis and a real server of MongoDB's protocol.
func TestScreensAreConsistentOnTwoNodes(t *testing.T) {
	t.Parallel()
	newEnv(t, 2, configFromEnv(t, config{clients: 30, ops: 1050, round: 150})).run()
}

// One node uses SQLite.
func TestScreensAreConsistentOnOneNode(t *testing.T) {
	t.Parallel()
	newEnv(t, 1, configFromEnv(t, config{clients: 20, ops: 480, round: 80})).run()
}

// run runs the rounds. In each, faults begin after a third of the actions and end after two
// thirds. Then the lists are compared while no action runs.
func (e *env) run() {
	e.t.Helper()
	random := rand.New(rand.NewPCG(e.seed, 0))
	startedAt := time.Now()
	var visits []action
	for _, c := range e.clients {
		visits = append(visits, action{client: c, name: "visit", random: []float64{0, 0, 0, 0}})
	}
	e.performAll(visits)
	e.checkRound(0, nil)
	previous := e.requestCounts()
	for i, active := range e.faultSchedule(random, e.ops/e.round) {
		e.runRound(random, i, active)
		e.checkRound(i, active)
		current := e.requestCounts()
		e.checkRefetches(previous, current, active)
		e.t.Logf("%v: %d of %d actions done; faults: %s; lists fetched %d, of these again %d",
			time.Since(startedAt).Round(time.Second), (i+1)*e.round, e.ops, namesOf(active), current.Lists-previous.Lists, current.Refetched-previous.Refetched)
		previous = current
	}
	e.report(time.Since(startedAt))
}

func (e *env) runRound(random *rand.Rand, i int, active []fault) {
	var actions []action
	for n := range e.round {
		actions = append(actions, e.randomAction(random, i*e.round+n))
	}
	third := len(actions) / 3
	e.performAll(actions[:third])
	var ends []func()
	for _, f := range active {
		e.log.write("fault begins: %s", f.name)
		ends = append(ends, f.begin(e, random))
	}
	e.performAll(actions[third : 2*third])
	for k, end := range ends {
		end()
		e.log.write("fault ends: %s", active[k].name)
	}
	e.performAll(actions[2*third:])
}

// checkRound waits until no call is running, and checks every screen, all notifications
// and all conversations.
func (e *env) checkRound(i int, active []fault) {
	e.t.Helper()
	e.waitUntilReady()
	e.log.write("waiting until no call is running")
	e.waitUntilIdle()
	e.log.write("no call is running")
	limit := screenDelay
	if slices.ContainsFunc(active, func(f fault) bool { return f.affectsServer }) {
		limit = screenDelayAfterOutage
		if e.engine != nil {
			e.waitUntilPublished()
		}
	}
	e.checkScreens(i%len(e.nodes), limit)
	e.log.write("all screens are equal")
	e.checkNotifications()
	e.checkConversations()
	e.checkEndedSessions()
	if e.t.Failed() {
		e.t.Fatalf("round %d failed; faults: %s; all actions: %s", i, namesOf(active), e.log.flush())
	}
}

// checkRefetches limits how often a list is fetched again: three times where a history was
// lost, once elsewhere, and once more for each client that shows a list again whose position
// is missing or older than the history.
func (e *env) checkRefetches(before, after counts, active []fault) {
	e.t.Helper()
	refetched, shown := after.Refetched-before.Refetched, max(before.Shown, after.Shown)
	limit := len(e.clients) + shown
	if slices.ContainsFunc(active, func(f fault) bool { return f.losesHistory || f.affectsServer && e.redis == nil }) {
		limit += 2 * shown
	}
	if refetched > limit {
		e.t.Errorf("faults: %s; %d lists were fetched again, want %d at most; %d are shown", namesOf(active), refetched, limit, after.Shown)
	}
}

func namesOf(active []fault) string {
	var names []string
	for _, f := range active {
		names = append(names, f.name)
	}
	return strings.Join(names, " and ")
}

// report logs the numbers of actions and results.
func (e *env) report(took time.Duration) {
	e.t.Helper()
	sum := e.requestCounts()
	e.t.Logf("%v; %d lists compared; comparisons: %d equal at once, %d within a second, %d later, the longest %v",
		took.Round(time.Second), e.comparisons.compared, e.comparisons.immediately, e.comparisons.withinSecond, e.comparisons.later, e.comparisons.longest.Round(100*time.Millisecond))
	e.t.Logf("lists fetched: %d, of these again by the live connection %d", sum.Lists, sum.Refetched)
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(e.results)) {
		e.t.Logf("%-17s %v", name, e.results[name])
	}
}
