package identity_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"secondring/api/emails"
	"secondring/api/identity"
	"secondring/market/markettest"
)

func (e *emailEnv) wantResets(to string, n int) {
	e.t.Helper()
	if got := strings.Count(e.subjects(to), "Reset your"); got != n {
		e.t.Errorf("%d reset emails, want %d", got, n)
	}
}

// requestResets requests resets from an address, one after the other.
func (e *emailEnv) requestResets(from string, n int) {
	e.t.Helper()
	for range n {
		e.from(from).forgot(ada)
		e.emails(ada)
	}
}

// A stranger who requests resets of somebody's password uses up only what may be requested
// from the stranger's own address.
func TestStrangerCannotUseUpResets(t *testing.T) {
	e := newEmailEnv(t)
	e.member(ada)
	e.requestResets("192.0.2.7", 5)
	e.wantResets(ada, 3)
	e.requestResets("192.0.2.8", 1)
	e.wantResets(ada, 4)
	for i := range 10 { // everybody together
		e.requestResets(fmt.Sprint("198.51.100.", i), 3)
	}
	e.wantResets(ada, 10)
	e.clock.Pass(time.Hour)
	e.requestResets("192.0.2.7", 1)
	e.wantResets(ada, 11)
}

func TestResetsAreNotLimitedIfRateLimitIsOff(t *testing.T) {
	e := newEmailEnv(t, func(c *identity.Config) { c.Unlimited = true })
	e.member(ada)
	e.requestResets("192.0.2.7", 12)
	e.wantResets(ada, 12)
}

type transportFunc func(context.Context, emails.Message) error

func (f transportFunc) Send(ctx context.Context, m emails.Message) error { return f(ctx, m) }

// The emails of a flood of sign-ups are all being sent, or wait, until the reset is sent. If the
// reset waited for one of them, the test would not end.
func TestSignUpsDoNotDelayReset(t *testing.T) {
	e := newEmailEnv(t)
	identity.HashCheaply(e.service)
	e.member(ada)
	e.emails(ada)
	const n = 150
	for i := range n {
		e.browser().signUp(fmt.Sprintf("a%d@example.com", i), adaPass).wantStatus(201)
	}
	e.browser().forgot(ada)
	resetSent, others := make(chan struct{}), make(chan struct{}, n)
	e.sender.Transport = transportFunc(func(ctx context.Context, m emails.Message) error {
		if m.To == ada {
			close(resetSent)
			return nil
		}
		select {
		case <-resetSent:
			others <- struct{}{}
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	must(t, markettest.Runner(e.clock, e.sender.AddJobs).Step(t.Context()))
	if len(others) != n {
		t.Errorf("%d emails were sent after the reset, want %d", len(others), n)
	}
	e.wantWaiting(0)
}

// What one network can cause in emails is bounded. Other networks are not concerned.
func TestEmailsOfOneNetworkAreLimited(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada) // from another network
	for i := range 1000 {
		if i%300 == 0 {
			e.clock.Pass(time.Minute)
		}
		e.from("192.0.2.7").signUp(ada, adaPass).wantStatus(409) // sends an email, too
	}
	e.clock.Pass(time.Minute)
	e.wantWaiting(2) // the first in each of two lanes
	e.from("192.0.2.7").signUp("next@example.com", adaPass).wantError(429, "too_many_requests", "")
	e.from("192.0.2.7").forgot(ada)
	b.address = "192.0.2.7"
	b.do("POST", "/identity/verify/send", nil).wantError(429, "too_many_requests", "")
	b.do("POST", "/identity/email", fields{"email": newAda, "password": adaPass}).wantError(429, "too_many_requests", "")
	e.wantWaiting(2)
	e.from("192.0.2.8").forgot(ada)
	e.wantWaiting(3)
	e.clock.Pass(time.Hour)
	e.from("192.0.2.7").signUp("next@example.com", adaPass).wantStatus(201)
}
