package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/market/markettest"
)

// With this in its environment, a server kills itself at the write that the file of that
// name says: "CASE N before" or "CASE N after" its N-th write.
const killMark = "SECONDRING_TEST_KILL"

// serveWithKiller runs the server over a store that may kill the process.
func serveWithKiller(ctx context.Context, file string) error {
	s, err := settings.Read(os.Getenv)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	a, err := app.New(ctx, s, app.Options{Log: log, Store: func(store market.Store) market.Store {
		return markettest.Guarded{Store: store, Guard: (&killer{file: file}).guard}
	}})
	if err != nil {
		return err
	}
	return a.Run(ctx)
}

// killer kills the process at one of its writes.
type killer struct {
	file  string
	mu    sync.Mutex
	spec  string
	count int
}

// isDue tells whether the process is to be killed before or after this write.
func (m *killer) isDue() (before, after bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	spec, err := os.ReadFile(m.file)
	if err != nil {
		return false, false // no kill is planned
	}
	if string(spec) != m.spec {
		m.spec, m.count = string(spec), 0
	}
	m.count++
	var name, side string
	var n int
	if _, err := fmt.Sscan(m.spec, &name, &n, &side); err != nil || n != m.count {
		return false, false
	}
	return side == "before", side == "after"
}

// guard makes a write, and kills the process before or after it if that is due.
func (m *killer) guard(write func() error) error {
	before, after := m.isDue()
	if before {
		killSelf()
	}
	err := write()
	if _, missing := os.Stat(m.file); after && missing == nil { // a slow write may end when the kill is not planned any more
		killSelf()
	}
	return err
}

func killSelf() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // nothing more is done
}

// paymentEnv is a server with a buyer who pays.
type paymentEnv struct {
	*testServer
	killFile string // the file
	buyer    string // the token
	email    string
	key      string // publishable
	restarts int    // how often it was started again
	// The last intent's id and secret, which a browser would have lost.
	id, secret string
}

// The process is killed before and after each write between a booking and its payment,
// and restarted. The buyer continues as a browser does, or leaves and the server
// finishes: there is one payment in the end.
func TestServerKilledAtEachStepOfAPayment(t *testing.T) {
	t.Parallel() // it waits for processes most of the time
	c := &paymentEnv{testServer: newTestServer(t), killFile: filepath.Join(t.TempDir(), "death")}
	c.kill()
	c.env = append(c.env, killMark+"="+c.killFile)
	c.open()
	sellerMail, seller := c.person("sela", "Seller")
	c.email, c.buyer = c.person("bea", "User")
	var config struct {
		Stripe struct{ PublishableKey string }
	}
	c.must(http.MethodGet, "/config", "", nil, &config)
	c.key = config.Stripe.PublishableKey
	killCount := 0
	for _, side := range []string{"before", "after"} {
		for n, wasKilled := 1, true; wasKilled; n++ {
			phone := c.phones(sellerMail, seller, 1)[0]
			var booking written
			c.must(http.MethodPut, "/bookings", c.buyer, map[string]string{"productID": phone, "phone": "01700000"}, &booking)
			before := c.restarts
			c.payUntilKilled(fmt.Sprintf("%s %d %s", booking.InsertedID, n, side), booking.InsertedID)
			c.settled(booking.InsertedID, phone, sellerMail, seller)
			if wasKilled = c.restarts > before; wasKilled {
				killCount++
			}
		}
	}
	t.Logf("killed %d times", killCount)
	if killCount < 14 { // the intent's two records and booking, the confirm, four steps to settle; both sides of each
		t.Errorf("killed %d times only: are the writes still seen?", killCount)
	}
}

// payUntilKilled has the server kill itself at a step, pays, and continues after a restart.
func (c *paymentEnv) payUntilKilled(spec, booking string) {
	c.t.Helper()
	c.id, c.secret = "", ""
	if err := os.WriteFile(c.killFile, []byte(spec), 0o600); err != nil {
		c.t.Fatal(err)
	}
	err := c.checkOut(booking)
	if err := os.Remove(c.killFile); err != nil {
		c.t.Fatal(err)
	}
	if errors.Is(err, errGone) {
		c.reopen()
		if c.charged() {
			c.alone(booking)
		}
		err = c.checkOut(booking)
	}
	if err != nil {
		c.t.Fatalf("%s: %v", spec, err)
	}
}

// reopen starts the server again after it has killed itself.
func (c *paymentEnv) reopen() {
	c.t.Helper()
	_ = c.cmd.Wait() // by a signal, as it was sent
	c.restarts++
	c.open()
}

// get reads from the server, which may still be killed after the buyer's last response.
func (c *paymentEnv) get(path, token string, into any) {
	c.t.Helper()
	if _, err := c.call(http.MethodGet, path, token, nil, into); err != nil {
		c.reopen()
		c.must(http.MethodGet, path, token, nil, into)
	}
}

var errGone = errors.New("the server is gone")

// checkOut is what the payment screen does, from loading it on.
func (c *paymentEnv) checkOut(booking string) error {
	var secret struct{ ClientSecret string }
	status, err := c.call(http.MethodPost, "/create-payment-intent", c.buyer, map[string]any{"price": 100, "bookingId": booking}, &secret)
	if err != nil {
		return errGone
	}
	if status == http.StatusConflict {
		return nil // paid already
	}
	id, _, _ := strings.Cut(secret.ClientSecret, "_secret")
	c.id, c.secret = id, secret.ClientSecret
	in, err := c.intent(http.MethodGet, id, "", url.Values{})
	if err == nil && in.Status != "succeeded" {
		in, err = c.intent(http.MethodPost, id, "/confirm", url.Values{"payment_method": {"pm_card_visa"}})
	}
	if err != nil {
		return err
	}
	if in.Status != "succeeded" || in.Amount != 100_00 {
		return fmt.Errorf("the intent is %+v", in)
	}
	payment := map[string]any{"price": 100, "bookingId": booking, "transactionId": id, "email": c.email}
	var first, again written
	for _, into := range []*written{&first, &again} {
		switch status, err := c.call(http.MethodPost, "/payments", c.buyer, payment, into); {
		case err != nil:
			return errGone
		case status != http.StatusOK:
			return fmt.Errorf("POST /payments: %d", status)
		}
	}
	if first != again || first.InsertedID == "" {
		return fmt.Errorf("recorded as %v and as %v", first, again)
	}
	return nil
}

type sandboxIntent struct {
	ID     string
	Status string
	Amount int
}

// intent calls the sandbox as the browser does.
func (c *paymentEnv) intent(method, id, what string, values url.Values) (in sandboxIntent, err error) {
	address := "http://" + c.addr + "/sandbox/stripe/v1/payment_intents/" + id + what
	values.Set("client_secret", c.secret)
	body := strings.NewReader(values.Encode())
	if method == http.MethodGet {
		address += "?" + values.Encode()
	}
	request, err := http.NewRequestWithContext(context.Background(), method, address, body)
	if err != nil {
		return in, err
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return in, errGone
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return in, fmt.Errorf("%s %s: %d", method, what, answer.StatusCode)
	}
	if err := json.NewDecoder(answer.Body).Decode(&in); err != nil {
		return in, errGone // in the middle of the answer
	}
	return in, nil
}

// charged tells whether the card was.
func (c *paymentEnv) charged() bool {
	c.t.Helper()
	if c.id == "" {
		return false
	}
	in, err := c.intent(http.MethodGet, c.id, "", url.Values{})
	if err != nil {
		c.t.Fatal(err)
	}
	return in.Status == "succeeded"
}

// alone waits until the server, asked nothing, has finished a charged payment.
func (c *paymentEnv) alone(booking string) {
	c.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for ; time.Now().Before(deadline); <-time.After(20 * time.Millisecond) {
		var order struct{ Paid bool }
		c.must(http.MethodGet, "/booking/"+booking, c.buyer, nil, &order)
		if order.Paid {
			return
		}
	}
	c.t.Errorf("booking %s: charged, and not paid", booking)
}

// settled fails the test unless the booking is paid and its phone is sold to its buyer.
func (c *paymentEnv) settled(booking, phone, sellerMail, seller string) {
	c.t.Helper()
	var order struct {
		Status        string
		TransactionID string
	}
	c.get("/booking/"+booking, c.buyer, &order)
	if order.Status != "paid" || order.TransactionID == "" {
		c.t.Errorf("booking %s: %+v", booking, order)
	}
	var phones []struct {
		ID    string `json:"_id"`
		Sold  bool
		Buyer struct{ Email string }
	}
	c.get("/products?limit=1&email="+sellerMail, seller, &phones)
	if p := phones[0]; p.ID != phone || !p.Sold || p.Buyer.Email != c.email {
		c.t.Errorf("phone %+v", p)
	}
}
