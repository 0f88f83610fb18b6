package main

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	stripesandbox "secondring/sandbox/stripe"
)

// lastKilledWrite is the last write of a step after which the process is killed. Those behind it
// belong to webhooks and emails.
const lastKilledWrite = 10

// The process is killed after each write between the end of an order and its transfer to the
// seller, and again between its refund and the reversal of the transfer. After a restart the
// server continues by itself: the sandbox has one transfer, and it is reversed. Kills before a
// write are tested in market.
func TestServerKilledAfterEachStepOfATransfer(t *testing.T) {
	t.Parallel() // it waits for processes most of the time
	e := newOrderEnv(t, "PAYOUTS=stripe")
	e.onboard()
	killCount := [2]int{}
	for n := range lastKilledWrite {
		booking := e.book(e.buyer, e.phones(e.sellerMail, e.seller, 1)[0])
		e.pay(booking)
		for i, step := range []func() int{
			func() int {
				e.callWithRestart(http.MethodPut, "/bookings/"+booking+"/fulfilment", e.buyer, map[string]string{"action": "received"}, nil)
				return e.waitForTransfer(booking, "paid", 90_00, transfer{Amount: 90_00})
			},
			func() int {
				e.callWithRestart(http.MethodPost, "/orders/"+booking+"/refund", e.admin, map[string]string{"reason": "It was stolen."}, nil)
				return e.waitForTransfer(booking, "refunded", 0, transfer{Amount: 90_00, Reversed: true})
			},
		} {
			before := e.killCount
			e.killDuringStep(fmt.Sprintf("%s-%d %d after", booking, i, n+1), step)
			if e.killCount > before {
				killCount[i]++
			}
		}
	}
	t.Logf("the server was killed %v times", killCount)
	if killCount[0] < 5 || killCount[1] < 5 { // the writes of the order and those of the sandbox
		t.Errorf("the server was killed %v times, want at least 5 in each step: the killer does not count all writes", killCount)
	}
	if out, code := e.command("", "reconcile"); code != 0 {
		t.Errorf("reconcile exits with %d: %s", code, out)
	}
}

// onboard completes the onboarding of the seller's payout account, as a browser does.
func (e *orderEnv) onboard() {
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

// transfer is a transfer as the sandbox lists it. The amount is in cents.
type transfer struct {
	Amount   int64
	Reversed bool
}

// waitForTransfer waits until an order has the status, the ledger has so many cents as paid out for
// it, and the sandbox has this one transfer for it.
func (e *orderEnv) waitForTransfer(id, status string, paidOut int64, want transfer) int {
	e.t.Helper()
	key, _, _ := stripesandbox.Keys([]byte(testSecret))
	var got []any
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); <-time.After(20 * time.Millisecond) {
		var orders []order
		var list struct{ Data []transfer }
		e.callWithRestart(http.MethodGet, "/orders?limit=200", e.admin, nil, &orders)
		e.callWithRestart(http.MethodGet, "/sandbox/stripe/v1/transfers?transfer_group=secondring-"+id, key, nil, &list)
		i := slices.IndexFunc(orders, func(o order) bool { return o.ID == id })
		if i < 0 || orders[i].Money == nil {
			continue
		}
		got = []any{orders[i].Status, orders[i].Money.PaidOut, list.Data}
		if orders[i].Status == status && orders[i].Money.PaidOut == paidOut && slices.Equal(list.Data, []transfer{want}) {
			return http.StatusOK
		}
	}
	e.t.Fatalf("the order and its transfers are %v, want %s, %d paid out, and %+v", got, status, paidOut, want)
	return 0
}
