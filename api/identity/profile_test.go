package identity_test

import (
	"strings"
	"sync"
	"testing"

	"secondring/market"
)

func TestMeNeedsASession(t *testing.T) {
	b := newEnv(t).browser()
	b.do("GET", "/identity/me", nil).refused(401, market.CodeNoToken, "Please log in first")
	b.do("PATCH", "/identity/me", fields{"displayName": "x"}).is(401)
	b.do("POST", "/identity/password", fields{"current": "x", "new": adaPass}).is(401)
}

func TestNameAndPictureCanBeChanged(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	got := b.do("PATCH", "/identity/me", fields{"displayName": " Ada Lovelace ", "photoURL": "https://example.com/a.jpg"}).is(200)
	if got["displayName"] != "Ada Lovelace" || got["photoURL"] != "https://example.com/a.jpg" || got["email"] != ada {
		t.Errorf("answered %v", got)
	}
	user, err := e.store.UserByEmail(t.Context(), ada)
	must(t, err)
	if user.Name != "Ada Lovelace" {
		t.Errorf("the market knows %q", user.Name)
	}
	if got := b.do("PATCH", "/identity/me", fields{"photoURL": ""}).is(200); got["photoURL"] != "" || got["displayName"] != "Ada Lovelace" {
		t.Errorf("after taking the picture away: %v", got)
	}
	if got := b.do("PATCH", "/identity/me", fields{}).is(200); got["displayName"] != "Ada Lovelace" {
		t.Errorf("after no change: %v", got)
	}
	b.do("PATCH", "/identity/me", fields{"email": "root@example.com", "uid": "root"}).is(200)
	if me := b.do("GET", "/identity/me", nil).is(200); me["email"] != ada {
		t.Errorf("the address became %v", me["email"])
	}
}

func TestProfileRefusals(t *testing.T) {
	e := newEnv(t)
	b := e.browser()
	b.signUp(ada, adaPass).is(201)
	for name, c := range map[string]struct {
		field string
		value any
		says  string
	}{
		"no name":        {"displayName", "  ", "is required"},
		"long name":      {"displayName", strings.Repeat("n", 101), "is longer than 100 characters"},
		"name of a type": {"displayName", 1, "must be a text"},
		"script":         {"photoURL", "javascript:alert(1)", "must be the web address of a picture"},
		"data":           {"photoURL", "data:image/png;base64,AA", "must be the web address of a picture"},
		"other host":     {"photoURL", "//example.com/a.jpg", "must be the web address of a picture"},
		"no host":        {"photoURL", "https:///a.jpg", "must be the web address of a picture"},
		"long":           {"photoURL", "https://example.com/" + strings.Repeat("a", 2000), "must be the web address of a picture"},
	} {
		t.Run(name, func(t *testing.T) {
			b.do("PATCH", "/identity/me", fields{c.field: c.value}).field(c.field, c.says)
		})
	}
	b.do("PATCH", "/identity/me", fields{"photoURL": "/images/a.jpg", "displayName": "Before the user"}).is(200)
}

func TestConcurrentProfileChangesAreAllApplied(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, body := range []fields{{"displayName": "New"}, {"photoURL": "/new.jpg"}} {
				if got := b.do("PATCH", "/identity/me", body); got.Status != 200 {
					t.Errorf("status %d: %s", got.Status, got.Body)
				}
			}
		})
	}
	all.Wait()
	if me := b.do("GET", "/identity/me", nil).is(200); me["displayName"] != "New" || me["photoURL"] != "/new.jpg" {
		t.Errorf("in the end %v", me)
	}
}

func TestNewPasswordEndsOtherSessions(t *testing.T) {
	e := newEnv(t)
	b, other := e.member(ada), e.browser()
	other.signIn(ada, adaPass).is(200)
	mine, theirs := b.token(ada), other.token(ada)
	actor, _, err := e.service.Bearer(t.Context(), mine)
	must(t, err)
	e.control()

	b.do("POST", "/identity/password", fields{"current": adaPass, "new": "battery staple"}).is(204)
	b.do("GET", "/identity/me", nil).is(200)
	other.do("GET", "/identity/me", nil).is(401)
	if _, _, err := e.service.Bearer(t.Context(), mine); err != nil {
		t.Errorf("this session's token: %v", err)
	}
	if _, _, err := e.service.Bearer(t.Context(), theirs); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("the other session's token: %v", err)
	}
	if controls := e.control(); len(controls) != 1 || controls[0] != (market.Control{UID: actor.User.UID, Except: actor.Session, Reason: market.ReasonPasswordChanged}) {
		t.Errorf("told the nodes %v", controls)
	}
	e.browser().signIn(ada, adaPass).is(401)
	e.browser().signIn(ada, "battery staple").is(200)
}

func TestPasswordRefusals(t *testing.T) {
	e := newEnv(t)
	b := e.browser()
	b.signUp(ada, adaPass).is(201)
	try := func(body fields) answer { return b.do("POST", "/identity/password", body) }
	try(fields{"new": "battery staple"}).field("current", "Password is required")
	try(fields{"current": adaPass}).field("new", "Password is required")
	try(fields{"current": adaPass, "new": "12345"}).field("new", "Password must be atleast 6 characters or longer")
	try(fields{"current": adaPass, "new": strings.Repeat("p", 1025)}).field("new", "Password is longer than 1024 characters")
	try(fields{"current": adaPass, "new": 123456}).field("new", "must be a text")
	for range 10 {
		try(fields{"current": "a guess", "new": "battery staple"}).field("current", "This is not your password")
	}
	try(fields{"current": adaPass, "new": "battery staple"}).refused(429, "too_many_requests", "")
	e.browser().signIn(ada, adaPass).is(429) // all guesses are counted together
}

func TestGoogleUserCanSetFirstPassword(t *testing.T) {
	e := newGoogleEnv(t)
	e.google.QueueUser(grace)
	b := e.browser()
	b.google("/").leadsTo("/")
	e.browser().signIn(grace.Email, adaPass).is(401)
	b.do("POST", "/identity/password", fields{"new": adaPass}).is(204)
	e.browser().signIn(grace.Email, adaPass).is(200)
	b.do("POST", "/identity/password", fields{"new": "battery staple"}).field("current", "Password is required")
}
