package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	stripesandbox "secondring/sandbox/stripe"
)

// transferEnv is a server that pays a seller by transfer.
type transferEnv struct {
	*paymentEnv
	admin, seller string // the tokens
	sandboxKey    string // its secret one
}

func TestServerKilledAfterEachStepOfATransfer(t *testing.T) { killAtEachStepOfATransfer(t, "after") }

func TestServerKilledBeforeEachStepOfATransfer(t *testing.T) { killAtEachStepOfATransfer(t, "before") }

// The process is killed before or after each write between the end of an order and its
// transfer, and again between its refund and the end of the transfer. After a restart the
// server finishes by itself: the sandbox has one transfer, and it is taken back.
func killAtEachStepOfATransfer(t *testing.T, side string) {
	t.Parallel() // it waits for processes most of the time
	const secret = "a secret of the test, long enough"
	c := &transferEnv{paymentEnv: &paymentEnv{testServer: newTestServer(t), killFile: filepath.Join(t.TempDir(), "death")}}
	c.sandboxKey, _, _ = stripesandbox.Keys([]byte(secret))
	c.kill()
	c.env = append(c.env, killMark+"="+c.killFile, "PAYOUTS=stripe", "COMMISSION=10", "TOKEN_SECRET="+secret)
	c.createAdmin("boss@example.com")
	c.open()
	c.admin = c.signedIn("boss@example.com")
	var sellerMail string
	sellerMail, c.seller = c.person("sela", "Seller")
	c.email, c.buyer = c.person("bea", "User")
	c.onboard()
	var config struct {
		Stripe struct{ PublishableKey string }
	}
	c.must(http.MethodGet, "/config", "", nil, &config)
	c.key = config.Stripe.PublishableKey

	killCount := [2]int{}
	for n, wasKilled := 1, true; wasKilled; n++ {
		phone := c.phones(sellerMail, c.seller, 1)[0]
		var booking written
		c.must(http.MethodPut, "/bookings", c.buyer, map[string]string{"productID": phone, "phone": "01700000"}, &booking)
		if err := c.checkOut(booking.InsertedID); err != nil {
			t.Fatal(err)
		}
		wasKilled = false
		for i, step := range []func(){
			func() { c.receives(booking.InsertedID) },
			func() { c.refunds(booking.InsertedID) },
		} {
			state := []string{"paidOut", "refunded"}[i]
			if c.isKilledIn(fmt.Sprintf("%s-%d %d %s", booking.InsertedID, i, n, side), booking.InsertedID, state, step) {
				wasKilled = true
				killCount[i]++
			}
			c.wantOneTransfer(booking.InsertedID, state == "refunded")
		}
	}
	t.Logf("killed %v times", killCount)
	if killCount[0] < 5 || killCount[1] < 5 { // both sides of the order's writes and of the sandbox's
		t.Errorf("killed %v times only: are the writes still seen?", killCount)
	}
}

func (c *transferEnv) createAdmin(email string) {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), os.Args[0], "admin", "create", email)
	cmd.Env, cmd.Stdin = without(c.env, killMark), strings.NewReader("secret-ring\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("%v: %s", err, out)
	}
}

// without leaves a variable out of an environment.
func without(env []string, name string) (rest []string) {
	for _, pair := range env {
		if !strings.HasPrefix(pair, name+"=") {
			rest = append(rest, pair)
		}
	}
	return rest
}

func (c *transferEnv) signedIn(email string) string {
	c.t.Helper()
	var cookie string
	c.must(http.MethodPost, "/identity/sign-in", "", map[string]string{"email": email, "password": "secret-ring"}, &cookie)
	return c.token(email, cookie)
}

// onboard sets the seller's payout account up, as a browser does.
func (c *transferEnv) onboard() {
	c.t.Helper()
	var link struct{ URL string }
	c.must(http.MethodPost, "/payouts/onboarding", c.seller, nil, &link)
	at, err := url.Parse(link.URL)
	if err != nil {
		c.t.Fatal(err)
	}
	answer, err := http.PostForm(link.URL, url.Values{"link": at.Query()["link"], "action": {"complete"}})
	if err != nil {
		c.t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK { // of the screen that it leads back to
		c.t.Fatal(answer.Status)
	}
}

// isKilledIn has the server kill itself at a write of a step, and starts it again. It returns false if the
// order came to its end without that write.
func (c *transferEnv) isKilledIn(spec, booking, state string, step func()) bool {
	c.t.Helper()
	if err := os.WriteFile(c.killFile, []byte(spec), 0o600); err != nil {
		c.t.Fatal(err)
	}
	step()
	wasKilled := !c.becomes(booking, state)
	if err := os.Remove(c.killFile); err != nil {
		c.t.Fatal(err)
	}
	if !wasKilled { // by a later write, such as that of a webhook
		_, err := c.call(http.MethodGet, "/healthz", "", nil, nil)
		wasKilled = err != nil
	}
	if wasKilled {
		c.reopen()
		step() // the caller got no response: the call is repeated
		if !c.becomes(booking, state) {
			c.t.Fatal("the server is gone again")
		}
	}
	return wasKilled
}

// receives is the buyer who says that the phone is there, answered or not.
func (c *transferEnv) receives(booking string) {
	_, _ = c.call(http.MethodPut, "/bookings/"+booking+"/fulfilment", c.buyer, map[string]string{"action": "received"}, nil)
}

func (c *transferEnv) refunds(booking string) {
	_, _ = c.call(http.MethodPost, "/orders/"+booking+"/refund", c.admin, map[string]string{"reason": "It was stolen."}, nil)
}

// becomes waits until the seller sees the order's money in a state. It returns false if the
// server is gone.
func (c *transferEnv) becomes(booking, state string) bool {
	c.t.Helper()
	var earnings struct {
		Lines []struct{ BookingID, State string }
	}
	deadline := time.Now().Add(30 * time.Second)
	for ; time.Now().Before(deadline); <-time.After(20 * time.Millisecond) {
		if _, err := c.call(http.MethodGet, "/earnings", c.seller, nil, &earnings); err != nil {
			return false
		}
		for _, line := range earnings.Lines {
			if line.BookingID == booking && line.State == state {
				return true
			}
		}
	}
	c.t.Fatalf("order %s does not become %s: %+v", booking, state, earnings)
	return false
}

// wantOneTransfer fails the test unless the sandbox has one transfer for an order.
func (c *transferEnv) wantOneTransfer(booking string, isReversed bool) {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet,
		"http://"+c.addr+"/sandbox/stripe/v1/transfers?transfer_group=secondring-"+booking, http.NoBody)
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+c.sandboxKey)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	var list struct {
		Data []struct {
			Amount   int
			Reversed bool
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&list); err != nil {
		c.t.Fatal(err)
	}
	if len(list.Data) != 1 || list.Data[0].Amount != 90_00 || list.Data[0].Reversed != isReversed {
		c.t.Errorf("order %s: the sandbox has %+v", booking, list.Data)
	}
}
