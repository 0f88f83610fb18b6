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

// checkAcknowledged compares the data with acknowledged calls: nothing is lost or
// doubled, a phone has one booking at most, and phones and bookings agree. The data
// must not change during it.
func (e *env) checkAcknowledged(t *testing.T, node int) {
	t.Helper()
	for what, n := range e.acknowledged.violations {
		t.Errorf("violation, %d times: %s", n, what)
	}
	waitUntilNoProblem(t, "the data match the acknowledged calls", func() string { return e.firstViolation(node) })
	e.acknowledged.locked(func() {
		t.Logf("%d bookings and %d phones were acknowledged", len(e.acknowledged.bookings), len(e.acknowledged.phones))
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

// firstViolation describes the first difference between the data and the acknowledged
// calls, "" if there is none.
func (e *env) firstViolation(node int) string {
	orders, heldBy := map[string]orderRow{}, map[string]string{}
	for _, b := range e.buyers {
		rows, ok := rowsOf[orderRow](e, node, b, "/bookings?limit=200&email="+b.email)
		if !ok {
			return "the bookings of " + b.email + " cannot be read"
		}
		for _, o := range rows {
			orders[o.ID] = o
			if o.Status != "held" {
				continue
			}
			if other := heldBy[o.ProductID]; other != "" {
				return fmt.Sprintf("phone %s is held by %s and by %s", o.ProductID, other, o.ID)
			}
			heldBy[o.ProductID] = o.ID
		}
	}
	phones, names := map[string]phoneRow{}, map[string]string{}
	for _, s := range e.sellers {
		rows, ok := rowsOf[phoneRow](e, node, s, "/products?limit=200&email="+s.email)
		if !ok {
			return "the phones of " + s.email + " cannot be read"
		}
		for _, p := range rows {
			if p.Booked != (heldBy[p.ID] != "") {
				return fmt.Sprintf("phone %s: booked is %v, its booking %q", p.ID, p.Booked, heldBy[p.ID])
			}
			if other := names[p.Name]; other != "" {
				return fmt.Sprintf("%s was added once, but exists as %s and %s", p.Name, other, p.ID)
			}
			phones[p.ID], names[p.Name] = p, p.ID
		}
	}
	e.acknowledged.mu.Lock()
	defer e.acknowledged.mu.Unlock()
	for id, acknowledged := range e.acknowledged.bookings {
		if problem := acknowledged.violation(orders[id]); problem != "" {
			return fmt.Sprintf("booking %s: %s", id, problem)
		}
	}
	for id, acknowledged := range e.acknowledged.phones {
		p, exists := phones[id]
		if problem := acknowledged.violation(p, exists); problem != "" {
			return fmt.Sprintf("phone %s: %s", id, problem)
		}
	}
	return ""
}

func (o *order) violation(row orderRow) string {
	switch {
	case row.ProductID != o.phone:
		return fmt.Sprintf("is of phone %q, not %q", row.ProductID, o.phone)
	case o.cancelled && row.Status != "cancelled", !o.cancelRequested && row.Status != "held", row.Status != "held" && row.Status != "cancelled":
		return fmt.Sprintf("is %s; cancellation requested: %v, acknowledged: %v", row.Status, o.cancelRequested, o.cancelled)
	}
	return ""
}

func (o *listing) violation(row phoneRow, exists bool) string {
	if o.deleted && exists {
		return "exists although its deletion was acknowledged"
	}
	if !exists && !o.deleteRequested {
		return "is missing although its deletion was never requested"
	}
	if exists && row.Price != o.price && !slices.Contains(o.unansweredPrices, row.Price) {
		return fmt.Sprintf("costs %d, want %d, or one of %v", row.Price, o.price, o.unansweredPrices)
	}
	return ""
}

func rowsOf[T any](e *env, node int, account *account, path string) (rows []T, ok bool) {
	items, _, ok := e.list(node, account, path)
	for _, text := range items {
		var row T
		if json.Unmarshal(text, &row) != nil {
			return nil, false
		}
		rows = append(rows, row)
	}
	return rows, ok
}

// connections counts the open connections of this machine to a port.
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

// serverGoroutines is the number of goroutines that the test's own servers may add.
const serverGoroutines = 3

// checkNoLeaks stops all nodes, and fails the test if goroutines or connections remain.
func (e *env) checkNoLeaks(t *testing.T) {
	t.Helper()
	e.closeClients()
	var all sync.WaitGroup
	for _, n := range e.nodes {
		all.Go(func() {
			if err := n.stop(); err != nil {
				t.Errorf("stopping a node: %v", err)
			}
		})
	}
	all.Wait()
	e.web.CloseIdleConnections()
	http.DefaultClient.CloseIdleConnections()
	waitUntilNoProblem(t, "all goroutines of the nodes have ended", func() string {
		left := runtime.NumGoroutine()
		if left <= e.goroutinesBefore+serverGoroutines {
			return ""
		}
		var all strings.Builder
		_ = pprof.Lookup("goroutine").WriteTo(&all, 1) // into memory
		return fmt.Sprintf("%d goroutines, want %d or a few more\n%s", left, e.goroutinesBefore, all.String())
	})
	waitUntilNoProblem(t, "all connections to Redis are closed", func() string {
		if n := connections(t, portOf(e.redis.URL)); n > 0 {
			return fmt.Sprint(n, " are open")
		}
		return ""
	})
}

// waitUntilNoProblem waits until problem returns "".
func waitUntilNoProblem(t *testing.T, what string, problem func() string) {
	t.Helper()
	timeout, ticker := time.After(3*patience), time.NewTicker(100*time.Millisecond)
	defer ticker.Stop()
	for {
		current := problem()
		if current == "" {
			return
		}
		select {
		case <-timeout:
			t.Errorf("not within %v: %s: %s", 3*patience, what, current)
			return
		case <-ticker.C:
		}
	}
}

// resources has the number of goroutines and connections of idle nodes.
type resources struct{ goroutines, redis, mongo int }

// resources counts them after it has closed the idle connections of the test.
func (e *env) resources(t *testing.T) resources {
	t.Helper()
	e.web.CloseIdleConnections()
	http.DefaultClient.CloseIdleConnections()
	return resources{runtime.NumGoroutine(), connections(t, portOf(e.redis.URL)), connections(t, portOf(e.env["MONGODB_URI"]))}
}

// The maximum numbers of connections of a node: pools may have grown under load.
var (
	redisPool = 10*runtime.GOMAXPROCS(0) + 1
	mongoPool = 20 + 2
)

// checkResources fails the test unless the nodes hold no more resources than before.
func (e *env) checkResources(t *testing.T, before resources) {
	t.Helper()
	waitUntilNoProblem(t, "the nodes have released their resources", func() string {
		now := e.resources(t)
		// A connection that is closing has goroutines for a moment, and one of a pool that has grown has those
		// that read from it and write to it.
		grown := max(0, now.redis-before.redis) + max(0, now.mongo-before.mongo)
		if now.goroutines > before.goroutines+20+6*grown || now.redis > len(e.urls)*redisPool || now.mongo > len(e.urls)*mongoPool {
			return fmt.Sprintf("%+v, before %+v", now, before)
		}
		return ""
	})
	t.Logf("open: %+v, before %+v", e.resources(t), before)
}

// portOf returns the port of a URL.
func portOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Port()
}

// checkRecovery checks lists, acknowledged calls and resources after an outage, on one
// node. No calls may be made while it runs.
func (e *env) checkRecovery(t *testing.T, before resources, node int, outageEnd time.Time) {
	t.Helper()
	took := e.waitUntilCurrent(t, node, outageEnd)
	if took > e.syncTimeout() {
		t.Errorf("the last of %d clients was current %v after the outage, want %v", len(e.clients), took, e.syncTimeout())
	}
	codes, resyncs := e.closeCodes()
	t.Logf("%d clients were current %v after the outage; close codes of sockets %v, lists fetched again %d",
		len(e.clients), took.Round(time.Millisecond), codes, resyncs)
	e.checkAcknowledged(t, node)
	for i := range e.urls {
		waitUntilNoProblem(t, "the node is ready", func() string {
			if status := e.ready(i); status != http.StatusOK {
				return fmt.Sprintf("node %d returns %d", i, status)
			}
			return ""
		})
	}
	e.checkResources(t, before)
}
