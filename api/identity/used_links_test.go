package identity_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// usedLink is a link that was used, and how long it was valid.
type usedLink struct {
	token string
	lasts time.Duration
}

// usedLinks use one link of each purpose of POST /identity/verify, of an account with the password
// adaPass.
var usedLinks = map[string]func(e *emailEnv) usedLink{
	"of a new account": func(e *emailEnv) usedLink {
		e.confirmedMember(ada)
		return usedLink{e.last(ada, "Confirm").Token(), 24 * time.Hour}
	},
	"of a new account whose password was then reset": func(e *emailEnv) usedLink {
		e.confirmedMember(ada).forgot(ada)
		e.browser().reset(e.last(ada, "Reset").Token(), adaPass).wantStatus(204)
		return usedLink{e.last(ada, "Confirm").Token(), 24 * time.Hour}
	},
	"of an address that a reset confirmed": func(e *emailEnv) usedLink {
		e.member(ada).forgot(ada)
		token := e.last(ada, "Confirm").Token()
		e.browser().reset(e.last(ada, "Reset").Token(), adaPass).wantStatus(204)
		return usedLink{token, 24 * time.Hour}
	},
	"of a first address that was then changed": func(e *emailEnv) usedLink {
		b := e.confirmedMember(ada)
		token := e.last(ada, "Confirm").Token()
		b.changeEmail(e, newAda)
		return usedLink{token, 24 * time.Hour}
	},
	"to another address": func(e *emailEnv) usedLink {
		b := e.confirmedMember(ada)
		token := b.requestEmailChange(e, newAda)
		b.openLink(token).wantStatus(204)
		return usedLink{token, 24 * time.Hour}
	},
	"to another address, before a new password": func(e *emailEnv) usedLink {
		b := e.confirmedMember(ada)
		token := b.requestEmailChange(e, newAda)
		b.openLink(token).wantStatus(204)
		b.do("POST", "/identity/password", fields{"current": adaPass, "new": adaPass + "!"}).wantStatus(204)
		b.do("POST", "/identity/password", fields{"current": adaPass + "!", "new": adaPass}).wantStatus(204)
		return usedLink{token, 24 * time.Hour}
	},
	"to another address, which was undone": func(e *emailEnv) usedLink {
		b := e.confirmedMember(ada)
		token := b.requestEmailChange(e, newAda)
		b.openLink(token).wantStatus(204)
		e.browser().openLink(e.last(ada, "was changed").Token()).wantStatus(204)
		e.browser().reset(e.last(ada, "Reset").Token(), adaPass).wantStatus(204)
		return usedLink{token, 24 * time.Hour}
	},
	"that undoes a change of address": func(e *emailEnv) usedLink {
		e.confirmedMember(ada).changeEmail(e, attackerEmail)
		token := e.last(ada, "was changed").Token()
		e.browser().openLink(token).wantStatus(204)
		e.browser().reset(e.last(ada, "Reset").Token(), adaPass).wantStatus(204)
		return usedLink{token, 7 * 24 * time.Hour}
	},
	"against a second factor": func(e *emailEnv) usedLink {
		e.confirmedMember(ada).enableSecondFactor()
		token := e.last(ada, "is on").Token()
		e.browser().openLink(token).wantStatus(204)
		e.browser().reset(e.last(ada, "Reset").Token(), adaPass).wantStatus(204)
		return usedLink{token, 7 * 24 * time.Hour}
	},
}

// People open a link twice, and on several devices; mail scanners open it before them. All read that
// it worked, until it expires, and nothing changes again: no session ends, and no email is sent.
func TestUsedLinkSaysAgainThatItWorked(t *testing.T) {
	for name, use := range usedLinks {
		t.Run(name, func(t *testing.T) {
			e := newEmailEnv(t)
			l := use(e)
			email := newAda
			if a, err := e.store.AccountByEmail(t.Context(), newAda); err != nil || a.UID == "" {
				email = ada
			}
			b := e.browser()
			b.signIn(email, adaPass).wantStatus(200)
			sent := len(e.emails(email)) // this sends what waits, and makes the links in it
			e.wantWorksFor(l)
			before := e.account(email)
			for range 5 {
				e.browser().openLink(l.token).wantStatus(204)
				b.openLink(l.token).wantStatus(204)
			}
			if after := e.account(email); after.Version != before.Version {
				t.Errorf("the account changed from %+v to %+v", before, after)
			}
			b.do("GET", "/identity/me", nil).wantStatus(200)
			if n := len(e.emails(email)); n != sent {
				t.Errorf("%d emails more", n-sent)
			}
			e.browser().reset(l.token, "battery staple").wantError(410, market.CodeGone, "")
			e.clock.Pass(l.lasts)
			e.browser().openLink(l.token).wantError(410, market.CodeGone, "")
		})
	}
}

// wantWorksFor fails the test unless the link's email says how long it works, and not that it works once.
func (e *emailEnv) wantWorksFor(l usedLink) {
	e.t.Helper()
	want := "The link works for 24 hours."
	if l.lasts > 24*time.Hour {
		want = "The link works for a week."
	}
	for _, m := range slices.Concat(e.smtp.To(ada), e.smtp.To(newAda)) {
		if strings.Contains(m.Text, l.token) {
			if !strings.Contains(m.Text, want) {
				e.t.Errorf("the email does not say %q:\n%s", want, m.Text)
			}
			return
		}
	}
	e.t.Error("no email has the link")
}

// Two devices open a link at the same moment: both read that it worked.
func TestLinkOpenedTwiceAtOnce(t *testing.T) {
	e := newEmailEnv(t)
	b := e.confirmedMember(ada)
	token := b.requestEmailChange(e, newAda)
	statuses := make(chan int)
	for range 8 {
		go func() { statuses <- e.browser().openLink(token).Status }()
	}
	for range 8 {
		if status := <-statuses; status != 204 {
			t.Errorf("status %d, want 204", status)
		}
	}
	if a := e.account(newAda); a.CredentialsVersion != 1 {
		t.Errorf("the credentials were changed %d times, want once", a.CredentialsVersion)
	}
}

// A newer change of the address replaces the link of the one before, used or not.
func TestReplacedLinkIsGoneAlsoIfItWasUsed(t *testing.T) {
	e := newEmailEnv(t)
	b := e.confirmedMember(ada)
	first := b.requestEmailChange(e, newAda)
	b.openLink(first).wantStatus(204)
	b.requestEmailChange(e, "third@example.com")
	b.openLink(first).wantError(410, market.CodeGone, "")
}

// With the token alone, the calls of the two forms tell whether their link can be used, and do not use it.
func TestTokenAloneTellsWhetherLinkCanBeUsed(t *testing.T) {
	e := newEmailEnv(t)
	e.member(ada).forgot(ada)
	token := e.last(ada, "Reset").Token()
	ask := func(token string) response {
		return e.browser().do("POST", "/identity/reset", fields{"token": token})
	}
	for range 3 {
		ask(token).wantStatus(422)
	}
	for name, unusable := range map[string]string{
		"unknown": "u1.unknown", "without an account": "nobody." + token, "cut off": token[:len(token)-1],
		"with another purpose": e.last(ada, "Confirm").Token(), "only the account": e.account(ada).UID + ".",
	} {
		t.Run(name, func(t *testing.T) {
			ask(unusable).wantError(410, market.CodeGone, "")
		})
	}
	e.browser().reset(token, "battery staple").wantStatus(204)
	ask(token).wantError(410, market.CodeGone, "")
}
