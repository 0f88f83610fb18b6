package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/hub/redisbroker/redistest"
	"secondring/store/mongo/mongotest"
)

// orderEnv is a server that kills itself, with a seller and an admin.
type orderEnv struct {
	*paymentEnv
	other                     *testServer // a second node, which is not killed; nil without
	sellerMail, seller, admin string
	killCount                 int
}

const adminPassword = "secret-ring-of-an-admin"

func newOrderEnv(t *testing.T, env ...string) *orderEnv {
	t.Helper()
	env = append([]string{"COMMISSION=10", "SETTLE_AFTER=1s"}, env...)
	d := &orderEnv{paymentEnv: &paymentEnv{testServer: newTestServer(t, env...), killFile: filepath.Join(t.TempDir(), "death")}}
	if len(env) > 2 {
		d.other = newTestServer(t, env...)
	}
	d.sellerMail, d.seller = d.person("sela", "Seller")
	d.email, d.buyer = d.person("bea", "User")
	if out, code := d.command(adminPassword+"\n", "admin", "create", "boss@example.com"); code != 0 {
		t.Fatal(out)
	}
	var cookie string
	d.must(http.MethodPost, "/identity/sign-in", "", map[string]string{"email": "boss@example.com", "password": adminPassword}, &cookie)
	d.admin = d.token("boss@example.com", cookie)
	var config struct {
		Stripe struct{ PublishableKey string }
	}
	d.must(http.MethodGet, "/config", "", nil, &config)
	d.key = config.Stripe.PublishableKey
	d.kill()
	d.env = append(d.env, killMark+"="+d.killFile)
	d.open()
	return d
}

// newOrderEnvOfTwoNodes returns an orderEnv on Redis and FerretDB, with a second node.
func newOrderEnvOfTwoNodes(t *testing.T) *orderEnv {
	t.Helper()
	server, err := mongotest.Start()
	if err != nil {
		t.Fatal(err)
	}
	return newOrderEnv(t, "MONGODB_URI="+server.Database(), "REDIS_URL="+redistest.Start(t).URL, "TOKEN_SECRET="+strings.Repeat("s", 32))
}

// onOther makes the calls of do at the second node, if there is one.
func (d *orderEnv) onOther(do func()) {
	if d.other == nil {
		do()
		return
	}
	first := d.testServer
	d.testServer = d.other
	defer func() { d.testServer = first }()
	do()
}

// command runs a command of the product beside the server.
func (d *orderEnv) command(in string, args ...string) (out string, code int) {
	d.t.Helper()
	command := exec.CommandContext(d.t.Context(), os.Args[0], args...)
	command.Env = slices.DeleteFunc(slices.Clone(d.env), func(v string) bool { return strings.HasPrefix(v, killMark+"=") })
	command.Stdin = strings.NewReader(in)
	text, err := command.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return string(text), exit.ExitCode()
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text), 0
}

// ask makes a call. If the server is killed in it, ask starts the server again and repeats the call.
func (d *orderEnv) ask(method, path, token string, body, into any) (status int) {
	d.t.Helper()
	for range 3 {
		status, err := d.call(method, path, token, body, into)
		if err == nil {
			return status
		}
		d.reopenAfterKill()
	}
	d.t.Fatalf("%s %s: the server is killed again and again", method, path)
	return 0
}

// reopenAfterKill starts the server again after it has killed itself.
func (d *orderEnv) reopenAfterKill() {
	d.t.Helper()
	if err := os.Remove(d.killFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.t.Fatal(err)
	}
	d.reopen()
}

// step has the server kill itself at its n-th write from now on, and does a step of an order.
// The step may have been done before the kill.
func (d *orderEnv) step(spec string, do func() (status int)) {
	d.t.Helper()
	d.ask(http.MethodGet, "/healthz", "", nil, nil) // it may have been killed since the last step
	before := d.restarts
	if err := os.WriteFile(d.killFile, []byte(spec), 0o600); err != nil {
		d.t.Fatal(err)
	}
	if status := do(); status != http.StatusOK && (d.restarts == before || status != http.StatusConflict) {
		d.t.Errorf("%s: %d", spec, status)
	}
	if err := os.Remove(d.killFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.t.Fatal(err)
	}
	d.killCount += d.restarts - before
}

// order is an order as an admin sees it.
type order struct {
	ID         string `json:"_id"`
	Status     string
	Fulfilment *struct{ State, Outcome string }
	Money      *struct{ Charged, Refunded, Commission, PaidOut, Waiting int64 }
}

// waitFor waits until the order has that status, state and outcome.
func (d *orderEnv) waitFor(id, want string) (status int) {
	d.t.Helper()
	d.onOther(func() { status = d.poll(id, want) })
	return status
}

func (d *orderEnv) poll(id, want string) (status int) {
	d.t.Helper()
	is := ""
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); <-time.After(20 * time.Millisecond) {
		var o order
		d.ask(http.MethodGet, "/booking/"+id, d.admin, nil, &o)
		if o.Fulfilment != nil {
			is = o.Status + " " + o.Fulfilment.State + " " + o.Fulfilment.Outcome
		}
		if is == want {
			return http.StatusOK
		}
	}
	d.t.Fatalf("the order is %s, want %s", is, want)
	return 0
}

// pay pays as a browser does, which loads the screen again after the server was killed.
func (d *orderEnv) pay(id string) (status int) {
	d.t.Helper()
	for range 3 {
		err := d.checkOut(id)
		if err == nil {
			return http.StatusOK
		}
		if !errors.Is(err, errGone) {
			d.t.Fatal(err)
		}
		d.reopenAfterKill()
	}
	d.t.Fatal("the server is killed again and again")
	return 0
}

// live takes two orders from their payment to their end: one is handed over and paid out,
// the other has a problem and is refunded. The server is killed in each step, at the write that at names.
func (d *orderEnv) live(at string) {
	d.t.Helper()
	phones := d.phones(d.sellerMail, d.seller, 2)
	book := func(phone string) string {
		var b written
		d.must(http.MethodPut, "/bookings", d.buyer, map[string]string{"productID": phone, "phone": "01700000"}, &b)
		return b.InsertedID
	}
	put := func(path, token string, body any) func() int {
		return func() int { return d.ask(http.MethodPut, path, token, body, nil) }
	}
	type fields map[string]string
	met, bad := book(phones[0]), book(phones[1])
	do := func(name string, step func() int) { d.step(name+" "+at, step) }
	var code struct{ Code string }

	do("pay", func() int { return d.pay(met) })
	do("code", func() int { return d.ask(http.MethodPost, "/bookings/"+met+"/handover", d.buyer, nil, &code) })
	do("hand", put("/bookings/"+met+"/fulfilment", d.seller, fields{"action": "handed", "code": code.Code}))
	do("settle", func() int { return d.waitFor(met, "paid settled release") })
	do("payout", put("/orders/"+met+"/payout", d.admin, fields{"reference": "transfer 1"}))

	do("payAgain", func() int { return d.pay(bad) })
	do("problem", put("/bookings/"+bad+"/fulfilment", d.buyer, fields{"action": "problem", "reason": "It is broken."}))
	do("decide", put("/bookings/"+bad+"/fulfilment", d.admin, fields{"action": "settle", "outcome": "refund", "reason": "It is broken."}))
	do("refund", func() int { return d.waitFor(bad, "refunded settled refund") })
}

// balance checks the money on each node.
func (d *orderEnv) balance(pairs int) {
	d.t.Helper()
	d.ask(http.MethodGet, "/healthz", "", nil, nil)
	d.agree(pairs)
	if d.other != nil {
		d.onOther(func() { d.agree(pairs) })
	}
	if out, code := d.command("", "reconcile"); code != 0 {
		d.t.Errorf("reconcile exits with %d: %s", code, out)
	}
}

// agree fails the test unless the money of so many pairs of orders is where it should be,
// for the admin and for the seller.
func (d *orderEnv) agree(pairs int) {
	d.t.Helper()
	var orders []order
	d.ask(http.MethodGet, "/orders?limit=200", d.admin, nil, &orders)
	counts := map[string]int{}
	for _, o := range orders {
		m := o.Money
		if m == nil || m.Charged != m.Refunded+m.PaidOut+m.Commission+m.Waiting {
			d.t.Errorf("%s: %+v", o.ID, m)
			continue
		}
		counts[fmt.Sprintf("%s %+v", o.Status, *m)]++
	}
	want := map[string]int{
		"paid {Charged:10000 Refunded:0 Commission:1000 PaidOut:9000 Waiting:0}":   pairs,
		"refunded {Charged:10000 Refunded:10000 Commission:0 PaidOut:0 Waiting:0}": pairs,
	}
	if fmt.Sprint(counts) != fmt.Sprint(want) {
		d.t.Errorf("the orders are %v, want %v", counts, want)
	}
	var earnings struct{ Earned, Waiting, PaidOut int64 }
	d.ask(http.MethodGet, "/earnings", d.seller, nil, &earnings)
	if all := int64(pairs) * 9000; earnings.Earned != all || earnings.PaidOut != all || earnings.Waiting != 0 {
		d.t.Errorf("the seller sees %+v", earnings)
	}
}

// orderEnvs has both engines: SQLite on one node, MongoDB's protocol on two.
var orderEnvs = map[string]func(*testing.T) *orderEnv{
	"SQLite":                            func(t *testing.T) *orderEnv { t.Helper(); return newOrderEnv(t) },
	"two nodes with Redis and FerretDB": newOrderEnvOfTwoNodes,
}

func TestServerKilledInEachStepOfAnOrder(t *testing.T) {
	for name, open := range orderEnvs {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it waits for processes most of the time
			d := open(t)
			d.live("1 after")
			if d.killCount < 6 {
				t.Errorf("killed %d times only: are the writes still seen?", d.killCount)
			}
			d.balance(1)
		})
	}
}

// The large version of TestServerKilledInEachStepOfAnOrder: before and after each write of
// each step.
func TestServerKilledAtEachWriteOfAnOrder(t *testing.T) {
	for name, open := range orderEnvs {
		t.Run(name, func(t *testing.T) {
			d := open(t)
			pairs := 0
			for _, side := range []string{"before", "after"} {
				for n, wasKilled := 1, true; wasKilled; n++ {
					before := d.killCount
					d.live(fmt.Sprint(n, " ", side))
					pairs++
					d.balance(pairs)
					wasKilled = d.killCount > before
				}
			}
			t.Logf("killed %d times", d.killCount)
		})
	}
}
