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
	user := a.wantStatus(201)
	if user["email"] != ada || user["displayName"] != "Ada" || user["photoURL"] != "" || user["uid"] == "" ||
		user["emailVerified"] != false || user["secondFactor"] != false || user["sellerKey"] == "" || len(user) != 7 {
		t.Errorf("user is %v", user)
	}
	if b.do("GET", "/identity/me", nil).wantStatus(200)["uid"] != user["uid"] {
		t.Error("the session belongs to another user")
	}
	stored := e.account(ada)
	if !strings.HasPrefix(stored.PasswordHash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("stored hash is %q", stored.PasswordHash)
	}
}

func TestSignUpRefusals(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).wantStatus(201)
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
		"no at sign":            {fields{"email": "new.example.com"}, "email", "Email Address is not valid"},
		"two addresses":         {fields{"email": "a@example.com,b@example.com"}, "email", "Email Address is not valid"},
		"look-alike letters":    {fields{"email": "аda@example.com"}, "email", "Email Address is not valid"},
		"line break":            {fields{"email": "a@example.com\nBcc: b"}, "email", "Email Address is not valid"},
		"long email":            {fields{"email": "a@" + strings.Repeat("a.", 130) + "com"}, "email", "Email Address is not valid"},
		"email of another type": {fields{"email": 1}, "email", "Email must be a text"},
		"no password":           {fields{"password": ""}, "password", "Password is required"},
		"short password":        {fields{"password": "12345"}, "password", "Password must be atleast 6 characters or longer"},
		"short in characters":   {fields{"password": "äöüß€"}, "password", "Password must be atleast 6 characters or longer"},
		"long password":         {fields{"password": strings.Repeat("p", 1025)}, "password", "Password is longer than 1024 characters"},
		"long name":             {fields{"displayName": strings.Repeat("n", 101)}, "displayName", "Name is longer than 100 characters"},
		"name with many marks":  {fields{"displayName": "a" + strings.Repeat("\u0316", 6)}, "displayName", "Name contains characters that cannot be shown"},
		"name of half a letter": {fields{"displayName": "\u0316\u200b"}, "displayName", "Name contains characters that cannot be shown"},
	} {
		t.Run(name, func(t *testing.T) {
			a := e.browser().do("POST", "/identity/sign-up", full(c.change))
			a.wantFieldError(c.field, c.message)
			if len(a.Cookie) != 0 {
				t.Error("a refused sign-up sets a cookie")
			}
			if password, ok := c.change["password"].(string); ok && password != "" && strings.Contains(a.Body, password) {
				t.Error("the response repeats the password")
			}
		})
	}
	for i, none := range []any{nil, "", " \u200b "} { // the name can be set later
		email := fmt.Sprintf("unnamed%d@example.com", i)
		e.browser().do("POST", "/identity/sign-up", full(fields{"email": email, "displayName": none})).wantStatus(201)
	}
	e.browser().signUp("ADA@example.COM", adaPass).wantError(409, market.CodeExists, "Email is already in use")
	notJSON := func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }
	e.browser().do("POST", "/identity/sign-up", full(nil), notJSON).wantStatus(415)
	e.browser().do("POST", "/identity/sign-up", []int{1}).wantStatus(400)
}

func TestSignInIgnoresCaseOfEmail(t *testing.T) {
	e := newEnv(t)
	uid := e.browser().signUp(ada, adaPass).wantStatus(201)["uid"]
	if got := e.browser().signIn("  ada@EXAMPLE.com ", adaPass).wantStatus(200); got["uid"] != uid || got["email"] != ada {
		t.Errorf("signed in as %v", got)
	}
}

func TestSignInRefusals(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).wantStatus(201)
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
			a.wantError(401, market.CodeNoToken, "Wrong email or password")
			if len(a.Cookie) != 0 {
				t.Error("a refused sign-in sets a cookie")
			}
		})
	}
	e.browser().signIn("", adaPass).wantFieldError("email", "Email Address is required")
	e.browser().signIn(ada, "").wantFieldError("password", "Password is required")
	e.browser().do("POST", "/identity/sign-in", fields{"email": ada, "password": 7}).wantFieldError("password", "Password must be a text")
}

func TestSignOutEndsTheSessionItsTokensAndSockets(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	token := b.token(ada)
	actor, _, err := e.service.Bearer(t.Context(), token)
	must(t, err)
	other := e.browser()
	other.signIn(ada, adaPass).wantStatus(200)
	e.controlEvents()

	a := b.do("POST", "/identity/sign-out", nil)
	a.wantStatus(204)
	if c := a.Cookie["sr_session"]; c == nil || c.MaxAge >= 0 || c.Value != "" {
		t.Errorf("the cookie is not deleted: %v", c)
	}
	e.wantTokenRefused(token)
	e.wantControl(market.Control{UID: actor.User.UID, Session: actor.Session, Reason: market.ReasonSignedOut})
	b.do("GET", "/identity/me", nil).wantError(401, market.CodeNoToken, "")
	b.do("POST", "/identity/sign-out", nil).wantStatus(401)
	other.do("GET", "/identity/me", nil).wantStatus(200)
}

func TestRemovedUserCannotSignIn(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	token := b.token(ada)
	uid := e.account(ada).UID
	e.removeUser(ada)

	b.do("GET", "/identity/me", nil).wantStatus(401)
	e.wantTokenRefused(token)
	closed := e.browser().signIn(ada, adaPass)
	closed.wantError(403, market.CodeClosed, "We have closed this account. You can read why, and ask us to look again")
	e.browser().signIn(ada, "a wrong password").wantError(401, market.CodeNoToken, "Wrong email or password")
	e.browser().signUp("ada@example.com", adaPass).wantError(403, market.CodeForbidden,
		"This account was deleted, and its email cannot sign up again")

	e.allow(ada, false)
	if user := e.browser().signUp(ada, "a new password").wantStatus(201); user["uid"] == uid {
		t.Error("the new account has the UID of the removed one")
	}
}

func TestSignInsAreLimitedPerAccountAndAddress(t *testing.T) {
	e := newEnv(t)
	e.browser().signUp(ada, adaPass).wantStatus(201)
	for range 10 {
		e.browser().signIn(ada, "wrong!").wantStatus(401)
	}
	a := e.browser().signIn("ADA@example.com", adaPass)
	a.wantError(429, "too_many_requests", "")
	if a.Header.Get("Retry-After") != "900" {
		t.Errorf("Retry-After is %q", a.Header.Get("Retry-After"))
	}
	e.from("192.0.2.2").signIn(ada, adaPass).wantStatus(200)
	e.clock.Pass(15 * time.Minute)
	e.browser().signIn(ada, adaPass).wantStatus(200)
}

// A common password is refused when somebody chooses it, but an existing one still works.
func TestCommonPasswordsAreRefused(t *testing.T) {
	const message = "This password is one of the most common ones. Please choose another"
	e := newEnv(t)
	b := e.member(ada)
	for _, common := range []string{"123456", "Password1", "QWERTYUIOP", "iloveyou"} {
		e.browser().signUp("eve@example.com", common).wantFieldError("password", message)
		b.do("POST", "/identity/password", fields{"current": adaPass, "new": common}).wantFieldError("new", message)
		link, err := e.service.ResetLink(t.Context(), ada)
		must(t, err)
		_, token, _ := strings.Cut(link, "#token=")
		e.browser().do("POST", "/identity/reset", fields{"token": token, "password": common}).wantFieldError("password", message)
		if err := e.service.SetPassword(t.Context(), ada, common); market.CodeOf(err) != market.CodeInvalid {
			t.Errorf("the operator sets %q: %v, want code %q", common, err, market.CodeInvalid)
		}
	}
	e.setCheapHash(ada, "123456") // an existing password
	e.browser().signIn(ada, "123456").wantStatus(200)
	for _, rare := range []string{"123456!", "correct horse", "пароль-1"} {
		e.browser().signUp(strings.ToUpper(market.NewID(e.clock.Now()))+"@example.com", rare).wantStatus(201)
	}
}

// The answer of a sign-up was lost, and the person sends the form again.
func TestRepeatedSignUpSignsIn(t *testing.T) {
	e := newEnv(t)
	signUp := func(email, password, key string) response {
		return e.browser().do("POST", "/identity/sign-up", fields{"email": email, "password": password, "displayName": "Ada", "key": key})
	}
	first := signUp("ada@example.com", adaPass, "form 1").wantStatus(201)
	again := signUp("ada@example.com", adaPass, "form 1").wantStatus(200)
	if again["uid"] != first["uid"] {
		t.Errorf("the accounts are %v and %v", first, again)
	}
	signUp("ada@example.com", "another secret", "form 1").wantStatus(409)
	signUp("ada@example.com", adaPass, "form 2").wantStatus(409)
	signUp("ada@example.com", adaPass, "").wantStatus(409)
	e.clock.Pass(25 * time.Hour)
	signUp("ada@example.com", adaPass, "form 1").wantStatus(409)
	signUp("eva@example.com", adaPass, strings.Repeat("k", 65)).wantStatus(422)
}
