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
	for what, n := range e.acknowledged.wrong {
		t.Errorf("%d times: %s", n, what)
	}
	waitUntilNone(t, "the data agree with the acknowledged calls", func() string { return e.broken(node) })
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

// broken describes the first difference, "" if there is none.
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
	case o.cancelled && row.Status != "cancelled", !o.asked && row.Status != "held", row.Status != "held" && row.Status != "cancelled":
		return fmt.Sprintf("is %s; cancellation requested: %v, acknowledged: %v", row.Status, o.asked, o.cancelled)
	}
	return ""
}

func (o *offer) violation(row phoneRow, there bool) string {
	if o.withdrawn && there {
		return "is there, and was withdrawn"
	}
	if !there && !o.asked {
		return "is lost"
	}
	if there && row.Price != o.price && !slices.Contains(o.maybe, row.Price) {
		return fmt.Sprintf("costs %d, want %d, or one of %v", row.Price, o.price, o.maybe)
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

// own is the number of goroutines that the test's own servers may add.
const own = 3

// checkNoLeaks stops all nodes, and fails the test if goroutines or connections are
// left.
func (e *env) checkNoLeaks(t *testing.T) {
	t.Helper()
	e.closeWindows()
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
	waitUntilNone(t, "the nodes have released their resources", func() string {
		now := e.resources(t)
		// A connection that is closing has goroutines for a moment, and one of a pool that has grown has those
		// that read from it and write to it.
		grown := max(0, now.redis-before.redis) + max(0, now.mongo-before.mongo)
		if now.goroutines > before.goroutines+20+6*grown || now.redis > len(e.urls)*redisPool || now.mongo > len(e.urls)*mongoPool {
			return fmt.Sprintf("%+v, were %+v", now, before)
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
func (e *env) checkRecovery(t *testing.T, before resources, node int, over time.Time) {
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
	e.checkResources(t, before)
}
