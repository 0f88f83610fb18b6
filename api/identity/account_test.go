package identity_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

func TestSignUpReturnsUserAndStartsSession(t *testing.T) {
	e := newEnv(t)
	b := e.browser()
	a := b.signUp(ada, adaPass)
	user := a.is(201)
	if user["email"] != ada || user["displayName"] != "Ada" || user["photoURL"] != "" || user["uid"] == "" ||
		user["emailVerified"] != false || user["secondFactor"] != false || len(user) != 6 {
		t.Errorf("user is %v", user)
	}
	if b.do("GET", "/identity/me", nil).is(200)["uid"] != user["uid"] {
		t.Error("the session is another's")
	}
	stored := e.account(ada)
	if !strings.HasPrefix(stored.PasswordHash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("stored hash is %q", stored.PasswordHash)
	}
}

func TestSignUpRefusals(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).is(201)
	full := func(change fields) fields {
		body := fields{"email": "new@example.com", "password": adaPass, "displayName": "New"}
		maps.Copy(body, change)
		return body
	}
	for name, c := range map[string]struct {
		change         fields
		field, message string
	}{
		"no email":              {fields{"email": nil}, "email", "Email Address is required"},
		"blank email":           {fields{"email": "  "}, "email", "Email Address is required"},
		"no at":                 {fields{"email": "new.example.com"}, "email", "Email Address is not valid"},
		"two":                   {fields{"email": "a@example.com,b@example.com"}, "email", "Email Address is not valid"},
		"look-alike letters":    {fields{"email": "аda@example.com"}, "email", "Email Address is not valid"},
		"line end":              {fields{"email": "a@example.com\nBcc: b"}, "email", "Email Address is not valid"},
		"long email":            {fields{"email": "a@" + strings.Repeat("a.", 130) + "com"}, "email", "Email Address is not valid"},
		"email of another type": {fields{"email": 1}, "email", "must be a text"},
		"no password":           {fields{"password": ""}, "password", "Password is required"},
		"short password":        {fields{"password": "12345"}, "password", "Password must be atleast 6 characters or longer"},
		"short in characters":   {fields{"password": "äöüß€"}, "password", "Password must be atleast 6 characters or longer"},
		"long password":         {fields{"password": strings.Repeat("p", 1025)}, "password", "Password is longer than 1024 characters"},
		"no name":               {fields{"displayName": " "}, "displayName", "is required"},
		"long name":             {fields{"displayName": strings.Repeat("n", 101)}, "displayName", "is longer than 100 characters"},
		"name with controls":    {fields{"displayName": "a\x00b"}, "displayName", "contains characters that cannot be shown"},
	} {
		t.Run(name, func(t *testing.T) {
			a := e.browser().do("POST", "/identity/sign-up", full(c.change))
			a.field(c.field, c.message)
			if len(a.Cookie) != 0 {
				t.Error("a refused sign-up sets a cookie")
			}
			if password, ok := c.change["password"].(string); ok && password != "" && strings.Contains(a.Body, password) {
				t.Error("the answer repeats the password")
			}
		})
	}
	for _, none := range []any{nil, ""} { // it may be set later
		email := fmt.Sprintf("unnamed%v@example.com", none == nil)
		e.browser().do("POST", "/identity/sign-up", full(fields{"email": email, "displayName": none})).is(201)
	}
	e.browser().signUp("ADA@example.COM", adaPass).refused(409, market.CodeExists, "Email is already in use")
	notJSON := func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }
	e.browser().do("POST", "/identity/sign-up", full(nil), notJSON).is(415)
	e.browser().do("POST", "/identity/sign-up", []int{1}).is(400)
}

func TestSignInIgnoresCaseOfEmail(t *testing.T) {
	e := newEnv(t)
	uid := e.browser().signUp(ada, adaPass).is(201)["uid"]
	if got := e.browser().signIn("  ada@EXAMPLE.com ", adaPass).is(200); got["uid"] != uid || got["email"] != ada {
		t.Errorf("signed in as %v", got)
	}
}

func TestSignInRefusals(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).is(201)
	for name, c := range map[string][2]string{
		"wrong password":       {ada, "incorrect horse"},
		"other case":           {ada, strings.ToUpper(adaPass)},
		"unknown address":      {"nobody@example.com", adaPass},
		"short password":       {ada, "x"},
		"very long password":   {ada, strings.Repeat("p", 100_000)},
		"password and a space": {ada, adaPass + " "},
	} {
		t.Run(name, func(t *testing.T) {
			a := e.browser().signIn(c[0], c[1])
			a.refused(401, market.CodeNoToken, "Wrong email or password")
			if len(a.Cookie) != 0 {
				t.Error("a refused sign-in sets a cookie")
			}
		})
	}
	e.browser().signIn("", adaPass).field("email", "Email Address is required")
	e.browser().signIn(ada, "").field("password", "Password is required")
	e.browser().do("POST", "/identity/sign-in", fields{"email": ada, "password": 7}).field("password", "must be a text")
}

func TestSignOutEndsTheSessionItsTokensAndSockets(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	token := b.token(ada)
	actor, _, err := e.service.Bearer(t.Context(), token)
	must(t, err)
	other := e.browser()
	other.signIn(ada, adaPass).is(200)
	e.control()

	a := b.do("POST", "/identity/sign-out", nil)
	a.is(204)
	if c := a.Cookie["sr_session"]; c == nil || c.MaxAge >= 0 || c.Value != "" {
		t.Errorf("the cookie stays: %v", c)
	}
	if _, _, err := e.service.Bearer(t.Context(), token); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("the token outlives its session: %v", err)
	}
	controls := e.control()
	if len(controls) != 1 || controls[0] != (market.Control{UID: actor.User.UID, Session: actor.Session}) {
		t.Errorf("told the nodes %v", controls)
	}
	b.do("GET", "/identity/me", nil).refused(401, market.CodeNoToken, "")
	b.do("POST", "/identity/sign-out", nil).is(401)
	other.do("GET", "/identity/me", nil).is(200)
}

func TestRemovedUserCannotSignIn(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	token := b.token(ada)
	root := market.Actor{User: market.User{UID: "root", Admin: true}}
	user, err := e.store.UserByEmail(t.Context(), ada)
	must(t, err)
	_, err = e.market.RemoveUser(t.Context(), root, user.ID)
	must(t, err)

	b.do("GET", "/identity/me", nil).is(401)
	if _, _, err := e.service.Bearer(t.Context(), token); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("the token outlives its account: %v", err)
	}
	e.browser().signIn(ada, adaPass).refused(401, market.CodeNoToken, "Wrong email or password")
	e.browser().signUp("ada@example.com", adaPass).refused(403, market.CodeForbidden,
		"This account was removed, and its email cannot sign up again")

	must(t, e.service.Allow(t.Context(), ada))
	if again := e.browser().signUp(ada, "a new password").is(201); again["uid"] == user.UID {
		t.Error("the new account is the old one")
	}
}

func TestSignInsAreLimitedPerAccountAndAddress(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).is(201)
	for range 10 {
		e.browser().signIn(ada, "wrong!").is(401)
	}
	a := e.browser().signIn("ADA@example.com", adaPass)
	a.refused(429, "too_many_requests", "")
	if a.Header.Get("Retry-After") != "900" {
		t.Errorf("come back after %q seconds", a.Header.Get("Retry-After"))
	}
	elsewhere := e.browser()
	elsewhere.address = "192.0.2.2"
	elsewhere.signIn(ada, adaPass).is(200)
	e.clock.Pass(15 * time.Minute)
	e.browser().signIn(ada, adaPass).is(200)
}

// A common password is refused when somebody chooses it, but an existing one still works.
func TestCommonPasswordsAreRefused(t *testing.T) {
	const message = "This password is one of the most common ones. Please choose another"
	e := newEnv(t)
	b := e.member(ada)
	for _, common := range []string{"123456", "Password1", "QWERTYUIOP", "iloveyou"} {
		e.browser().signUp("eve@example.com", common).field("password", message)
		b.do("POST", "/identity/password", fields{"current": adaPass, "new": common}).field("new", message)
		link, err := e.service.ResetLink(t.Context(), ada)
		must(t, err)
		_, token, _ := strings.Cut(link, "#token=")
		e.browser().do("POST", "/identity/reset", fields{"token": token, "password": common}).field("password", message)
		if err := e.service.SetPassword(t.Context(), ada, common); market.CodeOf(err) != market.CodeInvalid {
			t.Errorf("set by the operator: %v", err)
		}
	}
	for _, rare := range []string{"123456!", "correct horse", "пароль-1"} {
		e.browser().signUp(strings.ToUpper(market.NewID(e.clock.Now()))+"@example.com", rare).is(201)
	}
}
