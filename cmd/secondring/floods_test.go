package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/api/emails/smtptest"
	"secondring/market"
)

// floodWait is how long a test waits for what follows a flood.
const floodWait = 30 * time.Second

// newEmailServer returns a server that sends its emails to an SMTP server, with the limits of
// RATE_LIMIT.
func newEmailServer(t *testing.T) (*testServer, *smtptest.Server) {
	t.Helper()
	smtp := smtptest.Start(t, nil)
	return newTestServer(t, "RATE_LIMIT=100/s", "SMTP_URL="+smtp.URL(), "MAIL_FROM=SecondRing <shop@example.com>"), smtp
}

// One network signs up 150 accounts. With one queue, a reset waited until their emails were
// sent: 34 s with an SMTP server that takes 0.9 s for each.
func TestSignUpsDoNotDelayReset(t *testing.T) {
	const signUps, perEmail = 150, 400 * time.Millisecond
	s, smtp := newEmailServer(t)
	email, _ := s.signUp("ada", "User")
	smtp.Wait(email, 1, floodWait)
	smtp.Slow(perEmail)
	var all sync.WaitGroup
	for caller := range 6 {
		all.Go(func() {
			for i := range signUps / 6 {
				account := map[string]string{"email": fmt.Sprintf("a%d-%d@example.com", caller, i), "password": testPassword, "displayName": "A"}
				if status, err := s.call(http.MethodPost, "/identity/sign-up", "", account, nil); err != nil || status != http.StatusCreated {
					t.Errorf("sign-up: %d, %v", status, err)
				}
			}
		})
	}
	all.Wait()
	began := time.Now()
	s.mustCall(http.MethodPost, "/identity/forgot", "", map[string]string{"email": email}, nil)
	smtp.Wait(email, 2, floodWait)
	delay := time.Since(began)
	t.Logf("the reset came %v after its request, behind %d sign-ups and with %v for each email", delay.Round(time.Millisecond), signUps, perEmail)
	if most := 3 * time.Second; delay > most {
		t.Errorf("the reset came after %v, want at most %v", delay, most)
	}
}

// shownNotification is a notification in the response of a list.
type shownNotification struct{ Kind, Text, Link string }

// notifications returns all notifications of a person.
func (s *testServer) notifications(token string) (all []shownNotification) {
	s.t.Helper()
	for next := "/notifications?limit=100"; next != ""; {
		request, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, "http://"+s.addr+next, nil)
		if err != nil {
			s.t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+token)
		var page []shownNotification
		link := s.send(request, &page).Get("Link")
		all = append(all, page...)
		_, link, _ = strings.Cut(link, "<")
		next, _, _ = strings.Cut(link, ">")
	}
	return all
}

// A seller lowers the prices of some phones again and again, and lists many that match a search.
// Another seller watches the phones and has the search. The notification that their own phone is
// paid survives both floods.
func TestFloodOfNotificationsKeepsThePaidOne(t *testing.T) {
	const watched = 40
	more, phones := 2, 30 // rounds of lower prices after the list is full, and new phones
	if os.Getenv("SOAK") != "" {
		more, phones = 40, 300
	}
	e := &paymentEnv{testServer: newTestServer(t)}
	e.key = e.publishableKey()
	email, victim := e.signUp("sela", "Seller")
	e.email, e.buyer = e.signUp("bea", "User")
	if err := e.checkOut(e.book(e.buyer, e.phones(email, victim, 1)[0])); err != nil {
		t.Fatal(err)
	}
	floodEmail, flooder := e.signUp("flo", "Seller")
	cheaper := e.phones(floodEmail, flooder, watched)
	for _, phone := range cheaper {
		e.mustCall(http.MethodPut, "/watches/"+phone, victim, nil, nil)
	}
	// Prices of a phone that fall before its watchers were notified are one notification, so the
	// number of rounds until the list is full is not known.
	for price := 10_000; more > 0; price-- {
		for _, phone := range cheaper {
			e.mustCall(http.MethodPatch, "/products/"+phone, flooder, map[string]any{"resalePrice": price}, nil)
		}
		if len(e.notifications(victim)) == market.MaxNotifications {
			more--
		}
	}
	e.mustCall(http.MethodPost, "/searches", victim, map[string]string{"name": "Mine", "query": "q=phone"}, nil)
	e.phones(floodEmail, flooder, phones)
	count := map[string]int{}
	matches := fmt.Sprintf("%d new phones for your search “Mine”.", phones)
	isComplete := false
	for deadline := time.Now().Add(floodWait); !isComplete && time.Now().Before(deadline); <-time.After(100 * time.Millisecond) {
		clear(count)
		for _, n := range e.notifications(victim) {
			count[n.Kind]++
			isComplete = isComplete || n.Text == matches
		}
	}
	t.Logf("after lower prices of %d phones and %d matches the notifications are %v", watched, phones, count)
	if !isComplete {
		t.Errorf("no notification says %q", matches)
	}
	if count["paid"] != 1 || count["booked"] != 1 || count["match"] != 1 || count["price"] != 197 {
		t.Errorf("the notifications are %v, want 1 paid, 1 booked, 1 match and 197 prices", count)
	}
}

// A seller lowers a price by $1 every 6 s for as long as 60 steps take. That was 60 emails.
func TestSixtyPriceStepsAreOneEmail(t *testing.T) {
	const steps, pause = 60, 6 * time.Second
	s, smtp := newEmailServer(t)
	sellerEmail, seller := s.signUp("sela", "Seller")
	email, watcher := s.signUp("ada", "User")
	for _, address := range []string{sellerEmail, email} {
		link := map[string]string{"token": smtp.Wait(address, 1, floodWait).Token()}
		s.mustCall(http.MethodPost, "/identity/verify", "", link, nil)
	}
	phone := s.phones(sellerEmail, seller, 1)[0]
	s.mustCall(http.MethodPut, "/watches/"+phone, watcher, nil, nil)
	s.mustCall(http.MethodPut, "/notifications/settings", watcher, map[string]any{"email": map[string]string{"price": "now"}}, nil)
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for i := range steps {
		s.mustCall(http.MethodPatch, "/products/"+phone, seller, map[string]any{"resalePrice": 99 - i}, nil)
		<-tick.C
	}
	<-time.After(2 * time.Minute) // an email is sent at least a minute after its notification
	caused := 0
	for _, m := range smtp.To(email) {
		if strings.Contains(m.Text, "became cheaper") {
			caused++
		}
	}
	t.Logf("%d price steps in %v caused %d emails", steps, steps*pause, caused)
	if caused != 1 {
		t.Errorf("%d emails, want 1", caused)
	}
}
