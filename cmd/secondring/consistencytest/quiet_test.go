package consistencytest_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

const (
	// patience is the maximum time until all clients are connected again. The longest
	// backoff of a client is half a minute.
	patience = 45 * time.Second
	// trueIn is how long a list may still differ after all calls have ended.
	consistentWithin = time.Second
	// toldIn is the same after a server was unavailable: it includes the time in which
	// pending events are published.
	toldIn = 5 * time.Second
)

// difference is a difference between the list of a window and the list of the server.
type difference struct {
	Client           int
	List, Path, What string
	Shown, Is        json.RawMessage
	Known            int64 // when the client received the shown state, Unix time in milliseconds
	Heard            []string
}

func (d difference) key() string { return fmt.Sprint(d.Client, d.Path, d.What, string(d.Is)) }

// tally counts the results of the comparisons.
type tally struct {
	compared int
	// The number of comparisons without a difference at once, within a second, and later
	// because a server was unavailable or a hold expired.
	atOnce, soon, later int
	longest             time.Duration
}

// waitUntilQuiet waits until all sockets are connected, all topics are answered and no call is
// running. Before that each client waits with backoff (lib/backoff.ts).
func (e *env) waitUntilQuiet() (took time.Duration) {
	e.t.Helper()
	began := time.Now()
	late, again := time.After(patience), time.NewTicker(20*time.Millisecond)
	defer again.Stop()
	for calm := 0; calm < 2; {
		var first struct {
			Client int
			Why    string
		}
		for _, h := range e.hosts {
			if err := h.ask(command{Do: "unsettled"}, &first); err != nil {
				e.t.Fatal(err)
			}
			if first.Why != "" {
				break
			}
		}
		for _, r := range e.readers {
			if !r.isLive() {
				first.Why = "a client in Go does not follow " + r.topic
			}
		}
		if calm++; first.Why != "" {
			calm = 0
		}
		select {
		case <-late:
			e.t.Fatalf("client %d (%s) has not come to rest in %v: %s", first.Client, e.clients[first.Client].role, patience, first.Why)
		case <-again.C:
		}
	}
	return time.Since(began)
}

// checkScreens compares every shown list with a fresh one, at once and each second until none
// differs. Holds also expire in quiet times, so a list is wrong if it differs from the
// same fresh list for longer than allowed. The time counts from the fresh list's
// response: reading all lists of 200 windows takes a second or two.
func (e *env) checkScreens(node int, allowed time.Duration) {
	e.t.Helper()
	since := map[string]time.Time{}
	quiet := time.Now()
	for {
		looked := time.Now()
		differences := e.compare(node)
		if len(differences) == 0 {
			e.rounds.found(looked.Sub(quiet))
			return
		}
		still := map[string]time.Time{}
		for _, d := range differences {
			first, known := since[d.key()]
			if !known {
				first = time.UnixMilli(d.Known)
			}
			still[d.key()] = first
			if looked.Sub(first) >= allowed || looked.Sub(quiet) > patience {
				e.fails(d, looked.Sub(quiet), len(differences))
				return
			}
		}
		since = still
		<-time.After(time.Until(looked.Add(consistentWithin)))
	}
}

// found counts a comparison that found no difference after this time.
func (r *tally) found(after time.Duration) {
	r.longest = max(r.longest, after)
	switch {
	case after < consistentWithin:
		r.atOnce++
	case after < 2*consistentWithin:
		r.soon++
	default:
		r.later++
	}
}

// compare returns the differences of all windows.
func (e *env) compare(node int) (all []difference) {
	var mu sync.Mutex
	var each sync.WaitGroup
	for _, h := range e.hosts {
		if err := h.ask(command{Do: "snapshot"}, nil); err != nil {
			e.t.Error(err)
		}
	}
	for _, h := range e.hosts {
		each.Go(func() {
			var found struct {
				Compared    int
				Differences []difference
			}
			err := h.ask(command{Do: "compare", URL: e.nodes[node].URL}, &found)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				e.t.Error(err)
			}
			e.rounds.compared += found.Compared
			all = append(all, found.Differences...)
		})
	}
	each.Wait()
	for i, r := range e.readers {
		all = append(all, r.differs(i, e.nodes[node].URL)...)
	}
	e.rounds.compared += len(e.readers)
	return all
}

// fails fails the test with all details of a difference.
func (e *env) fails(d difference, after time.Duration, n int) {
	e.t.Helper()
	role, heard := "in Go", ""
	if d.Client >= 0 {
		role = e.clients[d.Client].role
	}
	for _, line := range d.Heard {
		heard += "\n    " + line
	}
	e.t.Fatalf("%v after the last call %d lists differ, such as that of client %d (%s), %s, %s:\n  %s\n  shown: %s\n  is:    %s\n  heard:%s\n  all actions: %s",
		after.Round(time.Millisecond), n, d.Client, role, d.List, d.Path, d.What, d.Shown, d.Is, heard, e.log.flush())
}

// counts has the number of requests for lists, and of those that the live connection
// caused; the number of topics whose history was too short; and the numbers of topics
// and lists.
type counts struct{ Lists, Again, Lost, Topics, Shown int }

func (e *env) counted() (sum counts) {
	for _, h := range e.hosts {
		var c counts
		if err := h.ask(command{Do: "counts"}, &c); err != nil {
			e.t.Error(err)
		}
		sum.Lists += c.Lists
		sum.Again += c.Again
		sum.Lost += c.Lost
		sum.Topics += c.Topics
		sum.Shown += c.Shown
	}
	return sum
}

// noUnexpectedSignOut fails the test if a session has ended whose user was not deleted.
func (e *env) noUnexpectedSignOut() {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, email := range e.left {
		if !e.gone[email] {
			e.t.Errorf("the session of %s was ended; nobody had deleted them: %s", email, e.log.flush())
		}
	}
	e.left = nil
}
