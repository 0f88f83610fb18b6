package clustertest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// acknowledgedWrites are acknowledged calls, and calls without a response.
type acknowledgedWrites struct {
	mu      sync.Mutex
	booked  map[string]*order // by the booking's id
	phones  map[string]*offer // by the phone's id
	answers []callRecord
	wrong   map[string]int // answers that nobody may get, and how often
}

type order struct {
	buyer, phone     string
	asked, cancelled bool // cancellation requested; acknowledged
}

// offer is a phone that was added. One worker at a time changes it.
type offer struct {
	seller    *account
	name      string
	price     int   // the last that was acknowledged
	maybe     []int // requested since, without a response
	asked     bool  // withdrawal requested
	withdrawn bool  // withdrawal acknowledged
	inUse     bool
}

// callRecord is one call of the load.
type callRecord struct {
	what   string
	status int
	at     time.Time // when it was made
	took   time.Duration
}

func newAcknowledged() *acknowledgedWrites {
	return &acknowledgedWrites{booked: map[string]*order{}, phones: map[string]*offer{}, wrong: map[string]int{}}
}

// note records a response and checks the format of failures. Gone means that the node
// may have died.
func (p *acknowledgedWrites) note(what string, r reply, gone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers = append(p.answers, callRecord{what: what, status: r.status, at: time.Now().Add(-r.took), took: r.took})
	var refusal struct{ Message, Code string }
	switch {
	case r.err != nil:
		if !gone {
			p.wrong[fmt.Sprintf("%s: no answer: %v", what, r.err)]++
		}
	case r.took > callLimit:
		p.wrong[fmt.Sprintf("%s: %d after %v", what, r.status, r.took)]++
	case r.ok():
	case json.Unmarshal(r.body, &refusal) != nil || refusal.Message == "" || refusal.Code == "":
		p.wrong[fmt.Sprintf("%s: %d %s", what, r.status, r.body)]++
	case r.status == http.StatusServiceUnavailable && r.header.Get("Retry-After") == "":
		p.wrong[what+": 503 without Retry-After"]++
	case r.status >= http.StatusInternalServerError && r.status != http.StatusServiceUnavailable, r.status == http.StatusUnauthorized:
		p.wrong[fmt.Sprintf("%s: %d %s", what, r.status, r.body)]++
	}
}

// load runs all users on all nodes; pace is the pause between two calls of one user.
type load struct {
	*env
	pace time.Duration
}

// workers returns the functions for during.
func (l *load) workers() []func(stop <-chan struct{}) {
	var all []func(stop <-chan struct{})
	for i, b := range l.buyers {
		all = append(all, l.work(func() { l.buy(l.node(i), b) }))
	}
	for i, s := range l.sellers {
		all = append(all, l.work(func() { l.sell(l.node(i), s) }))
	}
	return append(all, l.work(func() { l.reportPhone(l.node(0), l.buyers[0]) }), l.work(func() { l.administrate(l.node(1)) }))
}

// node returns the node of the i-th user: mostly the same, as with a load balancer.
func (l *load) node(i int) int {
	if rand.IntN(8) == 0 {
		return rand.IntN(len(l.urls))
	}
	return i % len(l.urls)
}

func (l *load) work(do func()) func(stop <-chan struct{}) {
	return func(stop <-chan struct{}) {
		for pause(stop, l.pace/2+rand.N(l.pace)) {
			do()
		}
	}
}

// send makes a call and records its response.
func (l *load) send(what string, node int, who *account, method, path string, body any) reply {
	r := l.call(node, who, method, path, body)
	l.acknowledged.note(what, r, l.allowsExit(node))
	return r
}

// buy books a phone and cancels most bookings.
func (l *load) buy(node int, who *account) {
	phone := l.acknowledged.any(nil)
	if phone == "" {
		return
	}
	r := l.send("book", node, who, http.MethodPut, "/bookings", map[string]string{"productID": phone, "phone": "01700000"})
	var made written
	if !r.ok() || json.Unmarshal(r.body, &made) != nil {
		return
	}
	o := l.acknowledged.order(made.InsertedID, who, phone)
	if rand.IntN(3) == 0 {
		return
	}
	l.acknowledged.set(func() { o.asked = true })
	r = l.send("cancel", node, who, http.MethodDelete, "/bookings/"+made.InsertedID, nil)
	l.acknowledged.set(func() { o.cancelled = o.cancelled || r.ok() })
}

type written struct{ InsertedID string }

// sell adds, changes, advertises or withdraws a phone. A seller without a phone adds one.
func (l *load) sell(node int, who *account) {
	id := l.acknowledged.take(who)
	if id == "" {
		l.addPhone(node, who)
		return
	}
	var o *offer
	l.acknowledged.set(func() { o = l.acknowledged.phones[id] })
	defer l.acknowledged.set(func() { o.inUse = false })
	switch rand.IntN(7) {
	case 0, 1:
		l.addPhone(node, who)
	case 6:
		l.send("advertise", node, who, http.MethodPut, "/products/advertise/"+id, nil)
	case 2, 3, 4:
		price := 100 + rand.IntN(400)
		l.acknowledged.set(func() { o.maybe = append(o.maybe, price) })
		r := l.send("reprice", node, who, http.MethodPatch, "/products/"+id, map[string]int{"resalePrice": price})
		l.acknowledged.set(func() {
			if r.ok() {
				o.price, o.maybe = price, nil
			}
		})
	case 5:
		l.acknowledged.set(func() { o.asked = true })
		r := l.send("withdraw", node, who, http.MethodDelete, "/products/"+id, nil)
		l.acknowledged.set(func() { o.withdrawn = r.ok() })
	}
}

// addPhone lists a phone and returns its id, or "" if that was not acknowledged.
func (e *env) addPhone(node int, who *account) string {
	brand, name := e.brands[rand.IntN(len(e.brands))], fmt.Sprint("Phone ", serial.Add(1))
	r := e.call(node, who, http.MethodPost, "/products", map[string]any{
		"name": name, "brand": brand.Name, "id": brand.ID, "img": "/images/a.jpg",
		"originalPrice": 500, "resalePrice": 100, "productCondition": "Good", "usedTime": "1 year",
		"description": "Rings.", "sellerName": who.name, "email": who.email, "location": "Dhaka", "phone": "01700000",
		"selling_post_date": "2026-11-01",
	})
	e.acknowledged.note("add", r, e.allowsExit(node))
	var made written
	if !r.ok() || json.Unmarshal(r.body, &made) != nil {
		return ""
	}
	e.acknowledged.set(func() { e.acknowledged.phones[made.InsertedID] = &offer{seller: who, name: name, price: 100} })
	return made.InsertedID
}

var serial atomic.Int64 // of phones' names

// reportPhone reports a phone.
func (l *load) reportPhone(node int, who *account) {
	phone := l.acknowledged.any(nil)
	l.send("report", node, who, http.MethodPost, "/reportedItems", map[string]string{"productID": phone, "reason": "Too cheap"})
}

// administrate verifies a seller who is not verified, or deletes a report.
func (l *load) administrate(node int) {
	var sellers, reports []struct {
		ID     string `json:"_id"`
		Status string
	}
	read := func(path string, into any) bool {
		r := l.send("look", node, l.chief, http.MethodGet, path, nil)
		return r.ok() && json.Unmarshal(r.body, into) == nil
	}
	if !read("/users/sellers", &sellers) || !read("/reportedItems", &reports) {
		return
	}
	for _, s := range sellers {
		if s.Status == "" {
			l.send("verify", node, l.chief, http.MethodPut, "/users/seller/"+s.ID, nil)
			return
		}
	}
	if len(reports) > 3 {
		l.send("settle", node, l.chief, http.MethodDelete, "/reportedItems/"+reports[len(reports)-1].ID, nil)
	}
}

func (p *acknowledgedWrites) set(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	do()
}

func (p *acknowledgedWrites) order(id string, who *account, phone string) *order {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.booked[id] == nil {
		p.booked[id] = &order{buyer: who.email, phone: phone}
	}
	return p.booked[id]
}

// any returns the id of a random phone, of this seller if of is not nil.
func (p *acknowledgedWrites) any(of *account) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var free []string
	for id, o := range p.phones {
		if !o.asked && !o.inUse && (of == nil || o.seller == of) {
			free = append(free, id)
		}
	}
	if len(free) == 0 {
		return ""
	}
	return free[rand.IntN(len(free))]
}

// take returns a random phone of a seller and reserves it for the caller.
func (p *acknowledgedWrites) take(of *account) string {
	id := p.any(of)
	if id != "" {
		p.set(func() { p.phones[id].inUse = true })
	}
	return id
}

// between returns the responses of one kind of call within a period.
func (p *acknowledgedWrites) between(what string, from, to time.Time) (all []callRecord) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.answers {
		if a.what == what && !a.at.Before(from) && a.at.Before(to) {
			all = append(all, a)
		}
	}
	return all
}

// pace returns the median, the 99th percentile and the maximum of the durations.
func pace(all []callRecord) (median, p99, most time.Duration) {
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

// readers returns functions that read lists on all nodes.
func (l *load) readers() []func(stop <-chan struct{}) {
	var all []func(stop <-chan struct{})
	for i, k := range l.views() {
		all = append(all, l.work(func() { l.send("list", i%len(l.urls), k.who, http.MethodGet, k.path, nil) }))
	}
	return all
}

// expectProgress waits until n more calls of a kind have succeeded.
func (e *env) expectProgress(t *testing.T, what string, n int) {
	t.Helper()
	from := time.Now()
	waitUntilNone(t, fmt.Sprintf("%d calls to %s succeed", n, what), func() string {
		all := e.acknowledged.between(what, from, time.Now())
		if count(all, http.StatusOK) >= n {
			return ""
		}
		return "answers: " + statuses(all)
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

func paceOf(all []callRecord) string {
	median, p99, most := pace(all)
	return fmt.Sprintf("%d calls, median %v, p99 %v, longest %v",
		len(all), median.Round(time.Millisecond), p99.Round(time.Millisecond), most.Round(time.Millisecond))
}
