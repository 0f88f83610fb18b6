package clustertest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// checkPromises compares the market with acknowledged calls: nothing is lost or
// doubled, a phone has one booking at most, and phones and bookings agree. The market
// must not change during it.
func (e *env) checkAcknowledged(t *testing.T, node int) {
	t.Helper()
	for what, n := range e.acknowledged.wrong {
		t.Errorf("%d times: %s", n, what)
	}
	waitUntilNone(t, "the market agrees with what was told", func() string { return e.broken(node) })
	e.acknowledged.set(func() {
		t.Logf("%d bookings and %d phones were acknowledged", len(e.acknowledged.booked), len(e.acknowledged.phones))
	})
}

type orderRow struct {
	ID        string `json:"_id"`
	ProductID string
	Status    string
}

type phoneRow struct {
	ID     string `json:"_id"`
	Name   string
	Price  int `json:"resalePrice"`
	Booked bool
}

// broken is the first promise that is, "" for none.
func (e *env) broken(node int) string {
	orders, holder := map[string]orderRow{}, map[string]string{}
	for _, b := range e.buyers {
		rows, ok := rowsOf[orderRow](e, node, b, "/bookings?limit=200&email="+b.email)
		if !ok {
			return "no list of " + b.email
		}
		for _, o := range rows {
			orders[o.ID] = o
			if o.Status != "held" {
				continue
			}
			if other := holder[o.ProductID]; other != "" {
				return fmt.Sprintf("phone %s is held by %s and by %s", o.ProductID, other, o.ID)
			}
			holder[o.ProductID] = o.ID
		}
	}
	phones, names := map[string]phoneRow{}, map[string]string{}
	for _, s := range e.sellers {
		rows, ok := rowsOf[phoneRow](e, node, s, "/products?limit=200&email="+s.email)
		if !ok {
			return "no list of " + s.email
		}
		for _, p := range rows {
			if p.Booked != (holder[p.ID] != "") {
				return fmt.Sprintf("phone %s: booked is %v, its booking %q", p.ID, p.Booked, holder[p.ID])
			}
			if other := names[p.Name]; other != "" {
				return fmt.Sprintf("%s was added once, and is there as %s and %s", p.Name, other, p.ID)
			}
			phones[p.ID], names[p.Name] = p, p.ID
		}
	}
	e.acknowledged.mu.Lock()
	defer e.acknowledged.mu.Unlock()
	for id, acknowledged := range e.acknowledged.booked {
		if wrong := acknowledged.violation(orders[id]); wrong != "" {
			return fmt.Sprintf("booking %s: %s", id, wrong)
		}
	}
	for id, acknowledged := range e.acknowledged.phones {
		p, there := phones[id]
		if wrong := acknowledged.violation(p, there); wrong != "" {
			return fmt.Sprintf("phone %s: %s", id, wrong)
		}
	}
	return ""
}

func (o *order) violation(row orderRow) string {
	switch {
	case row.ProductID != o.phone:
		return fmt.Sprintf("is of phone %q, not %q", row.ProductID, o.phone)
	case o.let && row.Status != "cancelled", !o.asked && row.Status != "held", row.Status != "held" && row.Status != "cancelled":
		return fmt.Sprintf("is %s; asked to cancel it: %v, told that it is: %v", row.Status, o.asked, o.let)
	}
	return ""
}

func (o *offer) violation(row phoneRow, there bool) string {
	if o.gone && there {
		return "is there, and was withdrawn"
	}
	if !there && !o.asked {
		return "is lost"
	}
	if there && row.Price != o.price && !slices.Contains(o.maybe, row.Price) {
		return fmt.Sprintf("costs %d, was told %d, and %v perhaps", row.Price, o.price, o.maybe)
	}
	return ""
}

func rowsOf[T any](e *env, node int, who *account, path string) (rows []T, ok bool) {
	items, _, ok := e.list(node, who, path)
	for _, text := range items {
		var row T
		if json.Unmarshal(text, &row) != nil {
			return nil, false
		}
		rows = append(rows, row)
	}
	return rows, ok
}

// connections are those that this machine's processes have open to a port.
func connections(t *testing.T, port string) (n int) {
	t.Helper()
	var want int
	if _, err := fmt.Sscan(port, &want); err != nil {
		t.Fatal(err)
	}
	const established = "01"
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err != nil {
			continue // a machine without that protocol
		}
		for line := range strings.Lines(string(text)) {
			fields := strings.Fields(line)
			if len(fields) > 3 && fields[3] == established && strings.HasSuffix(fields[2], fmt.Sprintf(":%04X", want)) {
				n++
			}
		}
	}
	return n
}

// own is how many goroutines the test's own servers may have begun late.
const own = 3

// checkNoLeaks stops all nodes, and fails the test if goroutines or connections are
// left.
func (e *env) checkNoLeaks(t *testing.T) {
	t.Helper()
	e.leave()
	var all sync.WaitGroup
	for _, n := range e.nodes {
		all.Go(func() {
			if err := n.stop(); err != nil {
				t.Errorf("stopping: %v", err)
			}
		})
	}
	all.Wait()
	e.web.CloseIdleConnections()
	http.DefaultClient.CloseIdleConnections()
	waitUntilNone(t, "no goroutine is left", func() string {
		left := runtime.NumGoroutine()
		if left <= e.idle+own {
			return ""
		}
		var all strings.Builder
		_ = pprof.Lookup("goroutine").WriteTo(&all, 1) // into memory
		return fmt.Sprintf("%d, were %d\n%s", left, e.idle, all.String())
	})
	waitUntilNone(t, "no connection is left to Redis", func() string {
		if n := connections(t, portOf(e.redis.URL)); n > 0 {
			return fmt.Sprint(n, " are")
		}
		return ""
	})
}

// waitUntilNone waits until wrong returns "".
func waitUntilNone(t *testing.T, what string, wrong func() string) {
	t.Helper()
	late, again := time.After(3*patience), time.NewTicker(100*time.Millisecond)
	defer again.Stop()
	for {
		left := wrong()
		if left == "" {
			return
		}
		select {
		case <-late:
			t.Errorf("not in %v: %s: %s", 3*patience, what, left)
			return
		case <-again.C:
		}
	}
}

// level is the number of goroutines and connections of idle nodes.
type level struct{ goroutines, redis, mongo int }

// level counts, once the people's own connections are closed.
func (e *env) level(t *testing.T) level {
	t.Helper()
	e.web.CloseIdleConnections()
	http.DefaultClient.CloseIdleConnections()
	return level{runtime.NumGoroutine(), connections(t, portOf(e.redis.URL)), connections(t, portOf(e.env["MONGODB_URI"]))}
}

// Pools may have grown to their size under load, for each node: what the drivers
// keep, and what they listen and watch by.
var (
	redisPool = 10*runtime.GOMAXPROCS(0) + 1
	mongoPool = 20 + 2
)

// checkLevel fails the test unless the nodes hold no more resources than before.
func (e *env) checkLevel(t *testing.T, before level) {
	t.Helper()
	waitUntilNone(t, "the nodes have let go of what they needed meanwhile", func() string {
		now := e.level(t)
		// A connection that is closing has goroutines for a moment, and one of a pool that has grown has those
		// that carry it over the wire.
		grown := max(0, now.redis-before.redis) + max(0, now.mongo-before.mongo)
		if now.goroutines > before.goroutines+20+6*grown || now.redis > len(e.urls)*redisPool || now.mongo > len(e.urls)*mongoPool {
			return fmt.Sprintf("%+v, were %+v", now, before)
		}
		return ""
	})
	t.Logf("open: %+v, before %+v", e.level(t), before)
}

// portOf an address.
func portOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Port()
}

// checkRecovery checks all promises after an outage, on one node. No calls may be made
// while it runs.
func (e *env) checkRecovery(t *testing.T, before level, node int, over time.Time) {
	t.Helper()
	took := e.waitUntilCurrent(t, node, over)
	if took > e.syncTimeout() {
		t.Errorf("the last of %d screens was true %v after the outage, want %v", len(e.screens), took, e.syncTimeout())
	}
	codes, resyncs := e.endings()
	t.Logf("%d screens were true %v after the outage; sockets ended %v, lists fetched again %d",
		len(e.screens), took.Round(time.Millisecond), codes, resyncs)
	e.checkAcknowledged(t, node)
	for i := range e.urls {
		waitUntilNone(t, "the node is ready", func() string {
			if status := e.ready(i); status != http.StatusOK {
				return fmt.Sprint(i, ": ", status)
			}
			return ""
		})
	}
	e.checkLevel(t, before)
}
