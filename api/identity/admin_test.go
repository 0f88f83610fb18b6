package identity_test

import (
	"errors"
	"slices"
	"testing"

	"secondring/market"
)

func TestCreateAdminMakesANewAccount(t *testing.T) {
	w := newWorld(t)
	must(t, w.service.CreateAdmin(t.Context(), " root@example.com ", adaPass))
	b := w.browser()
	if me := b.signIn("root@example.com", adaPass).is(200); me["displayName"] != "root" || me["email"] != "root@example.com" {
		t.Errorf("signed in as %v", me)
	}
	if !w.isAdmin(b.token("root@example.com")) {
		t.Error("no admin")
	}
	err := w.service.CreateAdmin(t.Context(), "ROOT@example.com", "another password")
	if market.CodeOf(err) != market.CodeExists {
		t.Errorf("a second time: %v", err)
	}
	w.browser().signIn("root@example.com", "another password").is(401)
}

// TestCreateAdminLeavesAStrangersAccountAlone is about somebody who signed up
// with the operator's address before the operator made it an admin.
func TestCreateAdminLeavesAStrangersAccountAlone(t *testing.T) {
	w := newWorld(t)
	stranger := w.member(ada)
	token := stranger.token(ada)
	if err := w.service.CreateAdmin(t.Context(), ada, "the operator's own"); market.CodeOf(err) != market.CodeExists {
		t.Errorf("the address is taken: %v", err)
	}
	if w.isAdmin(token) {
		t.Error("the stranger is an admin")
	}
}

func TestPromoteAdminShutsOutWhoHadTheAccount(t *testing.T) {
	w := newWorld(t)
	stranger := w.member(ada)
	token := stranger.token(ada)
	account := w.account(ada)
	account.GoogleSub = "the stranger's"
	account.Version++
	must(t, w.store.SaveAccount(t.Context(), account, nil))

	must(t, w.service.PromoteAdmin(t.Context(), ada, "the operator's own"))
	stranger.do("GET", "/identity/me", nil).is(401)
	if _, _, err := w.service.Bearer(t.Context(), token); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("the old token: %v", err)
	}
	w.browser().signIn(ada, adaPass).is(401)
	if got := w.account(ada).GoogleSub; got != "" {
		t.Errorf("still linked to Google's %q", got)
	}
	operator := w.browser()
	operator.signIn(ada, "the operator's own").is(200)
	if !w.isAdmin(operator.token(ada)) {
		t.Error("no admin")
	}
	w.leftLine(market.DeedSetPassword, w.account(ada))
}

// isAdmin tells whether a token's owner is an admin.
func (w *world) isAdmin(token string) bool {
	w.t.Helper()
	actor, _, err := w.service.Bearer(w.t.Context(), token)
	must(w.t, err)
	return actor.User.Admin
}

func TestAdminsThatAreNotMade(t *testing.T) {
	w := newWorld(t)
	for _, c := range [][2]string{{"", adaPass}, {"root", adaPass}, {"root@example.com", ""}, {"root@example.com", "12345"}} {
		if err := w.service.CreateAdmin(t.Context(), c[0], c[1]); market.CodeOf(err) != market.CodeInvalid {
			t.Errorf("%q: %v", c, err)
		}
	}
	w.remove(ada)
	if err := w.service.CreateAdmin(t.Context(), ada, adaPass); market.CodeOf(err) != market.CodeForbidden {
		t.Errorf("a removed account: %v", err)
	}
	if err := w.service.PromoteAdmin(t.Context(), ada, adaPass); market.CodeOf(err) != market.CodeNotFound {
		t.Errorf("a removed account is promoted: %v", err)
	}
}

// remove makes a member and removes them.
func (w *world) remove(email string) {
	w.t.Helper()
	w.member(email)
	user, err := w.store.UserByEmail(w.t.Context(), email)
	must(w.t, err)
	_, err = w.market.RemoveUser(w.t.Context(), market.Actor{User: market.User{Admin: true}}, user.ID)
	must(w.t, err)
}

func TestAPasswordIsSetFromOutside(t *testing.T) {
	w := newWorld(t)
	b := w.member(ada)
	token := b.token(ada)
	w.control()
	must(t, w.service.SetPassword(t.Context(), "ada@example.com", "battery staple"))
	b.do("GET", "/identity/me", nil).is(401)
	if _, _, err := w.service.Bearer(t.Context(), token); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("an old token: %v", err)
	}
	if told := w.control(); len(told) != 1 || told[0] != (market.Control{UID: w.account(ada).UID}) {
		t.Errorf("told the nodes %v", told)
	}
	w.browser().signIn(ada, adaPass).is(401)
	w.browser().signIn(ada, "battery staple").is(200)
	w.leftLine(market.DeedSetPassword, w.account(ada))

	for _, c := range []struct {
		email, password string
		code            market.Code
	}{
		{"nobody@example.com", adaPass, market.CodeNotFound}, {ada, "12345", market.CodeInvalid}, {ada, "", market.CodeInvalid},
	} {
		if err := w.service.SetPassword(t.Context(), c.email, c.password); market.CodeOf(err) != c.code {
			t.Errorf("%v: %v", c, err)
		}
	}
	w.remove("gone@example.com")
	if err := w.service.SetPassword(t.Context(), "gone@example.com", adaPass); market.CodeOf(err) != market.CodeNotFound {
		t.Errorf("a removed account: %v", err)
	}
}

// leftLine wants one line of the trail to tell of the operator's deed.
func (w *world) leftLine(deed market.AuditAction, a market.Account) {
	w.t.Helper()
	trail, err := w.store.AuditEntries(w.t.Context(), market.Page{Limit: 9})
	must(w.t, err)
	user, err := w.store.User(w.t.Context(), a.UID)
	if !errors.Is(err, market.ErrNotFound) {
		must(w.t, err)
	}
	told := slices.DeleteFunc(trail.Items, func(l market.AuditEntry) bool { return l.Deed != deed })
	if len(told) != 1 {
		w.t.Fatalf("%d lines tell of %s", len(told), deed)
	}
	want := market.AuditEntry{
		ID: told[0].ID, At: told[0].At, Deed: deed, Target: a.DisplayName, TargetID: user.ID, ConcernID: user.ID,
	}
	if told[0] != want {
		w.t.Errorf("the line is %+v, want %+v", told[0], want)
	}
}

func TestOnlyARemovedAddressIsAllowedAgain(t *testing.T) {
	w := newWorld(t)
	w.browser().signUp(ada, adaPass).is(201)
	for _, email := range []string{ada, "nobody@example.com", ""} {
		if err := w.service.Allow(t.Context(), email); market.CodeOf(err) != market.CodeNotFound {
			t.Errorf("%q: %v", email, err)
		}
	}
	w.remove("gone@example.com")
	gone := w.account("gone@example.com")
	must(t, w.service.Allow(t.Context(), "GONE@example.com"))
	w.leftLine(market.DeedAllowAgain, gone)
	b := w.member("gone@example.com")
	b.token("gone@example.com")
}
