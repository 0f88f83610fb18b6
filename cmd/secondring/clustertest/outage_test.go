package clustertest_test

import (
	"net/http"
	"testing"
	"time"
)

// Redis is killed and started again ten times under 2,000 sockets, while people
// book, sell and govern on two nodes.
func TestRedisIsKilledTenTimesUnder2000Sockets(t *testing.T) {
	const kills, sockets = 10, 2000
	w := settle(t, database(t), nil, nil)
	w.watch(t, sockets)
	before := w.level(t)
	l := &load{town: w, pace: 300 * time.Millisecond}
	var back time.Time
	during(func() {
		for range kills {
			w.goesOn(t, "book", 3)
			w.redis.Kill()
			w.goesOn(t, "book", 3)
			w.redis.Restart(t)
		}
		back = time.Now()
	}, l.workers()...)
	w.isWellAgain(t, before, 0, back)
	w.nothingIsLeft(t)
	if book := w.told.between("book", time.Time{}, back); count(book, http.StatusServiceUnavailable) > 0 {
		t.Errorf("bookings while Redis was away: %s", statuses(book))
	}
}

// A Redis that hangs holds up no booking and no list.
func TestRedisHangsFor30Seconds(t *testing.T) {
	const hang, sockets = 30 * time.Second, 300
	w := settle(t, database(t), nil, nil)
	w.watch(t, sockets)
	before := w.level(t)
	l := &load{town: w, pace: 100 * time.Millisecond}
	began := time.Now()
	var hung, back time.Time
	during(func() {
		w.goesOn(t, "book", 60)
		w.redis.Hang(t)
		hung = time.Now()
		becomes(t, "the nodes say that they are not ready", func() string {
			if w.ready(0) == http.StatusOK || w.ready(1) == http.StatusOK {
				return "one is"
			}
			return ""
		})
		<-time.After(time.Until(hung.Add(hang)))
		back = time.Now()
		w.redis.Resume(t)
	}, append(l.workers(), l.readers()...)...)
	w.isWellAgain(t, before, 0, back)
	w.nothingIsLeft(t)
	for _, what := range []string{"book", "cancel", "reprice", "list"} {
		was, is := w.told.between(what, began, hung), w.told.between(what, hung, back)
		t.Logf("%s: before %s, during the hang %s", what, paceOf(was), paceOf(is))
		if _, _, most := pace(is); most > callLimit/3 || len(is) == 0 || count(is, http.StatusServiceUnavailable) > 0 {
			t.Errorf("%s, while Redis hung: %s%s", what, statuses(is), paceOf(is))
		}
	}
}
