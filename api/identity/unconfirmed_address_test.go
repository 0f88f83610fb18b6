package identity_test

import (
	"strings"
	"testing"
)

// Somebody signs up with another person's address, and signs in and changes the account often.
// The person gets the welcome email only.
func TestUnconfirmedAddressGetsNoSecurityEmails(t *testing.T) {
	e := newEmailEnv(t)
	stranger := e.member(ada)
	e.browser().signIn(ada, adaPass).wantStatus(200)
	stranger.enableSecondFactor()
	stranger.do("POST", "/identity/second-factor/stop", fields{"password": adaPass}).wantStatus(204)
	stranger.do("POST", "/identity/password", fields{"current": adaPass, "new": "battery staple"}).wantStatus(204)
	must(t, e.service.SetPassword(t.Context(), ada, "other words"))
	if got := e.subjects(ada); got != "Confirm your email address for SecondRing" {
		t.Errorf("the address got the emails %s", got)
	}
}

// A name can be an advertisement. Only an address whose owner has confirmed it gets the name.
func TestUnconfirmedAddressIsGreetedWithoutName(t *testing.T) {
	e := newEmailEnv(t)
	const spam = "You won $500, claim at https://evil.example"
	stranger := e.member(ada)
	stranger.do("PATCH", "/identity/me", fields{"displayName": spam}).wantStatus(200)
	stranger.do("POST", "/identity/verify/send", nil).wantStatus(204)
	stranger.forgot(ada)
	e.browser().signUp(ada, adaPass).wantStatus(409)
	e.emails(ada)
	stranger.changeEmail(e, newAda)
	if got := e.subjects(ada); strings.Count(got, " · ") != 3 || strings.Contains(got, "was changed") {
		t.Fatalf("the first address got the emails %s", got)
	}
	for _, email := range []string{ada, newAda} {
		for _, m := range e.emails(email) {
			if !strings.Contains(m.Text, "Hello,") || strings.Contains(m.Text, "$500") {
				t.Errorf("the email %q is\n%s", m.Subject, m.Text)
			}
		}
	}
	e.browser().signIn(newAda, adaPass).wantStatus(200)
	if m := e.last(newAda, "New sign-in"); !strings.Contains(m.Text, "Hello You won $500, claim at [link removed],") {
		t.Errorf("the email to the confirmed address is\n%s", m.Text)
	}
}
