package apitest_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
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

const month = 30 * 24 * time.Hour

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
	e.accounts++
	now := e.clock.Now()
	a := market.Account{
		UID: market.NewID(now), Email: strings.ReplaceAll(strings.ToLower(name), " ", ".") + strconv.Itoa(e.accounts) + "@phones.example",
		DisplayName: name, Version: 1, CreatedAt: now,
	}
	must(e.t, e.store.AddAccount(e.t.Context(), a, nil))
	cookie := fmt.Sprintf("cookie-of-%s", a.UID)
	hash := sha256.Sum256([]byte(cookie))
	must(e.t, e.store.AddSession(e.t.Context(), market.Session{
		ID: hex.EncodeToString(hash[:]), UID: a.UID, CreatedAt: now, ExpiresAt: now.Add(month),
	}))
	return &person{env: e, cookie: cookie, user: market.User{UID: a.UID, Email: a.Email, Name: name}}
}

func (e *env) buyer(name string) *person { return e.addUser(name, market.AccountUser) }

func (e *env) seller(name string) *person { return e.addUser(name, market.AccountSeller) }

// addUser adds an account and a user of this type.
func (e *env) addUser(name, accountType string) *person {
	e.t.Helper()
	p := e.account(name)
	p.withCookie(http.MethodPost, "/users", fields{"name": name, "email": p.user.Email, "accountType": accountType}).wantStatus(http.StatusOK)
	return p.refreshToken()
}

func (e *env) admin(name string) *person {
	e.t.Helper()
	return e.account(name).withRole(market.FullAdmin).refreshToken()
}

// moderator adds an admin who does not handle money.
func (e *env) moderator(name string) *person {
	e.t.Helper()
	return e.account(name).withRole(market.Moderator).refreshToken()
}

// withRole gives the person a role as an admin.
func (p *person) withRole(role market.AdminRole) *person {
	p.t.Helper()
	_, err := p.market.GrantAdmin(p.t.Context(), market.Account{UID: p.user.UID, Email: p.user.Email, DisplayName: p.user.Name}, role)
	must(p.t, err)
	return p
}

// verified returns a seller whom an admin has verified.
func (e *env) verified(name string) *person {
	e.t.Helper()
	p := e.seller(name)
	e.admin("Verifier").do(http.MethodPut, "/users/seller/"+p.user.ID, nil).wantStatus(http.StatusOK)
	return p.refreshToken()
}

// refreshToken fetches a new token and the current data of the user.
func (p *person) refreshToken() *person {
	p.t.Helper()
	var got struct{ AccessToken string }
	p.withCookie(http.MethodGet, "/jwt?email="+url.QueryEscape(p.user.Email), nil).wantStatus(http.StatusOK).decode(&got)
	p.token = got.AccessToken
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

// do sends a request with the person's bearer token, if they have one.
func (p *person) do(method, path string, body any, change ...func(*http.Request)) response {
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

func (p *person) get(path string, change ...func(*http.Request)) response {
	p.t.Helper()
	return p.do(http.MethodGet, path, nil, change...)
}

// withCookie makes a request as a browser on the product's own pages does.
func (p *person) withCookie(method, path string, body any, change ...func(*http.Request)) response {
	p.t.Helper()
	return p.send(method, path, body, append([]func(*http.Request){p.sessionCookie()}, change...)...)
}

// sessionCookie adds the person's session cookie to a request.
func (p *person) sessionCookie() func(*http.Request) {
	return func(r *http.Request) { r.AddCookie(&http.Cookie{Name: sessionCookie, Value: p.cookie}) }
}

var plainClient = &http.Client{
	Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 256},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// send sends a request without credentials. A string is sent as it is, and any other body as
// JSON.
func (e *env) send(method, path string, body any, change ...func(*http.Request)) response {
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
	res, err := plainClient.Do(r)
	must(e.t, err)
	return response{t: e.t, request: method + " " + path, Response: res, body: readAll(e.t, res.Body)}
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// response is a response whose body has been read.
type response struct {
	*http.Response
	t       testing.TB
	request string
	body    []byte
}

// wantStatus fails the test unless the response has this status.
func (a response) wantStatus(status int) response {
	a.t.Helper()
	if a.StatusCode != status {
		a.t.Fatalf("%s: status %d, want %d: %s", a.request, a.StatusCode, status, a.body)
	}
	return a
}

// wantError fails the test unless the response is an error with that status and code.
func (a response) wantError(status int, code market.Code) errorResponse {
	a.t.Helper()
	a.wantStatus(status)
	var got errorResponse
	a.decode(&got)
	if got.Code != code || got.Message == "" {
		a.t.Errorf("%s: error code %q with message %q, want code %q", a.request, got.Code, got.Message, code)
	}
	return got
}

// errorResponse is the body of an error.
type errorResponse struct {
	Acknowledged *bool
	Message      string
	Code         market.Code
	Fields       map[string]string
}

// wantUnavailable fails the test unless the response is 503 and has a Retry-After header.
func (a response) wantUnavailable() {
	a.t.Helper()
	if a.wantError(http.StatusServiceUnavailable, market.CodeUnavailable); a.Header.Get("Retry-After") == "" {
		a.t.Errorf("%s: no Retry-After header", a.request)
	}
}

// wantInvalid fails the test unless the response is 422 and names exactly these fields.
func (a response) wantInvalid(names ...string) {
	a.t.Helper()
	got := a.wantError(http.StatusUnprocessableEntity, market.CodeInvalid)
	for _, name := range names {
		if got.Fields[name] == "" {
			a.t.Errorf("%s: no error for field %q in %v", a.request, name, got.Fields)
		}
	}
	if len(got.Fields) != len(names) {
		a.t.Errorf("%s: errors for the fields %v, want %v", a.request, got.Fields, names)
	}
}

// decode decodes the JSON body.
func (a response) decode(value any) {
	a.t.Helper()
	if err := json.Unmarshal(a.body, value); err != nil {
		a.t.Fatalf("%s: %v in %s", a.request, err, a.body)
	}
}

// gunzip returns the decompressed body.
func (a response) gunzip() []byte {
	a.t.Helper()
	reader, err := gzip.NewReader(bytes.NewReader(a.body))
	must(a.t, err)
	body, err := io.ReadAll(reader)
	must(a.t, err)
	return body
}

// insertedID returns the insertedId of a successful creation.
func (a response) insertedID() string {
	a.t.Helper()
	a.wantStatus(http.StatusOK)
	var got struct {
		Acknowledged bool
		InsertedID   string
	}
	if a.decode(&got); !got.Acknowledged || got.InsertedID == "" {
		a.t.Fatalf("%s: no insertedId in %s", a.request, a.body)
	}
	return got.InsertedID
}

// wantCount fails the test unless the write changed or deleted n entities.
func (a response) wantCount(name string, n int) {
	a.t.Helper()
	a.wantStatus(http.StatusOK)
	var got map[string]any
	if a.decode(&got); got["acknowledged"] != true || got[name] != float64(n) {
		a.t.Errorf("%s: body %s, want %s %d", a.request, a.body, name, n)
	}
}
