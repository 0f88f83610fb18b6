package identity_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

const (
	newAda        = "ada@new.example.com"
	attackerEmail = "attacker@example.com"
)

// requestEmailChange requests a change of the address, and returns the token of the email that is sent
// to the new address.
func (b *browser) requestEmailChange(e *emailEnv, email string) string {
	b.t.Helper()
	b.do("POST", "/identity/email", fields{"email": email, "password": adaPass}).wantStatus(204)
	return e.last(email, "Confirm your new").Token()
}

// changeEmail changes the address of a browser's account.
func (b *browser) changeEmail(e *emailEnv, email string) {
	b.t.Helper()
	b.openLink(b.requestEmailChange(e, email)).wantStatus(204)
}

func TestAddressIsChangedByEmail(t *testing.T) {
	e := newEmailEnv(t)
	current, other := e.confirmedMember(ada), e.browser()
	other.signIn(ada, adaPass).wantStatus(200)
	token := current.requestEmailChange(e, newAda)
	if email := current.do("GET", "/identity/me", nil).wantStatus(200)["email"]; email != ada {
		t.Errorf("before the link is opened the address is %v", email)
	}
	e.controlEvents()
	current.openLink(token).wantStatus(204)

	me := current.do("GET", "/identity/me", nil).wantStatus(200)
	if me["email"] != newAda || me["emailVerified"] != true {
		t.Errorf("the user is %v", me)
	}
	other.do("GET", "/identity/me", nil).wantStatus(401)
	if controls := e.controlEvents(); len(controls) != 1 || controls[0].Except == "" || controls[0].Reason != market.ReasonEmailChanged {
		t.Errorf("control events %+v, want one for all other sessions", controls)
	}
	current.token(newAda)
	current.do("GET", "/jwt?email="+url.QueryEscape(ada), nil).wantStatus(403)
	e.browser().signIn(ada, adaPass).wantStatus(401)
	e.browser().signIn(newAda, adaPass).wantStatus(200)
	if u, err := e.store.UserByEmail(t.Context(), newAda); err != nil || u.UID != e.account(newAda).UID {
		t.Errorf("the user in the market is %+v, %v", u, err)
	}
	if got := e.subjects(ada); !strings.Contains(got, "The email address of your SecondRing account was changed") {
		t.Errorf("the old address got the emails %s", got)
	}
}

func TestChangeOfAddressRefusals(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada)
	e.member("bob@example.com")
	request := func(email, password string) response {
		return b.do("POST", "/identity/email", fields{"email": email, "password": password})
	}
	request(newAda, "a guess").wantFieldError("password", "This is not your password")
	request(newAda, "").wantFieldError("password", "Password is required")
	request("ada", adaPass).wantFieldError("email", "Email Address is not valid")
	request("ADA@example.com", adaPass).wantFieldError("email", "This is your email address already")
	request("BOB@example.com", adaPass).wantError(409, market.CodeExists, "Email is already in use")
	e.browser().do("POST", "/identity/email", fields{"email": newAda, "password": adaPass}).wantStatus(401)
	if got := e.emails(newAda); len(got) > 0 {
		t.Errorf("refused requests have sent the emails %v", got)
	}
	withoutEmails := newEnv(t)
	withoutEmails.member(ada).do("POST", "/identity/email", fields{"email": newAda, "password": adaPass}).wantError(403, market.CodeForbidden, "")
}

// Somebody else may sign up with the address before the link is opened.
func TestAddressOfAnotherAccountIsNotTaken(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada)
	token := b.requestEmailChange(e, newAda)
	e.member(newAda)
	b.openLink(token).wantError(409, market.CodeExists, "Email is already in use")
	if email := b.do("GET", "/identity/me", nil).wantStatus(200)["email"]; email != ada {
		t.Errorf("the address is %v", email)
	}
}

func TestFiveRequestsToChangeAddressAnHour(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada)
	for i := range 6 {
		a := b.do("POST", "/identity/email", fields{"email": fmt.Sprintf("ada%d@example.com", i), "password": adaPass})
		if want := map[bool]int{true: 204, false: 429}[i < 5]; a.Status != want {
			t.Errorf("request %d: status %d, want %d", i, a.Status, want)
		}
	}
}

// An attacker who knows the password changes the address twice. The owner undoes it with the
// email at the first address, and the attacker has no access any more.
func TestOwnerUndoesChangeOfAddress(t *testing.T) {
	e := newEmailEnv(t)
	owner := e.confirmedMember(ada)
	attacker := e.browser()
	attacker.signIn(ada, adaPass).wantStatus(200)
	attacker.changeEmail(e, attackerEmail)
	undo := e.last(ada, "was changed").Token()
	attacker.changeEmail(e, "second-"+attackerEmail)
	owner.do("GET", "/identity/me", nil).wantStatus(401)

	owner.openLink(undo).wantStatus(204)
	if a := e.account(ada); a.PasswordHash != "" || slices.ContainsFunc(a.Links, func(l market.AccountLink) bool { return !l.Used }) {
		t.Errorf("the account is %+v", a)
	}
	attacker.do("GET", "/identity/me", nil).wantStatus(401)
	for _, email := range []string{ada, attackerEmail, "second-" + attackerEmail} {
		e.browser().signIn(email, adaPass).wantStatus(401)
	}
	if u, err := e.store.UserByEmail(t.Context(), ada); err != nil || u.UID != e.account(ada).UID {
		t.Errorf("the user in the market is %+v, %v", u, err)
	}
	for _, m := range e.emails(attackerEmail) { // includes the attacker's undo link, if there is one
		if m.Token() != "" {
			e.browser().openLink(m.Token()).wantError(410, market.CodeGone, "")
		}
	}
	e.browser().reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
	e.browser().signIn(ada, "battery staple").wantStatus(200)
}

// The undo of a change removes a second factor that was set up after it, and keeps the owner's.
func TestUndoRemovesLaterSecondFactor(t *testing.T) {
	for name, c := range map[string]struct {
		setUp func(e *emailEnv, b *browser) // before the change
		after bool                          // the factor is set up after the change
		kept  bool
	}{
		"set up before the change": {
			setUp: func(_ *emailEnv, b *browser) { b.enableSecondFactor() },
			kept:  true,
		},
		"set up after the change": {after: true},
		"from before the address was stored": {
			setUp: func(e *emailEnv, b *browser) {
				b.enableSecondFactor()
				a := e.account(ada)
				a.SecondFactor.Address = ""
				a.Version++
				must(e.t, e.store.SaveAccount(e.t.Context(), a, nil))
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEmailEnv(t)
			b := e.confirmedMember(ada)
			if c.setUp != nil {
				c.setUp(e, b)
			}
			b.changeEmail(e, attackerEmail)
			if c.after {
				b.enableSecondFactor()
			}
			e.browser().openLink(e.last(ada, "was changed").Token()).wantStatus(204)
			e.browser().reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
			a := e.browser().signIn(ada, "battery staple")
			if want := map[bool]int{true: 401, false: 200}[c.kept]; a.Status != want {
				t.Errorf("status %d, want %d; body %s", a.Status, want, a.Body)
			}
		})
	}
}

// A person mistypes the address at the sign-up and corrects it. The stranger at the wrong address
// hears nothing of it and gets no link, and the right address hears nothing of the wrong one.
func TestUnconfirmedAddressCannotUndoItsCorrection(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada)
	b.changeEmail(e, newAda)
	if got := e.subjects(ada); got != "Confirm your email address for SecondRing" {
		t.Errorf("the stranger got the emails %s", got)
	}
	if m := e.last(newAda, "Confirm your new"); strings.Contains(m.Text, ada) {
		t.Errorf("the email to the new address is\n%s", m.Text)
	}
	e.browser().signUp(ada, "another password").wantStatus(201) // it was never this account's
}

// An attacker who knows the password has requested the change. The owner sets another password
// before the attacker opens the link, or before it is sent.
func TestNewPasswordEndsChangeOfAddress(t *testing.T) {
	for name, setPassword := range map[string]func(*emailEnv, *browser){
		"with the current password": func(_ *emailEnv, owner *browser) {
			owner.do("POST", "/identity/password", fields{"current": adaPass, "new": "battery staple"}).wantStatus(204)
		},
		"with a reset link": func(e *emailEnv, owner *browser) {
			owner.forgot(ada)
			owner.reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEmailEnv(t)
			owner, attacker := e.member(ada), e.browser()
			attacker.signIn(ada, adaPass).wantStatus(200)
			token := attacker.requestEmailChange(e, attackerEmail)
			setPassword(e, owner)
			attacker.openLink(token).wantError(410, market.CodeGone, "")
		})
	}
	t.Run("before the email is sent", func(t *testing.T) {
		e := newEmailEnv(t)
		owner, attacker := e.member(ada), e.browser()
		attacker.signIn(ada, adaPass).wantStatus(200)
		attacker.do("POST", "/identity/email", fields{"email": attackerEmail, "password": adaPass}).wantStatus(204)
		owner.do("POST", "/identity/password", fields{"current": adaPass, "new": "battery staple"}).wantStatus(204)
		if got := e.subjects(attackerEmail); got != "" {
			t.Errorf("the attacker got the emails %s", got)
		}
	})
}

func TestUndoLinkExpiresAfterAWeek(t *testing.T) {
	e := newEmailEnv(t)
	b := e.confirmedMember(ada)
	b.changeEmail(e, newAda)
	undo := e.last(ada, "was changed").Token()
	e.clock.Pass(7 * 24 * time.Hour)
	b.openLink(undo).wantError(410, market.CodeGone, "")
}

func TestThreeChangesOfAddressAWeek(t *testing.T) {
	e := newEmailEnv(t)
	b := e.confirmedMember(ada)
	for i := range 3 {
		b.changeEmail(e, fmt.Sprintf("ada%d@example.com", i))
		e.emails(ada) // the email to the old address, with its link
	}
	b.do("POST", "/identity/email", fields{"email": newAda, "password": adaPass}).wantError(409, market.CodeConflict, "")
	e.clock.Pass(7 * 24 * time.Hour)
	b.changeEmail(e, newAda)
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
