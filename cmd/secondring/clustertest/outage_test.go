package clustertest_test

import (
	"net/http"
	"testing"
	"time"
)

// Redis is killed and restarted ten times with 2,000 sockets, while users act on two
// nodes.
func TestRedisIsKilledTenTimesUnder2000Sockets(t *testing.T) {
	const kills, sockets = 10, 2000
	e := startEnv(t, database(t), nil, nil)
	e.openClients(t, sockets)
	before := e.resources(t)
	l := &load{env: e, pace: 300 * time.Millisecond}
	var back time.Time
	runWith(func() {
		for range kills {
			e.expectProgress(t, "book", 3)
			e.redis.Kill()
			e.expectProgress(t, "book", 3)
			e.redis.Restart(t)
		}
		back = time.Now()
	}, l.workers()...)
	e.checkRecovery(t, before, 0, back)
	e.checkNoLeaks(t)
	if book := e.acknowledged.between("book", time.Time{}, back); count(book, http.StatusServiceUnavailable) > 0 {
		t.Errorf("bookings while Redis was killed: %s, want no 503", statuses(book))
	}
}

// A Redis that hangs delays no booking and no list.
func TestRedisHangsFor30Seconds(t *testing.T) {
	const hang, sockets = 30 * time.Second, 300
	e := startEnv(t, database(t), nil, nil)
	e.openClients(t, sockets)
	before := e.resources(t)
	l := &load{env: e, pace: 100 * time.Millisecond}
	startedAt := time.Now()
	var hung, back time.Time
	runWith(func() {
		e.expectProgress(t, "book", 60)
		e.redis.Hang(t)
		hung = time.Now()
		waitUntilNoProblem(t, "the nodes return 503 at /readyz", func() string {
			if e.ready(0) == http.StatusOK || e.ready(1) == http.StatusOK {
				return "a node is ready"
			}
			return ""
		})
		<-time.After(time.Until(hung.Add(hang)))
		back = time.Now()
		e.redis.Resume(t)
	}, append(l.workers(), l.readers()...)...)
	e.checkRecovery(t, before, 0, back)
	e.checkNoLeaks(t)
	for _, what := range []string{"book", "cancel", "change price", "list"} {
		was, is := e.acknowledged.between(what, startedAt, hung), e.acknowledged.between(what, hung, back)
		t.Logf("%s: before %s, during the hang %s", what, durationText(was), durationText(is))
		if _, _, longest := durationStats(is); longest > callLimit/3 || len(is) == 0 || count(is, http.StatusServiceUnavailable) > 0 {
			t.Errorf("%s, while Redis hung: %s%s; want no 503 and no slow call", what, statuses(is), durationText(is))
		}
	}
}
