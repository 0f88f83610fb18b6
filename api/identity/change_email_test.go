package identity_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

const (
	newAda = "ada@new.example.com"
	thief  = "thief@example.com"
)

// asksFor requests a change of the address, and returns the token of the email that is sent
// to the new address.
func (b *browser) asksFor(e *emailEnv, email string) string {
	b.t.Helper()
	b.do("POST", "/identity/email", fields{"email": email, "password": adaPass}).is(204)
	return e.last(email, "Confirm your new").Token()
}

// moves changes the address of a browser's account.
func (b *browser) moves(e *emailEnv, email string) {
	b.t.Helper()
	b.openLink(b.asksFor(e, email)).is(204)
}

func TestAddressIsChangedByEmail(t *testing.T) {
	e := newEmailEnv(t)
	here, there := e.member(ada), e.browser()
	there.signIn(ada, adaPass).is(200)
	token := here.asksFor(e, newAda)
	if email := here.do("GET", "/identity/me", nil).is(200)["email"]; email != ada {
		t.Errorf("before the link is opened the address is %v", email)
	}
	e.control()
	here.openLink(token).is(204)

	me := here.do("GET", "/identity/me", nil).is(200)
	if me["email"] != newAda || me["emailVerified"] != true {
		t.Errorf("the user is %v", me)
	}
	there.do("GET", "/identity/me", nil).is(401)
	if controls := e.control(); len(controls) != 1 || controls[0].Except == "" || controls[0].Reason != market.ReasonEmailChanged {
		t.Errorf("told the nodes %v", controls)
	}
	here.token(newAda)
	here.do("GET", "/jwt?email="+url.QueryEscape(ada), nil).is(403)
	e.browser().signIn(ada, adaPass).is(401)
	e.browser().signIn(newAda, adaPass).is(200)
	if u, err := e.store.UserByEmail(t.Context(), newAda); err != nil || u.UID != e.account(newAda).UID {
		t.Errorf("the user in the market is %+v, %v", u, err)
	}
	if got := e.subjects(ada); !strings.Contains(got, "The email address of your SecondRing account was changed") {
		t.Errorf("the old address got %s", got)
	}
	e.browser().openLink(token).refused(410, market.CodeGone, "")
}

func TestChangeOfAddressRefusals(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada)
	e.member("bob@example.com")
	ask := func(email, password string) answer {
		return b.do("POST", "/identity/email", fields{"email": email, "password": password})
	}
	ask(newAda, "a guess").field("password", "This is not your password")
	ask(newAda, "").field("password", "Password is required")
	ask("ada", adaPass).field("email", "Email Address is not valid")
	ask("ADA@example.com", adaPass).field("email", "This is your email address already")
	ask("BOB@example.com", adaPass).refused(409, market.CodeExists, "Email is already in use")
	e.browser().do("POST", "/identity/email", fields{"email": newAda, "password": adaPass}).is(401)
	if got := e.emails(newAda); len(got) > 0 {
		t.Errorf("emails %v", got)
	}
	without := newEnv(t)
	without.member(ada).do("POST", "/identity/email", fields{"email": newAda, "password": adaPass}).refused(403, market.CodeForbidden, "")
}

// Somebody else may sign up with the address before the link is opened.
func TestAddressTakenMeanwhileIsNotChanged(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada)
	token := b.asksFor(e, newAda)
	e.member(newAda)
	b.openLink(token).refused(409, market.CodeExists, "Email is already in use")
	if email := b.do("GET", "/identity/me", nil).is(200)["email"]; email != ada {
		t.Errorf("the address is %v", email)
	}
}

func TestFiveChangesOfAddressAnHourAreAskedFor(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada)
	for i := range 6 {
		a := b.do("POST", "/identity/email", fields{"email": fmt.Sprintf("ada%d@example.com", i), "password": adaPass})
		if want := map[bool]int{true: 204, false: 429}[i < 5]; a.Status != want {
			t.Errorf("request %d: %d", i, a.Status)
		}
	}
}

// A thief who knows the password changes the address twice. The owner undoes it with the
// email at the first address, and the thief has no access any more.
func TestOwnerUndoesChangeOfAddress(t *testing.T) {
	e := newEmailEnv(t)
	owner := e.member(ada)
	robber := e.browser()
	robber.signIn(ada, adaPass).is(200)
	robber.moves(e, thief)
	back := e.last(ada, "was changed").Token()
	robber.moves(e, "second-"+thief)
	owner.do("GET", "/identity/me", nil).is(401)

	owner.openLink(back).is(204)
	if a := e.account(ada); a.PasswordHash != "" || len(a.Links) > 0 {
		t.Errorf("the account is %+v", a)
	}
	robber.do("GET", "/identity/me", nil).is(401)
	for _, email := range []string{ada, thief, "second-" + thief} {
		e.browser().signIn(email, adaPass).is(401)
	}
	if u, err := e.store.UserByEmail(t.Context(), ada); err != nil || u.UID != e.account(ada).UID {
		t.Errorf("the user in the market is %+v, %v", u, err)
	}
	for _, m := range e.emails(thief) { // includes the thief's undo link, if there is one
		if m.Token() != "" {
			e.browser().openLink(m.Token()).refused(410, market.CodeGone, "")
		}
	}
	e.browser().reset(e.last(ada, "Reset").Token(), "battery staple").is(204)
	e.browser().signIn(ada, "battery staple").is(200)
	owner.openLink(back).refused(410, market.CodeGone, "")
}

// A thief who knows the password has requested the change. The owner sets another password
// before the thief opens the link, or before it is sent.
func TestNewPasswordEndsChangeOfAddress(t *testing.T) {
	for name, choose := range map[string]func(*emailEnv, *browser){
		"in the account": func(_ *emailEnv, owner *browser) {
			owner.do("POST", "/identity/password", fields{"current": adaPass, "new": "battery staple"}).is(204)
		},
		"by a link": func(e *emailEnv, owner *browser) {
			owner.forgot(ada)
			owner.reset(e.last(ada, "Reset").Token(), "battery staple").is(204)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEmailEnv(t)
			owner, robber := e.member(ada), e.browser()
			robber.signIn(ada, adaPass).is(200)
			token := robber.asksFor(e, thief)
			choose(e, owner)
			robber.openLink(token).refused(410, market.CodeGone, "")
		})
	}
	t.Run("while the email waits", func(t *testing.T) {
		e := newEmailEnv(t)
		owner, robber := e.member(ada), e.browser()
		robber.signIn(ada, adaPass).is(200)
		robber.do("POST", "/identity/email", fields{"email": thief, "password": adaPass}).is(204)
		owner.do("POST", "/identity/password", fields{"current": adaPass, "new": "battery staple"}).is(204)
		if got := e.subjects(thief); got != "" {
			t.Errorf("the thief got %s", got)
		}
	})
}

func TestUndoLinkExpiresAfterAWeek(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada)
	b.moves(e, newAda)
	back := e.last(ada, "was changed").Token()
	e.clock.Pass(7 * 24 * time.Hour)
	b.openLink(back).refused(410, market.CodeGone, "")
}

func TestThreeChangesOfAddressAWeek(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada)
	for i := range 3 {
		b.moves(e, fmt.Sprintf("ada%d@example.com", i))
		e.emails(ada) // the email to the old address, with its link
	}
	b.do("POST", "/identity/email", fields{"email": newAda, "password": adaPass}).refused(409, market.CodeConflict, "")
	e.clock.Pass(7 * 24 * time.Hour)
	b.moves(e, newAda)
}

// The process stops after the account is changed and before the market's user is. The next
// request for an access token changes the user.
func TestInterruptedChangeOfAddressIsFinished(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada)
	a := e.account(ada)
	a.Email = newAda
	a.Version++
	must(t, e.store.SaveAccount(t.Context(), a, nil))
	b.token(newAda)
	if u, err := e.store.UserByEmail(t.Context(), newAda); err != nil || u.UID != a.UID {
		t.Errorf("the user in the market is %+v, %v", u, err)
	}
}
