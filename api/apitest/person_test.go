package apitest_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

const sessionCookie = "sr_session"

// person is a user with a session, or a visitor.
type person struct {
	*env
	user          market.User
	cookie, token string
	byCookie      bool // requests have the cookie instead of the bearer token
}

func (e *env) visitor() *person { return &person{env: e} }

// account adds an account without a user of the market. It has no password, because
// hashing hundreds of passwords would take too long.
func (e *env) account(name string) *person {
	e.t.Helper()
	e.people++
	now := e.clock.Now()
	a := market.Account{
		UID: market.NewID(now), Email: strings.ToLower(name) + strconv.Itoa(e.people) + "@phones.example",
		DisplayName: name, Version: 1, CreatedAt: now,
	}
	must(e.t, e.store.AddAccount(e.t.Context(), a, nil))
	cookie := fmt.Sprintf("cookie-of-%s", a.UID)
	hash := sha256.Sum256([]byte(cookie))
	must(e.t, e.store.AddSession(e.t.Context(), market.Session{
		ID: hex.EncodeToString(hash[:]), UID: a.UID, CreatedAt: now, ExpiresAt: now.Add(30 * 24 * time.Hour),
	}))
	return &person{env: e, cookie: cookie, user: market.User{UID: a.UID, Email: a.Email, Name: name}}
}

func (e *env) buyer(name string) *person { return e.member(name, market.AccountUser) }

func (e *env) seller(name string) *person { return e.member(name, market.AccountSeller) }

func (e *env) member(name, accountType string) *person {
	e.t.Helper()
	p := e.account(name)
	p.withCookie(http.MethodPost, "/users", fields{"name": name, "email": p.user.Email, "accountType": accountType}).is(http.StatusOK)
	return p.renewed()
}

func (e *env) admin(name string) *person {
	e.t.Helper()
	p := e.account(name)
	must(e.t, e.market.MakeAdmin(e.t.Context(), market.Account{UID: p.user.UID, Email: p.user.Email, DisplayName: name}))
	return p.renewed()
}

// verified returns a seller whom an admin has verified.
func (e *env) verified(name string) *person {
	e.t.Helper()
	p := e.seller(name)
	e.admin("Verifier").do(http.MethodPut, "/users/seller/"+p.user.ID, nil).is(http.StatusOK)
	return p.renewed()
}

// renewed fetches a new token and the current data of the user.
func (p *person) renewed() *person {
	p.t.Helper()
	var answer struct{ AccessToken string }
	p.withCookie(http.MethodGet, "/jwt?email="+url.QueryEscape(p.user.Email), nil).is(http.StatusOK).into(&answer)
	p.token = answer.AccessToken
	var err error
	p.user, err = p.store.User(p.t.Context(), p.user.UID)
	must(p.t, err)
	return p
}

// fields are a JSON body.
type fields map[string]any

// with returns the body with one field changed; nil leaves it out.
func (f fields) with(name string, value any) fields {
	changed := maps.Clone(f)
	if changed[name] = value; value == nil {
		delete(changed, name)
	}
	return changed
}

// do makes a call with the person's bearer, if they have one.
func (p *person) do(method, path string, body any, change ...func(*http.Request)) answer {
	p.t.Helper()
	if p.byCookie {
		return p.withCookie(method, path, body, change...)
	}
	return p.send(method, path, body, append([]func(*http.Request){func(r *http.Request) {
		if p.token != "" {
			r.Header.Set("Authorization", "Bearer "+p.token)
		}
	}}, change...)...)
}

func (p *person) get(path string, change ...func(*http.Request)) answer {
	p.t.Helper()
	return p.do(http.MethodGet, path, nil, change...)
}

// withCookie makes a request as a browser on the product's own pages does.
func (p *person) withCookie(method, path string, body any, change ...func(*http.Request)) answer {
	p.t.Helper()
	return p.send(method, path, body, append([]func(*http.Request){func(r *http.Request) {
		r.AddCookie(&http.Cookie{Name: sessionCookie, Value: p.cookie})
	}}, change...)...)
}

var plainClient = &http.Client{
	Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 256},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func (e *env) send(method, path string, body any, change ...func(*http.Request)) answer {
	e.t.Helper()
	var raw []byte
	switch b := body.(type) {
	case nil:
	case string:
		raw = []byte(b)
	default:
		var err error
		raw, err = json.Marshal(b)
		must(e.t, err)
	}
	r, err := http.NewRequestWithContext(e.t.Context(), method, e.server.URL+path, bytes.NewReader(raw))
	must(e.t, err)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, apply := range change {
		apply(r)
	}
	response, err := plainClient.Do(r)
	must(e.t, err)
	return answer{t: e.t, what: method + " " + path, Response: response, body: readAll(e.t, response.Body)}
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// answer is a response.
type answer struct {
	*http.Response
	t    testing.TB
	what string
	body []byte
}

// is fails the test unless the response has this status.
func (a answer) is(status int) answer {
	a.t.Helper()
	if a.StatusCode != status {
		a.t.Fatalf("%s answered %d, want %d: %s", a.what, a.StatusCode, status, a.body)
	}
	return a
}

// refused fails the test unless the response is a refusal with that status and code.
func (a answer) refused(status int, code market.Code) refusal {
	a.t.Helper()
	a.is(status)
	var got refusal
	a.into(&got)
	if got.Code != code || got.Message == "" {
		a.t.Errorf("%s was refused with code %q, message %q; want code %q", a.what, got.Code, got.Message, code)
	}
	return got
}

type refusal struct {
	Acknowledged *bool
	Message      string
	Code         market.Code
	Fields       map[string]string
}

// invalid fails the test unless the response is 422 and names exactly these fields.
func (a answer) invalid(names ...string) {
	a.t.Helper()
	got := a.refused(http.StatusUnprocessableEntity, market.CodeInvalid)
	for _, name := range names {
		if got.Fields[name] == "" {
			a.t.Errorf("%s does not complain of %q: %v", a.what, name, got.Fields)
		}
	}
	if len(got.Fields) != len(names) {
		a.t.Errorf("%s complains of %v, want %v", a.what, got.Fields, names)
	}
}

func (a answer) into(value any) {
	a.t.Helper()
	if err := json.Unmarshal(a.body, value); err != nil {
		a.t.Fatalf("%s: %v in %s", a.what, err, a.body)
	}
}

// id returns the insertedId of a successful creation.
func (a answer) id() string {
	a.t.Helper()
	a.is(http.StatusOK)
	var got struct {
		Acknowledged bool
		InsertedID   string
	}
	if a.into(&got); !got.Acknowledged || got.InsertedID == "" {
		a.t.Fatalf("%s: no insertedId in %s", a.what, a.body)
	}
	return got.InsertedID
}

// count fails the test unless the write changed or deleted n entities.
func (a answer) count(name string, n int) {
	a.t.Helper()
	a.is(http.StatusOK)
	var got map[string]any
	if a.into(&got); got["acknowledged"] != true || got[name] != float64(n) {
		a.t.Errorf("%s answered %s, want %s %d", a.what, a.body, name, n)
	}
}
