package identity_test

import (
	"errors"
	"slices"
	"testing"

	"secondring/market"
)

func TestCreateAdminMakesANewAccount(t *testing.T) {
	e := newEnv(t)
	must(t, e.service.CreateAdmin(t.Context(), " root@example.com ", adaPass))
	b := e.browser()
	if me := b.signIn("root@example.com", adaPass).is(200); me["displayName"] != "root" || me["email"] != "root@example.com" {
		t.Errorf("signed in as %v", me)
	}
	if !e.isAdmin(b.token("root@example.com")) {
		t.Error("no admin")
	}
	err := e.service.CreateAdmin(t.Context(), "ROOT@example.com", "another password")
	if market.CodeOf(err) != market.CodeExists {
		t.Errorf("a second time: %v", err)
	}
	e.browser().signIn("root@example.com", "another password").is(401)
}

// The owner of an existing account may be a stranger who signed up with the operator's
// address.
func TestCreateAdminRefusesExistingAccount(t *testing.T) {
	e := newEnv(t)
	stranger := e.member(ada)
	token := stranger.token(ada)
	if err := e.service.CreateAdmin(t.Context(), ada, "the operator's own"); market.CodeOf(err) != market.CodeExists {
		t.Errorf("the address is taken: %v", err)
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
	account.GoogleSub = "the stranger's"
	account.Version++
	must(t, e.store.SaveAccount(t.Context(), account, nil))

	must(t, e.service.PromoteAdmin(t.Context(), ada, "the operator's own"))
	stranger.do("GET", "/identity/me", nil).is(401)
	if _, _, err := e.service.Bearer(t.Context(), token); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("the old token: %v", err)
	}
	e.browser().signIn(ada, adaPass).is(401)
	if got := e.account(ada).GoogleSub; got != "" {
		t.Errorf("still linked to Google's %q", got)
	}
	operator := e.browser()
	operator.signIn(ada, "the operator's own").is(200)
	if !e.isAdmin(operator.token(ada)) {
		t.Error("no admin")
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
		if err := e.service.CreateAdmin(t.Context(), c[0], c[1]); market.CodeOf(err) != market.CodeInvalid {
			t.Errorf("%q: %v", c, err)
		}
	}
	e.remove(ada)
	if err := e.service.CreateAdmin(t.Context(), ada, adaPass); market.CodeOf(err) != market.CodeForbidden {
		t.Errorf("a removed account: %v", err)
	}
	if err := e.service.PromoteAdmin(t.Context(), ada, adaPass); market.CodeOf(err) != market.CodeNotFound {
		t.Errorf("a removed account is promoted: %v", err)
	}
}

// remove adds a member and removes them.
func (e *env) remove(email string) {
	e.t.Helper()
	e.member(email)
	user, err := e.store.UserByEmail(e.t.Context(), email)
	must(e.t, err)
	_, err = e.market.RemoveUser(e.t.Context(), market.Actor{User: market.User{Admin: true}}, user.ID)
	must(e.t, err)
}

func TestSetPassword(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	token := b.token(ada)
	e.control()
	must(t, e.service.SetPassword(t.Context(), "ada@example.com", "battery staple"))
	b.do("GET", "/identity/me", nil).is(401)
	if _, _, err := e.service.Bearer(t.Context(), token); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("an old token: %v", err)
	}
	if entries := e.control(); len(entries) != 1 || entries[0] != (market.Control{UID: e.account(ada).UID, Reason: market.ReasonPasswordChanged}) {
		t.Errorf("told the nodes %v", entries)
	}
	e.browser().signIn(ada, adaPass).is(401)
	e.browser().signIn(ada, "battery staple").is(200)
	e.wantAuditEntry(market.ActionSetPassword, e.account(ada))

	for _, c := range []struct {
		email, password string
		code            market.Code
	}{
		{"nobody@example.com", adaPass, market.CodeNotFound}, {ada, "12345", market.CodeInvalid}, {ada, "", market.CodeInvalid},
	} {
		if err := e.service.SetPassword(t.Context(), c.email, c.password); market.CodeOf(err) != c.code {
			t.Errorf("%v: %v", c, err)
		}
	}
	e.remove("gone@example.com")
	if err := e.service.SetPassword(t.Context(), "gone@example.com", adaPass); market.CodeOf(err) != market.CodeNotFound {
		t.Errorf("a removed account: %v", err)
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

func TestAllowAcceptsOnlyRemovedAddresses(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).is(201)
	for _, email := range []string{ada, "nobody@example.com", ""} {
		if err := e.service.Allow(t.Context(), email); market.CodeOf(err) != market.CodeNotFound {
			t.Errorf("%q: %v", email, err)
		}
	}
	e.remove("gone@example.com")
	gone := e.account("gone@example.com")
	must(t, e.service.Allow(t.Context(), "GONE@example.com"))
	e.wantAuditEntry(market.ActionAllowAgain, gone)
	b := e.member("gone@example.com")
	b.token("gone@example.com")
}
