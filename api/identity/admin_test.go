package identity_test

import (
	"errors"
	"slices"
	"testing"

	"secondring/market"
)

func TestCreateAdminMakesANewAccount(t *testing.T) {
	e := newEnv(t)
	must(t, e.service.CreateAdmin(t.Context(), "root@example.com", adaPass, market.FullAdmin))
	b := e.browser()
	if me := b.signIn("root@example.com", adaPass).wantStatus(200); me["displayName"] != "root" || me["email"] != "root@example.com" {
		t.Errorf("signed in as %v", me)
	}
	if !e.isAdmin(b.token("root@example.com")) {
		t.Error("the user is no admin")
	}
	err := e.service.CreateAdmin(t.Context(), "ROOT@example.com", "another password", market.FullAdmin)
	if market.CodeOf(err) != market.CodeExists {
		t.Errorf("the second CreateAdmin returns %v, want code %q", err, market.CodeExists)
	}
	e.browser().signIn("root@example.com", "another password").wantStatus(401)
}

// The owner of an existing account may be a stranger who signed up with the operator's
// address.
func TestCreateAdminRefusesExistingAccount(t *testing.T) {
	e := newEnv(t)
	stranger := e.member(ada)
	token := stranger.token(ada)
	if err := e.service.CreateAdmin(t.Context(), ada, "the operator's own", market.FullAdmin); market.CodeOf(err) != market.CodeExists {
		t.Errorf("CreateAdmin for an existing account returns %v, want code %q", err, market.CodeExists)
	}
	if e.isAdmin(token) {
		t.Error("the stranger is an admin")
	}
}

func TestPromoteAdminReplacesCredentials(t *testing.T) {
	e := newEnv(t)
	stranger := e.member(ada)
	token := stranger.token(ada)
	account := e.account(ada)
	account.GoogleSub = "stranger-subject"
	account.Version++
	must(t, e.store.SaveAccount(t.Context(), account, nil))

	must(t, e.service.PromoteAdmin(t.Context(), ada, "the operator's own", market.FullAdmin))
	stranger.do("GET", "/identity/me", nil).wantStatus(401)
	e.wantTokenRefused(token)
	e.browser().signIn(ada, adaPass).wantStatus(401)
	if got := e.account(ada).GoogleSub; got != "" {
		t.Errorf("the account is still linked to the Google account %q", got)
	}
	operator := e.browser()
	operator.signIn(ada, "the operator's own").wantStatus(200)
	if !e.isAdmin(operator.token(ada)) {
		t.Error("the user is no admin")
	}
	e.wantAuditEntry(market.ActionSetPassword, e.account(ada))
}

// isAdmin returns whether a token's owner is an admin.
func (e *env) isAdmin(token string) bool {
	e.t.Helper()
	actor, _, err := e.service.Bearer(e.t.Context(), token)
	must(e.t, err)
	return actor.User.Admin
}

func TestCreateAdminRefusals(t *testing.T) {
	e := newEnv(t)
	for _, c := range [][2]string{{"", adaPass}, {"root", adaPass}, {"root@example.com", ""}, {"root@example.com", "12345"}} {
		if err := e.service.CreateAdmin(t.Context(), c[0], c[1], market.FullAdmin); market.CodeOf(err) != market.CodeInvalid {
			t.Errorf("CreateAdmin with %q: %v, want code %q", c, err, market.CodeInvalid)
		}
	}
	e.addRemoved(ada)
	if err := e.service.CreateAdmin(t.Context(), ada, adaPass, market.FullAdmin); market.CodeOf(err) != market.CodeForbidden {
		t.Errorf("for a removed account: %v", err)
	}
	if err := e.service.PromoteAdmin(t.Context(), ada, adaPass, market.FullAdmin); market.CodeOf(err) != market.CodeNotFound {
		t.Errorf("PromoteAdmin of a removed account returns %v", err)
	}
}

// addRemoved adds a user and removes them.
func (e *env) addRemoved(email string) {
	e.t.Helper()
	e.member(email)
	e.removeUser(email)
}

func TestSetPassword(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	token := b.token(ada)
	e.controlEvents()
	must(t, e.service.SetPassword(t.Context(), "ada@example.com", "battery staple"))
	b.do("GET", "/identity/me", nil).wantStatus(401)
	e.wantTokenRefused(token)
	e.wantControl(market.Control{UID: e.account(ada).UID, Reason: market.ReasonPasswordChanged, CredentialsVersion: 1})
	e.browser().signIn(ada, adaPass).wantStatus(401)
	e.browser().signIn(ada, "battery staple").wantStatus(200)
	e.wantAuditEntry(market.ActionSetPassword, e.account(ada))

	for _, c := range []struct {
		email, password string
		code            market.Code
	}{
		{"nobody@example.com", adaPass, market.CodeNotFound}, {ada, "12345", market.CodeInvalid}, {ada, "", market.CodeInvalid},
	} {
		if err := e.service.SetPassword(t.Context(), c.email, c.password); market.CodeOf(err) != c.code {
			t.Errorf("SetPassword(%q, %q): %v, want code %q", c.email, c.password, err, c.code)
		}
	}
	e.addRemoved("removed@example.com")
	if err := e.service.SetPassword(t.Context(), "removed@example.com", adaPass); market.CodeOf(err) != market.CodeNotFound {
		t.Errorf("for a removed account: %v", err)
	}
}

// wantAuditEntry fails the test unless the audit log has one entry of the operator's
// action.
func (e *env) wantAuditEntry(action market.AuditAction, a market.Account) {
	e.t.Helper()
	log, err := e.store.AuditEntries(e.t.Context(), market.Page{Limit: 9})
	must(e.t, err)
	user, err := e.store.User(e.t.Context(), a.UID)
	if !errors.Is(err, market.ErrNotFound) {
		must(e.t, err)
	}
	entries := slices.DeleteFunc(log.Items, func(entry market.AuditEntry) bool { return entry.Action != action })
	if len(entries) != 1 {
		e.t.Fatalf("%d entries of %s", len(entries), action)
	}
	want := market.AuditEntry{
		ID: entries[0].ID, At: entries[0].At, Action: action, Target: a.DisplayName, TargetID: user.ID, ConcernID: user.ID,
	}
	if entries[0] != want {
		e.t.Errorf("the entry is %+v, want %+v", entries[0], want)
	}
}

// allow calls Allow and fails the test unless Allow says that it removed the second factor,
// or that it did not.
func (e *env) allow(email string, wantFactorRemoved bool) {
	e.t.Helper()
	factorRemoved, err := e.service.Allow(e.t.Context(), email)
	must(e.t, err)
	if factorRemoved != wantFactorRemoved {
		e.t.Errorf("Allow(%q) returns %v, want %v", email, factorRemoved, wantFactorRemoved)
	}
}

func TestAllowAcceptsOnlyRemovedAddresses(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).wantStatus(201)
	for _, email := range []string{ada, "nobody@example.com", ""} {
		if _, err := e.service.Allow(t.Context(), email); market.CodeOf(err) != market.CodeNotFound {
			t.Errorf("Allow(%q): %v, want code %q", email, err, market.CodeNotFound)
		}
	}
	e.addRemoved("removed@example.com")
	removed := e.account("removed@example.com")
	e.allow("REMOVED@example.com", false)
	e.wantAuditEntry(market.ActionAllowAgain, removed)
	e.member("removed@example.com").token("removed@example.com")
}
