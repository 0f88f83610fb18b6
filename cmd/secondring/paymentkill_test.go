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
	"testing"
	"time"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/nodetest"
	"secondring/cmd/secondring/settings"
	"secondring/market/markettest"
)

// killEnv has the path of a file that tells the server when to kill itself: "NAME N before"
// or "NAME N after" the N-th write since the file has this content.
const killEnv = "SECONDRING_TEST_KILL"

// serveWithKiller runs the server with a store that kills the process as the file says.
func serveWithKiller(ctx context.Context, file string) error {
	s, err := settings.Read(os.Getenv)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	a, err := app.New(ctx, s, app.Options{Log: log, StoreHook: markettest.GuardHook((&killer{file: file}).guard)})
	if err != nil {
		return err
	}
	return a.Run(ctx)
}

// killer kills the process at a write.
type killer struct {
	file  string
	mu    sync.Mutex
	spec  string // the content of the file
	count int    // of writes since spec changed
}

// isDue returns whether the process is to be killed before or after this write.
func (k *killer) isDue() (before, after bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	spec, err := os.ReadFile(k.file)
	if err != nil {
		return false, false // no kill is planned
	}
	if string(spec) != k.spec {
		k.spec, k.count = string(spec), 0
	}
	k.count++
	var name, side string
	var n int
	if _, err := fmt.Sscan(k.spec, &name, &n, &side); err != nil || n != k.count {
		return false, false
	}
	return side == "before", side == "after"
}

// guard makes a write, and kills the process before or after it if that is due.
func (k *killer) guard(write func() error) error {
	before, after := k.isDue()
	if before {
		nodetest.KillSelf()
	}
	err := write()
	if _, missing := os.Stat(k.file); after && missing == nil { // the test removes the file when it stops waiting for the kill
		nodetest.KillSelf()
	}
	return err
}

// paymentEnv is a server with a buyer who pays.
type paymentEnv struct {
	*testServer
	killFile string // the path that killEnv has
	buyer    string // the token
	email    string // the buyer's
	key      string // the publishable key
	restarts int    // after a kill
	// The last payment intent, for checks after a restart.
	intentID, clientSecret string
}

// The process is killed before and after each write between a booking and its payment, and
// restarted. If the card was charged, the server completes the payment itself. Otherwise the
// buyer loads the payment screen again. In the end there is one payment.
func TestServerKilledAtEachStepOfAPayment(t *testing.T) {
	t.Parallel() // it waits for processes most of the time
	e := &paymentEnv{testServer: newTestServer(t), killFile: filepath.Join(t.TempDir(), "kill")}
	e.kill()
	e.env = append(e.env, killEnv+"="+e.killFile)
	e.open()
	sellerMail, seller := e.signUp("sela", "Seller")
	e.email, e.buyer = e.signUp("bea", "User")
	e.key = e.publishableKey()
	killCount := 0
	for _, side := range []string{"before", "after"} {
		for n, wasKilled := 1, true; wasKilled; n++ {
			phone := e.phones(sellerMail, seller, 1)[0]
			booking := e.book(e.buyer, phone)
			before := e.restarts
			e.payUntilKilled(fmt.Sprintf("%s %d %s", booking, n, side), booking)
			e.checkPaid(booking, phone, sellerMail, seller)
			if wasKilled = e.restarts > before; wasKilled {
				killCount++
			}
		}
	}
	t.Logf("the server was killed %d times", killCount)
	if killCount < 14 { // before and after: two records of the intent, the booking, the confirmation, four writes of the payment
		t.Errorf("the server was killed %d times, want at least 14: the killer does not count all writes", killCount)
	}
}

// payUntilKilled pays while the server kills itself at a write, and continues after a restart.
func (e *paymentEnv) payUntilKilled(spec, booking string) {
	e.t.Helper()
	e.intentID, e.clientSecret = "", ""
	if err := os.WriteFile(e.killFile, []byte(spec), 0o600); err != nil {
		e.t.Fatal(err)
	}
	err := e.checkOut(booking)
	if err := os.Remove(e.killFile); err != nil {
		e.t.Fatal(err)
	}
	if errors.Is(err, errServerDown) {
		e.reopen()
		if e.isCharged() {
			e.waitUntilPaid(booking)
		}
		err = e.checkOut(booking)
	}
	if err != nil {
		e.t.Fatalf("%s: %v", spec, err)
	}
}

// reopen starts the server again after it has killed itself.
func (e *paymentEnv) reopen() {
	e.t.Helper()
	_ = e.cmd.Wait() // returns an error because of the signal
	e.restarts++
	e.open()
}

// mustGet requests a path. It restarts the server if it was killed after its last response.
func (e *paymentEnv) mustGet(path, token string, into any) {
	e.t.Helper()
	if _, err := e.call(http.MethodGet, path, token, nil, into); err != nil {
		e.reopen()
		e.mustCall(http.MethodGet, path, token, nil, into)
	}
}

var errServerDown = errors.New("the server is down")

// checkOut makes the calls of the payment screen.
func (e *paymentEnv) checkOut(booking string) error {
	var opened struct{ ClientSecret string }
	status, err := e.call(http.MethodPost, "/create-payment-intent", e.buyer, map[string]any{"price": 100, "bookingId": booking}, &opened)
	if err != nil {
		return errServerDown
	}
	if status == http.StatusConflict {
		return nil // the booking is already paid
	}
	id, _, _ := strings.Cut(opened.ClientSecret, "_secret")
	e.intentID, e.clientSecret = id, opened.ClientSecret
	in, err := e.intent(http.MethodGet, id, "", url.Values{})
	if err == nil && in.Status != "succeeded" {
		in, err = e.intent(http.MethodPost, id, "/confirm", url.Values{"payment_method": {"pm_card_visa"}})
	}
	if err != nil {
		return err
	}
	if in.Status != "succeeded" || in.Amount != 100_00 {
		return fmt.Errorf("the intent is %+v, want it succeeded with 10000", in)
	}
	payment := map[string]any{"price": 100, "bookingId": booking, "transactionId": id, "email": e.email}
	var first, second written
	for _, into := range []*written{&first, &second} {
		switch status, err := e.call(http.MethodPost, "/payments", e.buyer, payment, into); {
		case err != nil:
			return errServerDown
		case status != http.StatusOK:
			return fmt.Errorf("POST /payments returns %d", status)
		}
	}
	if first != second || first.InsertedID == "" {
		return fmt.Errorf("two equal calls of POST /payments return %v and %v, want the same payment", first, second)
	}
	return nil
}

type sandboxIntent struct {
	ID     string
	Status string
	Amount int
}

// intent calls the sandbox about a payment intent, as the browser does.
func (e *paymentEnv) intent(method, id, action string, values url.Values) (in sandboxIntent, err error) {
	target := "http://" + e.addr + "/sandbox/stripe/v1/payment_intents/" + id + action
	values.Set("client_secret", e.clientSecret)
	body := strings.NewReader(values.Encode())
	if method == http.MethodGet {
		target += "?" + values.Encode()
	}
	request, err := http.NewRequestWithContext(context.Background(), method, target, body)
	if err != nil {
		return in, err
	}
	request.Header.Set("Authorization", "Bearer "+e.key)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return in, errServerDown
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return in, fmt.Errorf("%s %s: %d", method, action, response.StatusCode)
	}
	if err := json.NewDecoder(response.Body).Decode(&in); err != nil {
		return in, errServerDown // it was killed while it sent the response
	}
	return in, nil
}

// isCharged returns whether the card was charged.
func (e *paymentEnv) isCharged() bool {
	e.t.Helper()
	if e.intentID == "" {
		return false
	}
	in, err := e.intent(http.MethodGet, e.intentID, "", url.Values{})
	if err != nil {
		e.t.Fatal(err)
	}
	return in.Status == "succeeded"
}

// waitUntilPaid waits until the server has completed a charged payment itself.
func (e *paymentEnv) waitUntilPaid(booking string) {
	e.t.Helper()
	deadline := time.Now().Add(3 * time.Minute)
	for ; time.Now().Before(deadline); <-time.After(20 * time.Millisecond) {
		var order struct{ Paid bool }
		e.mustCall(http.MethodGet, "/booking/"+booking, e.buyer, nil, &order)
		if order.Paid {
			return
		}
	}
	e.t.Errorf("the card is charged, and booking %s is not paid after 20s", booking)
}

// checkPaid fails the test unless the booking is paid and its phone is sold to its buyer.
func (e *paymentEnv) checkPaid(booking, phone, sellerMail, seller string) {
	e.t.Helper()
	var order struct {
		Status        string
		TransactionID string
	}
	e.mustGet("/booking/"+booking, e.buyer, &order)
	if order.Status != "paid" || order.TransactionID == "" {
		e.t.Errorf("booking %s is %+v, want it paid with a transaction", booking, order)
	}
	var phones []struct {
		ID    string `json:"_id"`
		Sold  bool
		Buyer struct{ Email string }
	}
	e.mustGet("/products?limit=1&email="+sellerMail, seller, &phones)
	if p := phones[0]; p.ID != phone || !p.Sold || p.Buyer.Email != e.email {
		e.t.Errorf("the phone is %+v, want %s sold to %s", p, phone, e.email)
	}
}
