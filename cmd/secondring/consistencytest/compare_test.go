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
	// screenDelay is how long a list may differ after all calls have ended.
	screenDelay = time.Second
	// screenDelayAfterOutage is the same after a server was unavailable.
	screenDelayAfterOutage = 5 * time.Second
)

// difference is a difference between the list that a client shows and the server's list.
type difference struct {
	Client              int
	List, Path, Problem string
	Shown, Expected     json.RawMessage
	FetchedAt           int64 // when the server's list was fetched, Unix time in milliseconds
	Log                 []string
}

func (d difference) key() string { return fmt.Sprint(d.Client, d.Path, d.Problem, string(d.Expected)) }

// comparisonCounts counts the results of the comparisons.
type comparisonCounts struct {
	compared int
	// The number of comparisons without a difference at once, within a second, and later
	// because a server was unavailable or a hold expired.
	immediately, withinSecond, later int
	longest                          time.Duration
}

// waitUntilIdle waits until all sockets are connected, all topics are subscribed and no call
// is running. Clients retry with backoff (lib/backoff.ts).
func (e *env) waitUntilIdle() {
	e.t.Helper()
	timeout, ticker := time.After(patience), time.NewTicker(20*time.Millisecond)
	defer ticker.Stop()
	for idleChecks := 0; idleChecks < 2; {
		reason := e.pendingReason()
		if idleChecks++; reason != "" {
			idleChecks = 0
		}
		select {
		case <-timeout:
			e.t.Fatalf("not idle after %v: %s", patience, reason)
		case <-ticker.C:
		}
	}
}

// pendingReason says which client is not idle and why, "" if all are.
func (e *env) pendingReason() string {
	e.t.Helper()
	for _, h := range e.hosts {
		var pending struct {
			Client int
			Reason string
		}
		if err := h.call(command{Command: "pending"}, &pending); err != nil {
			e.t.Fatal(err)
		}
		if pending.Reason != "" {
			return fmt.Sprintf("client %d (%s): %s", pending.Client, e.clients[pending.Client].role, pending.Reason)
		}
	}
	return ""
}

// waitUntilPublished waits until no event is pending, after an outage of several nodes. How long that
// takes depends on the machine: the clients go on during the outage.
func (e *env) waitUntilPublished() {
	e.t.Helper()
	timeout, ticker := time.After(patience), time.NewTicker(100*time.Millisecond)
	defer ticker.Stop()
	for {
		pending, err := e.engine.Backlog(e.t.Context(), 1)
		if err == nil && pending.Events == 0 {
			return
		}
		select {
		case <-timeout:
			e.t.Fatalf("events are not published %v after the last call: %+v (%v)", patience, pending, err)
		case <-ticker.C:
		}
	}
}

// checkScreens compares every shown list with the server's, at once and each second until
// none differs. Holds expire also while no call runs, so a list is wrong only if it differs
// from the same server's list for longer than the limit. The time counts from the response
// with the server's list, because reading all lists of 200 clients takes a second or two.
func (e *env) checkScreens(node int, limit time.Duration) {
	e.t.Helper()
	since := map[string]time.Time{}
	startedAt := time.Now()
	for {
		comparedAt := time.Now()
		differences := e.compare(node)
		if len(differences) == 0 {
			e.comparisons.add(comparedAt.Sub(startedAt))
			return
		}
		current := map[string]time.Time{}
		for _, d := range differences {
			first, known := since[d.key()]
			if !known {
				first = time.UnixMilli(d.FetchedAt)
			}
			current[d.key()] = first
			if comparedAt.Sub(first) >= limit || comparedAt.Sub(startedAt) > patience {
				e.reportDifference(d, comparedAt.Sub(startedAt), len(differences))
				return
			}
		}
		since = current
		<-time.After(time.Until(comparedAt.Add(screenDelay)))
	}
}

// add counts a comparison that found no difference after this time.
func (c *comparisonCounts) add(after time.Duration) {
	c.longest = max(c.longest, after)
	switch {
	case after < screenDelay:
		c.immediately++
	case after < 2*screenDelay:
		c.withinSecond++
	default:
		c.later++
	}
}

// compare returns the differences of all clients.
func (e *env) compare(node int) (all []difference) {
	var mu sync.Mutex
	var each sync.WaitGroup
	for _, h := range e.hosts {
		if err := h.call(command{Command: "snapshot"}, nil); err != nil {
			e.t.Error(err)
		}
	}
	for _, h := range e.hosts {
		each.Go(func() {
			var found struct {
				Compared    int
				Differences []difference
			}
			err := h.call(command{Command: "compare", URL: e.nodes[node].URL}, &found)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				e.t.Error(err)
			}
			e.comparisons.compared += found.Compared
			all = append(all, found.Differences...)
		})
	}
	each.Wait()
	return all
}

// reportDifference fails the test with all details of a difference.
func (e *env) reportDifference(d difference, after time.Duration, n int) {
	e.t.Helper()
	log := ""
	for _, line := range d.Log {
		log += "\n    " + line
	}
	e.t.Fatalf("%v after the last call %d lists differ, such as that of client %d (%s), %s, %s:\n  %s\n  shown:  %s\n  server: %s\n  log of the client:%s\n  all actions: %s",
		after.Round(time.Millisecond), n, d.Client, e.clients[d.Client].role, d.List, d.Path, d.Problem, d.Shown, d.Expected, log, e.log.flush())
}

// counts has the number of requests for lists, of those that the live connection caused, and of
// shown lists.
type counts struct{ Lists, Refetched, Shown int }

func (e *env) requestCounts() (sum counts) {
	for _, h := range e.hosts {
		var c counts
		if err := h.call(command{Command: "counts"}, &c); err != nil {
			e.t.Error(err)
		}
		sum.Lists += c.Lists
		sum.Refetched += c.Refetched
		sum.Shown += c.Shown
	}
	return sum
}

// checkEndedSessions fails the test if the session of a user has ended who was not deleted.
func (e *env) checkEndedSessions() {
	e.t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, email := range e.endedSessions {
		if !e.deleted[email] {
			e.t.Errorf("the session of %s was ended, but the user was not deleted; all actions: %s", email, e.log.flush())
		}
	}
	e.endedSessions = nil
}
