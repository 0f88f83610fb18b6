package identity_test

import (
	"testing"
	"time"

	"secondring/market"
)

// A thief who knows the password switches on a second factor. A new password would not help the
// owner, but the link of the email does.
func TestOwnerSwitchesOffSecondFactorOfThief(t *testing.T) {
	e := newEmailEnv(t)
	e.confirmedMember(ada)
	thief := e.browser()
	thief.signIn(ada, adaPass).wantStatus(200)
	secret, _ := thief.enableSecondFactor()
	link := e.last(ada, "is on").Token()

	for range 3 {
		thief.forgot(ada) // no more resets can be requested in this hour
		e.emails(ada)
	}
	e.browser().openLink(link).wantStatus(204)
	thief.do("GET", "/identity/me", nil).wantStatus(401)
	again := e.browser()
	again.signIn(ada, adaPass).wantStatus(401) // the thief knows this password
	again.submitCode(thief.totp(secret)).wantStatus(401)
	owner := e.browser()
	owner.reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
	owner.signIn(ada, "battery staple").wantStatus(200)
}

// The link is about one second factor. It does not switch off another one, and it survives a reset
// and a change of the address that is undone.
func TestLinkAgainstSecondFactor(t *testing.T) {
	t.Run("of a factor that was replaced", func(t *testing.T) {
		e := newEmailEnv(t)
		b := e.confirmedMember(ada)
		b.enableSecondFactor()
		link := e.last(ada, "is on").Token()
		b.do("POST", "/identity/second-factor/stop", fields{"password": adaPass}).wantStatus(204)
		b.enableSecondFactor()
		e.browser().openLink(link).wantError(410, market.CodeGone, "")
	})
	t.Run("after a reset", func(t *testing.T) {
		e := newEmailEnv(t)
		e.confirmedMember(ada).enableSecondFactor()
		link := e.last(ada, "is on").Token()
		owner := e.browser()
		owner.forgot(ada)
		owner.reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
		owner.signIn(ada, "battery staple").wantStatus(401) // the code is missing
		owner.openLink(link).wantStatus(204)
		owner.reset(e.last(ada, "Reset").Token(), "other words").wantStatus(204)
		owner.signIn(ada, "other words").wantStatus(200)
	})
	t.Run("after a change of the address was undone", func(t *testing.T) {
		e := newEmailEnv(t)
		thief := e.confirmedMember(ada)
		thief.enableSecondFactor() // while the account has the owner's address
		link := e.last(ada, "is on").Token()
		thief.changeEmail(e, attackerEmail)
		owner := e.browser()
		owner.openLink(link).wantError(410, market.CodeGone, "")
		owner.openLink(e.last(ada, "was changed").Token()).wantStatus(204)
		e.emails(ada) // sends the first link for a new password, which the next one replaces
		owner.openLink(link).wantStatus(204)
		owner.reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
		owner.signIn(ada, "battery staple").wantStatus(200)
	})
}

// A thief changes the address of the account. Nobody else gets the old address while its owner can
// undo the change.
func TestOldAddressIsReservedWhileChangeCanBeUndone(t *testing.T) {
	google, useServer := startGoogle(t)
	e := newEmailEnv(t, useServer)
	thief := e.confirmedMember(grace.Email)
	other := e.confirmedMember("other@example.com")
	toOther := other.requestEmailChange(e, "third@example.com")
	thief.changeEmail(e, attackerEmail)
	undo := e.last(grace.Email, "was changed").Token()

	e.browser().signUp("GRACE@example.com", adaPass).wantError(409, market.CodeExists, "Email is already in use")
	other.do("POST", "/identity/email", fields{"email": grace.Email, "password": adaPass}).wantError(409, market.CodeExists, "")
	google.QueueUser(grace)
	e.browser().signInWithGoogle("/").wantRedirect("/login?error=google_other")
	if err := e.service.CreateAdmin(t.Context(), grace.Email, adaPass, market.FullAdmin); market.CodeOf(err) != market.CodeExists {
		t.Errorf("the command gets %v", err)
	}
	other.openLink(toOther).wantStatus(204) // other addresses are free
	e.browser().openLink(undo).wantStatus(204)
	e.browser().reset(e.last(grace.Email, "Reset").Token(), "battery staple").wantStatus(204)
	e.browser().signIn(grace.Email, "battery staple").wantStatus(200)
}

func TestOldAddressIsFreeAfterItsReservation(t *testing.T) {
	e := newEmailEnv(t)
	b := e.confirmedMember(ada)
	b.changeEmail(e, newAda)
	b.changeEmail(e, ada) // the owner may return
	b.changeEmail(e, newAda)
	e.clock.Pass(8 * 24 * time.Hour)
	e.browser().signUp(ada, adaPass).wantStatus(201)
}

// The owner's mail server accepts emails only later. Until then a thief changes the address twice
// and undoes the second change. The owner still gets the link that undoes the first.
func TestThiefCannotSuppressTheUndoLink(t *testing.T) {
	e := newEmailEnv(t)
	thief := e.confirmedMember(ada)
	e.smtp.Defer(ada)
	e.clock.Pass(time.Second)
	thief.changeEmail(e, attackerEmail)
	e.clock.Pass(time.Second)
	thief.changeEmail(e, "second-"+attackerEmail)
	e.clock.Pass(time.Second)
	e.browser().openLink(e.last(attackerEmail, "was changed").Token()).wantStatus(204)
	e.browser().reset(e.last(attackerEmail, "Reset").Token(), "thief password").wantStatus(204)
	e.smtp.Defer("")
	e.clock.Pass(time.Hour)
	owner := e.browser()
	owner.openLink(e.last(ada, "was changed").Token()).wantStatus(204)
	owner.reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
	owner.signIn(ada, "battery staple").wantStatus(200)
}

// The same with the link against a second factor: it is for the address of the email.
func TestLateLinkAgainstSecondFactorIsForItsAddress(t *testing.T) {
	e := newEmailEnv(t)
	thief := e.confirmedMember(ada)
	e.smtp.Defer(ada)
	thief.enableSecondFactor()
	thief.changeEmail(e, attackerEmail)
	e.smtp.Defer("")
	e.clock.Pass(time.Hour)
	link := e.last(ada, "is on").Token()
	owner := e.browser()
	owner.openLink(link).wantError(410, market.CodeGone, "") // it would be the thief's new password
	owner.openLink(e.last(ada, "was changed").Token()).wantStatus(204)
	e.last(ada, "Reset") // it is sent before the next one, which replaces its link
	owner.openLink(link).wantStatus(204)
	owner.reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
	owner.signIn(ada, "battery staple").wantStatus(200)
}
