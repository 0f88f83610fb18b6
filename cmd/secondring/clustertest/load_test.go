package clustertest_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// callLog has the calls of the load: those that were acknowledged, and those without a
// response.
type callLog struct {
	mu         sync.Mutex
	bookings   map[string]*order   // by the booking's id
	phones     map[string]*listing // by the phone's id
	calls      []callRecord
	violations map[string]int // descriptions of forbidden responses, and how often they occurred
}

type order struct {
	buyer, phone               string
	cancelRequested, cancelled bool // whether cancellation was requested, and acknowledged
}

// listing is a phone that was added. One worker at a time changes it.
type listing struct {
	seller           *account
	name             string
	price            int   // the last acknowledged price
	unansweredPrices []int // requested later, without a response
	deleteRequested  bool  // whether deletion was requested
	deleted          bool  // whether deletion was acknowledged
	inUse            bool
}

// callRecord is a call and its result.
type callRecord struct {
	what   string
	status int
	at     time.Time // start of the call
	took   time.Duration
}

func newCallLog() *callLog {
	return &callLog{bookings: map[string]*order{}, phones: map[string]*listing{}, violations: map[string]int{}}
}

// record records a response and checks the format of failures. mayExit says that the node
// may have exited.
func (l *callLog) record(what string, r reply, mayExit bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, callRecord{what: what, status: r.status, at: time.Now().Add(-r.took), took: r.took})
	var refusal struct{ Message, Code string }
	switch {
	case r.err != nil:
		if !mayExit {
			l.violations[fmt.Sprintf("%s: no response: %v", what, r.err)]++
		}
	case r.took > callLimit:
		l.violations[fmt.Sprintf("%s: %d after %v", what, r.status, r.took)]++
	case r.ok():
	case json.Unmarshal(r.body, &refusal) != nil || refusal.Message == "" || refusal.Code == "":
		l.violations[fmt.Sprintf("%s: %d %s", what, r.status, r.body)]++
	case r.status == http.StatusServiceUnavailable && r.header.Get("Retry-After") == "":
		l.violations[what+": 503 without Retry-After"]++
	case r.status >= http.StatusInternalServerError && r.status != http.StatusServiceUnavailable, r.status == http.StatusUnauthorized:
		l.violations[fmt.Sprintf("%s: %d %s", what, r.status, r.body)]++
	}
}

// load makes calls of all users to all nodes. pace is the average pause between two calls of
// a user.
type load struct {
	*env
	pace time.Duration
}

// workers returns the background tasks of all users, for runWith.
func (l *load) workers() []func(stop <-chan struct{}) {
	var all []func(stop <-chan struct{})
	for i, b := range l.buyers {
		all = append(all, l.work(func() { l.buy(l.node(i), b) }))
	}
	for i, s := range l.sellers {
		all = append(all, l.work(func() { l.sell(l.node(i), s) }))
	}
	for i, b := range l.buyers {
		all = append(all, l.work(func() {
			l.send("list", l.node(i), b, http.MethodGet, "/categories/"+l.brands[i%len(l.brands)].ID+"?limit=200", nil)
			l.send("list", l.node(i), b, http.MethodGet, "/bookings?limit=200&email="+b.email, nil)
		}))
	}
	return all
}

// node returns the node of the i-th user. It is mostly the same one, as with a load balancer.
func (l *load) node(i int) int {
	open := int(l.open.Load())
	if rand.IntN(8) == 0 {
		return rand.IntN(open)
	}
	return i % open
}

func (l *load) work(do func()) func(stop <-chan struct{}) {
	return func(stop <-chan struct{}) {
		for pause(stop, l.pace/2+rand.N(l.pace)) {
			do()
		}
	}
}

// send makes a call and records its response.
func (l *load) send(what string, node int, account *account, method, path string, body any) reply {
	r := l.call(node, account, method, path, body)
	l.acknowledged.record(what, r, node == l.dyingNode)
	return r
}

// buy books a phone, and cancels two thirds of the bookings.
func (l *load) buy(node int, buyer *account) {
	phone := l.acknowledged.randomPhone(nil)
	if phone == "" {
		return
	}
	r := l.send("book", node, buyer, http.MethodPut, "/bookings", map[string]string{"productID": phone, "phone": "01700000"})
	var added insertedResponse
	if !r.ok() || json.Unmarshal(r.body, &added) != nil {
		return
	}
	o := l.acknowledged.order(added.InsertedID, buyer, phone)
	if rand.IntN(3) == 0 {
		return
	}
	l.acknowledged.locked(func() { o.cancelRequested = true })
	r = l.send("cancel", node, buyer, http.MethodDelete, "/bookings/"+added.InsertedID, nil)
	l.acknowledged.locked(func() { o.cancelled = o.cancelled || r.ok() })
}

type insertedResponse struct{ InsertedID string }

// sell adds, changes or deletes a phone. A seller without a phone adds one.
func (l *load) sell(node int, seller *account) {
	id := l.acknowledged.reservePhone(seller)
	if id == "" {
		l.addPhone(node, seller)
		return
	}
	var o *listing
	l.acknowledged.locked(func() { o = l.acknowledged.phones[id] })
	defer l.acknowledged.locked(func() { o.inUse = false })
	switch rand.IntN(6) {
	case 0, 1:
		l.addPhone(node, seller)
	case 2, 3, 4:
		price := 100 + rand.IntN(400)
		l.acknowledged.locked(func() { o.unansweredPrices = append(o.unansweredPrices, price) })
		r := l.send("change price", node, seller, http.MethodPatch, "/products/"+id, map[string]int{"resalePrice": price})
		l.acknowledged.locked(func() {
			if r.ok() {
				o.price, o.unansweredPrices = price, nil
			}
		})
	case 5:
		l.acknowledged.locked(func() { o.deleteRequested = true })
		r := l.send("delete phone", node, seller, http.MethodDelete, "/products/"+id, nil)
		l.acknowledged.locked(func() { o.deleted = r.ok() })
	}
}

// addPhone adds a phone and returns its id, or "" if that was not acknowledged.
func (e *env) addPhone(node int, seller *account) string {
	brand, name := e.brands[rand.IntN(len(e.brands))], fmt.Sprint("Phone ", serial.Add(1))
	r := e.call(node, seller, http.MethodPost, "/products", newPhone(name, brand, seller.name, seller.email))
	e.acknowledged.record("add", r, node == e.dyingNode)
	var added insertedResponse
	if !r.ok() || json.Unmarshal(r.body, &added) != nil {
		return ""
	}
	e.acknowledged.locked(func() { e.acknowledged.phones[added.InsertedID] = &listing{seller: seller, name: name, price: 100} })
	return added.InsertedID
}

var serial atomic.Int64 // makes the names of phones unique

func (l *callLog) locked(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
}

func (l *callLog) order(id string, buyer *account, phone string) *order {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bookings[id] == nil {
		l.bookings[id] = &order{buyer: buyer.email, phone: phone}
	}
	return l.bookings[id]
}

// randomPhone returns the id of a random phone that no worker changes, of this seller if it
// is not nil.
func (l *callLog) randomPhone(seller *account) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var ids []string
	for id, o := range l.phones {
		if !o.deleteRequested && !o.inUse && (seller == nil || o.seller == seller) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return ids[rand.IntN(len(ids))]
}

// reservePhone returns a random phone of a seller and reserves it for the caller.
func (l *callLog) reservePhone(seller *account) string {
	id := l.randomPhone(seller)
	if id != "" {
		l.locked(func() { l.phones[id].inUse = true })
	}
	return id
}

// callsOfLoad yields the calls of the load between two times, by what they do, and logs them.
func (e *env) callsOfLoad(t *testing.T, from, to time.Time) iter.Seq2[string, []callRecord] {
	t.Helper()
	return func(yield func(string, []callRecord) bool) {
		for _, what := range []string{"book", "cancel", "change price", "list"} {
			all := e.acknowledged.between(what, from, to)
			t.Logf("%s: %s%s", what, statuses(all), durationText(all))
			if !yield(what, all) {
				return
			}
		}
	}
}

// between returns the responses of one kind of call within a period.
func (l *callLog) between(what string, from, to time.Time) (all []callRecord) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range l.calls {
		if a.what == what && !a.at.Before(from) && a.at.Before(to) {
			all = append(all, a)
		}
	}
	return all
}

// durationStats returns the median, the 99th percentile and the maximum of the durations.
func durationStats(all []callRecord) (median, p99, longest time.Duration) {
	if len(all) == 0 {
		return 0, 0, 0
	}
	took := []time.Duration{}
	for _, a := range all {
		took = append(took, a.took)
	}
	slices.Sort(took)
	return took[len(took)/2], took[len(took)*99/100], took[len(took)-1]
}

// statuses counts the responses by status.
func statuses(all []callRecord) string {
	n := map[int]int{}
	for _, a := range all {
		n[a.status]++
	}
	text := ""
	for _, status := range slices.Sorted(maps.Keys(n)) {
		text += fmt.Sprintf("%d×%d ", status, n[status])
	}
	return text
}

// expectProgress waits until n more calls of a kind have succeeded.
func (e *env) expectProgress(t *testing.T, what string, n int) {
	t.Helper()
	from := time.Now()
	waitUntilNoProblem(t, fmt.Sprintf("%d calls to %s succeed", n, what), func() string {
		all := e.acknowledged.between(what, from, time.Now())
		if count(all, http.StatusOK) >= n {
			return ""
		}
		return "responses: " + statuses(all)
	})
}

func count(all []callRecord, status int) (n int) {
	for _, a := range all {
		if a.status == status {
			n++
		}
	}
	return n
}

func durationText(all []callRecord) string {
	median, p99, longest := durationStats(all)
	return fmt.Sprintf("%d calls, median %v, p99 %v, longest %v",
		len(all), median.Round(time.Millisecond), p99.Round(time.Millisecond), longest.Round(time.Millisecond))
}
