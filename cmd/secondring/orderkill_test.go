package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"secondring/hub/redisbroker/redistest"
	"secondring/store/mongo/mongotest"
)

// orderEnv is a server that kills itself, with a buyer, a seller and an admin.
type orderEnv struct {
	*paymentEnv
	second                    *testServer // a second node, which is not killed; nil on a single node
	sellerMail, seller, admin string
	killCount                 int
}

var orderSettings = []string{"COMMISSION=10", "SETTLE_AFTER=1s", "TOKEN_SECRET=" + testSecret}

func newOrderEnv(t *testing.T, env ...string) *orderEnv {
	t.Helper()
	e := &orderEnv{paymentEnv: &paymentEnv{testServer: newTestServer(t, append(env, orderSettings...)...), killFile: filepath.Join(t.TempDir(), "kill")}}
	e.sellerMail, e.seller = e.signUp("sela", "Seller")
	e.email, e.buyer = e.signUp("bea", "User")
	e.createAdmin("boss@example.com")
	e.admin = e.signIn("boss@example.com")
	e.key = e.publishableKey()
	e.kill()
	e.env = append(e.env, killEnv+"="+e.killFile)
	e.open()
	return e
}

// newOrderEnvOfTwoNodes returns an orderEnv on Redis and FerretDB, with a second node.
func newOrderEnvOfTwoNodes(t *testing.T) *orderEnv {
	t.Helper()
	server, err := mongotest.Start()
	if err != nil {
		t.Fatal(err)
	}
	shared := []string{"MONGODB_URI=" + server.Database(), "REDIS_URL=" + redistest.Start(t).URL}
	e := newOrderEnv(t, shared...)
	e.second = newTestServer(t, append(shared, orderSettings...)...)
	return e
}

// onSecond makes the calls of f at the second node, if there is one.
func (e *orderEnv) onSecond(f func()) {
	if e.second == nil {
		f()
		return
	}
	first := e.testServer
	e.testServer = e.second
	defer func() { e.testServer = first }()
	f()
}

// callWithRestart makes a call. If the server is killed during the call, it restarts the
// server and repeats the call.
func (e *orderEnv) callWithRestart(method, path, token string, body, into any) (status int) {
	e.t.Helper()
	for range 3 {
		status, err := e.call(method, path, token, body, into)
		if err == nil {
			return status
		}
		e.reopenAfterKill()
	}
	e.t.Fatalf("%s %s: the server was killed three times", method, path)
	return 0
}

// reopenAfterKill removes the kill file and starts the server again.
func (e *orderEnv) reopenAfterKill() {
	e.t.Helper()
	if err := os.Remove(e.killFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		e.t.Fatal(err)
	}
	e.reopen()
}

// killDuringStep runs a step of an order while the server kills itself at the write that spec
// names. A repeated step may return 409, because it was complete before the kill.
func (e *orderEnv) killDuringStep(spec string, step func() (status int)) {
	e.t.Helper()
	before := e.restarts
	if err := os.WriteFile(e.killFile, []byte(spec), 0o600); err != nil {
		e.t.Fatal(err)
	}
	if status := step(); status != http.StatusOK && (e.restarts == before || status != http.StatusConflict) {
		e.t.Errorf("step %s returns %d", spec, status)
	}
	if err := os.Remove(e.killFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		e.t.Fatal(err)
	}
	e.callWithRestart(http.MethodGet, "/healthz", "", nil, nil) // restarts the server if it was killed after its last response
	e.killCount += e.restarts - before
}

// order is an order as an admin sees it.
type order struct {
	ID         string `json:"_id"`
	Status     string
	Fulfilment *struct{ State, Outcome string }
	Money      *struct{ Charged, Refunded, Commission, PaidOut, Waiting int64 }
}

// waitForState waits until the order has that status, state and outcome at the second node,
// or at the first if it is the only one.
func (e *orderEnv) waitForState(id, want string) (status int) {
	e.t.Helper()
	e.onSecond(func() { status = e.poll(id, want) })
	return status
}

func (e *orderEnv) poll(id, want string) (status int) {
	e.t.Helper()
	got := ""
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); <-time.After(20 * time.Millisecond) {
		var o order
		e.callWithRestart(http.MethodGet, "/booking/"+id, e.admin, nil, &o)
		if o.Fulfilment != nil {
			got = o.Status + " " + o.Fulfilment.State + " " + o.Fulfilment.Outcome
		}
		if got == want {
			return http.StatusOK
		}
	}
	e.t.Fatalf("the order is %q, want %q", got, want)
	return 0
}

// pay pays for a booking. It loads the payment screen again after the server was killed.
func (e *orderEnv) pay(id string) (status int) {
	e.t.Helper()
	for range 3 {
		err := e.checkOut(id)
		if err == nil {
			return http.StatusOK
		}
		if !errors.Is(err, errServerDown) {
			e.t.Fatal(err)
		}
		e.reopenAfterKill()
	}
	e.t.Fatal("the server was killed three times")
	return 0
}

// runOrders takes three orders from their payment to their end: one is handed over and paid
// out, one has a problem and is refunded, and the phone of one is returned before the refund. The server
// is killed after the first write of each step.
func (e *orderEnv) runOrders() {
	e.t.Helper()
	phones := e.phones(e.sellerMail, e.seller, 3)
	put := func(path, token string, body any) func() int {
		return func() int { return e.callWithRestart(http.MethodPut, path, token, body, nil) }
	}
	type fields map[string]string
	completed, disputed, returned := e.book(e.buyer, phones[0]), e.book(e.buyer, phones[1]), e.book(e.buyer, phones[2])
	do := func(name string, step func() int) { e.killDuringStep(name+" 1 after", step) }
	var code struct{ Code string }

	do("pay", func() int { return e.pay(completed) })
	do("code", func() int {
		return e.callWithRestart(http.MethodPost, "/bookings/"+completed+"/handover", e.buyer, nil, &code)
	})
	do("handOver", put("/bookings/"+completed+"/fulfilment", e.seller, fields{"action": "handed", "code": code.Code}))
	do("settle", func() int { return e.waitForState(completed, "paid settled release") })
	do("payout", put("/orders/"+completed+"/payout", e.admin, fields{"reference": "transfer 1"}))

	do("payDisputed", func() int { return e.pay(disputed) })
	do("dispute", put("/bookings/"+disputed+"/fulfilment", e.buyer, fields{"action": "problem", "reason": "It is broken."}))
	do("decide", put("/bookings/"+disputed+"/fulfilment", e.admin, fields{"action": "settle", "outcome": "refund", "reason": "It is broken."}))
	do("refund", func() int { return e.waitForState(disputed, "refunded settled refund") })

	step := func(name, token string, body fields) { do(name, put("/bookings/"+returned+"/fulfilment", token, body)) }
	do("payReturned", func() int { return e.pay(returned) })
	step("send", e.seller, fields{"action": "send", "carrier": "Post", "tracking": "1"})
	step("problem", e.buyer, fields{"action": "problem", "reason": "It is broken.", "category": "damaged"})
	step("answer", e.seller, fields{"action": "answer", "text": "It was whole."})
	step("decideReturn", e.admin, fields{"action": "settle", "outcome": "return", "reason": "It is broken."})
	step("return", e.buyer, fields{"action": "return", "carrier": "Post", "tracking": "2"})
	step("returned", e.seller, fields{"action": "returned"})
	do("refundReturned", func() int { return e.waitForState(returned, "refunded settled refund") })
}

// checkMoney checks the money of the orders on each node, and runs the command reconcile.
func (e *orderEnv) checkMoney() {
	e.t.Helper()
	e.checkMoneyOnNode()
	e.onSecond(e.checkMoneyOnNode)
	if out, code := e.command("", "reconcile"); code != 0 {
		e.t.Errorf("reconcile exits with %d: %s", code, out)
	}
}

// checkMoneyOnNode fails the test unless the admin and the seller see the money of the orders.
func (e *orderEnv) checkMoneyOnNode() {
	e.t.Helper()
	var orders []order
	e.callWithRestart(http.MethodGet, "/orders?limit=200", e.admin, nil, &orders)
	counts := map[string]int{}
	for _, o := range orders {
		m := o.Money
		if m == nil || m.Charged != m.Refunded+m.PaidOut+m.Commission+m.Waiting {
			e.t.Errorf("the amounts of order %s do not add up: %+v", o.ID, m)
			continue
		}
		counts[fmt.Sprintf("%s %+v", o.Status, *m)]++
	}
	want := map[string]int{
		"paid {Charged:10000 Refunded:0 Commission:1000 PaidOut:9000 Waiting:0}":   1,
		"refunded {Charged:10000 Refunded:10000 Commission:0 PaidOut:0 Waiting:0}": 2,
	}
	if fmt.Sprint(counts) != fmt.Sprint(want) {
		e.t.Errorf("the orders are %v, want %v", counts, want)
	}
	var earnings struct{ Earned, Waiting, PaidOut int64 }
	e.callWithRestart(http.MethodGet, "/earnings", e.seller, nil, &earnings)
	if earnings.Earned != 9000 || earnings.PaidOut != 9000 || earnings.Waiting != 0 {
		e.t.Errorf("the earnings are %+v, want 9000 earned and paid out", earnings)
	}
}

// orderEnvs has both stores: SQLite on one node, and FerretDB (the protocol of MongoDB) on two.
var orderEnvs = map[string]func(*testing.T) *orderEnv{
	"SQLite":                            func(t *testing.T) *orderEnv { t.Helper(); return newOrderEnv(t) },
	"two nodes with Redis and FerretDB": newOrderEnvOfTwoNodes,
}

func TestServerKilledInEachStepOfAnOrder(t *testing.T) {
	for name, open := range orderEnvs {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it waits for processes most of the time
			e := open(t)
			e.runOrders()
			if e.killCount < 12 {
				t.Errorf("the server was killed %d times, want at least 12: the killer does not count all writes", e.killCount)
			}
			e.checkMoney()
		})
	}
}
