package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"secondring/cmd/secondring/nodetest"
	stripesandbox "secondring/sandbox/stripe"
)

// transferEnv is a server that pays a seller by transfer.
type transferEnv struct {
	*paymentEnv
	admin, seller string // the tokens
	sandboxKey    string // the secret key of the sandbox
}

func TestServerKilledAfterEachStepOfATransfer(t *testing.T) { killAtEachStepOfATransfer(t, "after") }

func TestServerKilledBeforeEachStepOfATransfer(t *testing.T) { killAtEachStepOfATransfer(t, "before") }

// The process is killed before or after each write between the end of an order and its
// transfer, and again between its refund and the reversal of the transfer. After a restart
// the server continues by itself: the sandbox has one transfer, and it is reversed.
func killAtEachStepOfATransfer(t *testing.T, side string) {
	t.Parallel() // it waits for processes most of the time
	e := &transferEnv{paymentEnv: &paymentEnv{testServer: newTestServer(t), killFile: filepath.Join(t.TempDir(), "kill")}}
	e.sandboxKey, _, _ = stripesandbox.Keys([]byte(testSecret))
	e.kill()
	e.env = append(e.env, killEnv+"="+e.killFile, "PAYOUTS=stripe", "COMMISSION=10", "TOKEN_SECRET="+testSecret)
	e.createAdmin("boss@example.com")
	e.open()
	e.admin = e.signIn("boss@example.com")
	var sellerMail string
	sellerMail, e.seller = e.signUp("sela", "Seller")
	e.email, e.buyer = e.signUp("bea", "User")
	e.onboard()
	e.key = e.publishableKey()

	killCount := [2]int{}
	for n, wasKilled := 1, true; wasKilled; n++ {
		booking := e.book(e.buyer, e.phones(sellerMail, e.seller, 1)[0])
		if err := e.checkOut(booking); err != nil {
			t.Fatal(err)
		}
		wasKilled = false
		for i, step := range []func(){
			func() { e.confirmReceipt(booking) },
			func() { e.refund(booking) },
		} {
			state := []string{"paidOut", "refunded"}[i]
			if e.killDuringStep(fmt.Sprintf("%s-%d %d %s", booking, i, n, side), booking, state, step) {
				wasKilled = true
				killCount[i]++
			}
			e.wantOneTransfer(booking, state == "refunded")
		}
	}
	t.Logf("the server was killed %v times", killCount)
	if killCount[0] < 5 || killCount[1] < 5 { // the writes of the order and those of the sandbox
		t.Errorf("the server was killed %v times, want at least 5 in each step: the killer does not count all writes", killCount)
	}
}

// onboard completes the onboarding of the seller's payout account, as a browser does.
func (e *transferEnv) onboard() {
	e.t.Helper()
	var link struct{ URL string }
	e.mustCall(http.MethodPost, "/payouts/onboarding", e.seller, nil, &link)
	onboarding, err := url.Parse(link.URL)
	if err != nil {
		e.t.Fatal(err)
	}
	response, err := http.PostForm(link.URL, url.Values{"link": onboarding.Query()["link"], "action": {"complete"}})
	if err != nil {
		e.t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK { // of the screen to which the sandbox redirects
		e.t.Fatal(response.Status)
	}
}

// killDuringStep runs a step while the server kills itself at the write that spec names, and
// restarts it. It returns false if the order reached the state without that write.
func (e *transferEnv) killDuringStep(spec, booking, state string, step func()) bool {
	e.t.Helper()
	if err := os.WriteFile(e.killFile, []byte(spec), 0o600); err != nil {
		e.t.Fatal(err)
	}
	step()
	wasKilled := !e.waitForState(booking, state)
	if err := os.Remove(e.killFile); err != nil {
		e.t.Fatal(err)
	}
	if !wasKilled { // or is killed by a later write, such as that of a webhook
		_, err := e.call(http.MethodGet, "/healthz", "", nil, nil)
		wasKilled = err != nil
	}
	if wasKilled {
		e.reopen()
		step() // the caller got no response and repeats the call
		if !e.waitForState(booking, state) {
			e.t.Fatal("the server is down after its restart")
		}
	}
	return wasKilled
}

// confirmReceipt confirms as the buyer that the phone was received. The server may be killed
// during the call.
func (e *transferEnv) confirmReceipt(booking string) {
	_, _ = e.call(http.MethodPut, "/bookings/"+booking+"/fulfilment", e.buyer, map[string]string{"action": "received"}, nil)
}

// refund refunds an order as the admin. The server may be killed during the call.
func (e *transferEnv) refund(booking string) {
	_, _ = e.call(http.MethodPost, "/orders/"+booking+"/refund", e.admin, map[string]string{"reason": "It was stolen."}, nil)
}

// waitForState waits until the seller sees a state of the order's money. For refunded it also
// waits until the order has that status and the transfer is reversed: the seller sees the state
// as soon as it is decided. It returns false if the server is down.
func (e *transferEnv) waitForState(booking, state string) bool {
	e.t.Helper()
	var earnings struct {
		Lines []struct{ BookingID, State string }
	}
	deadline := time.Now().Add(30 * time.Second)
	for ; time.Now().Before(deadline); <-time.After(20 * time.Millisecond) {
		if _, err := e.call(http.MethodGet, "/earnings", e.seller, nil, &earnings); err != nil {
			return false
		}
		isReached := true
		if state == "refunded" {
			var err error
			if isReached, err = e.isRefunded(booking); err != nil {
				return false
			}
		}
		for _, line := range earnings.Lines {
			if line.BookingID == booking && line.State == state && isReached {
				return true
			}
		}
	}
	e.t.Fatalf("order %s is not %s after 30s: %+v", booking, state, earnings)
	return false
}

// isRefunded returns whether the order is refunded and none of its transfers still stands. The
// error is that of a server that is down.
func (e *transferEnv) isRefunded(booking string) (bool, error) {
	e.t.Helper()
	var order struct{ Status string }
	if _, err := e.call(http.MethodGet, "/booking/"+booking, e.buyer, nil, &order); err != nil || order.Status != "refunded" {
		return false, err
	}
	transfers, err := e.transfers(booking)
	return !slices.ContainsFunc(transfers, func(made transfer) bool { return !made.Reversed }), err
}

// transfer is a transfer as the sandbox lists it. The amount is in cents.
type transfer struct {
	Amount   int
	Reversed bool
}

// transfers returns the transfers that the sandbox has for an order. The error is that of a
// server that is down.
func (e *transferEnv) transfers(booking string) ([]transfer, error) {
	e.t.Helper()
	_, body, err := nodetest.Do(e.t.Context(), http.DefaultClient, http.MethodGet,
		"http://"+e.addr+"/sandbox/stripe/v1/transfers?transfer_group=secondring-"+booking, e.sandboxKey, nil)
	if err != nil {
		return nil, err
	}
	var list struct{ Data []transfer }
	if err := json.Unmarshal(body, &list); err != nil {
		e.t.Fatal(err)
	}
	return list.Data, nil
}

// wantOneTransfer fails the test unless the sandbox has one transfer for an order.
func (e *transferEnv) wantOneTransfer(booking string, isReversed bool) {
	e.t.Helper()
	transfers, err := e.transfers(booking)
	if err != nil {
		e.t.Fatal(err)
	}
	if want := (transfer{Amount: 90_00, Reversed: isReversed}); len(transfers) != 1 || transfers[0] != want {
		e.t.Errorf("the sandbox has the transfers %+v for order %s, want %+v", transfers, booking, want)
	}
}
