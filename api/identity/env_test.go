package identity_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"secondring/api/identity"
	"secondring/api/rest"
	"secondring/market"
	"secondring/market/markettest"
	"secondring/store"
	"secondring/store/sqlite/sqlitetest"
)

var secret = bytes.Repeat([]byte("s"), identity.MinSecret)

// env is an identity service with a real store and a real HTTP server.
type env struct {
	t       testing.TB
	clock   *markettest.Clock
	store   *store.Store
	market  *market.Market
	service *identity.Service
	server  *httptest.Server
	logged  *strings.Builder
	// afterCookieCheck runs between the check of the cookie and the handler; it may be nil.
	afterCookieCheck func(context.Context)
}

func newEnv(tb testing.TB, change ...func(*identity.Config)) *env {
	tb.Helper()
	e := &env{t: tb, clock: markettest.NewClock(time.Now().UTC().Truncate(time.Second)), logged: &strings.Builder{}}
	var err error
	e.store, err = sqlitetest.Open(tb.Context(), filepath.Join(tb.TempDir(), "store.db"))
	must(tb, err)
	tb.Cleanup(func() { must(tb, e.store.Close()) })
	e.market = market.New(e.store, e.clock,
		market.Rules{BookingHold: time.Hour, MaxHolds: 20, Advertise: market.AdvertiseAll}, market.NoPayments{})
	router := chi.NewRouter()
	e.server = httptest.NewServer(router)
	tb.Cleanup(e.server.Close)
	public, err := url.Parse(e.server.URL)
	must(tb, err)
	config := identity.Config{
		Store: e.store, Market: e.market, Clock: e.clock, Secret: secret, PublicURL: public, Product: "SecondRing",
		Log: slog.New(slog.NewTextHandler(e.logged, nil)),
	}
	for _, apply := range change {
		apply(&config)
	}
	e.service, err = identity.New(config)
	must(tb, err)
	e.mount(router)
	return e
}

// mount adds the service's routes. Like package server, it sets the caller's address and the
// cookie's owner, and sends errors.
func (e *env) mount(router chi.Router) {
	for _, call := range e.service.Routes() {
		router.MethodFunc(call.Method, call.Path, func(rw http.ResponseWriter, r *http.Request) {
			address := r.Header.Get("X-Test-Address")
			if address == "" {
				address = "192.0.2.1"
			}
			r = r.WithContext(rest.WithCaller(r.Context(), rest.Caller{Address: address}))
			log := slog.New(slog.NewTextHandler(e.logged, nil))
			if call.Access == rest.Cookie {
				in, err := e.service.Cookie(r.Context(), r)
				if err != nil {
					rest.Fail(rw, r, log, err)
					return
				}
				r = r.WithContext(rest.WithSignedIn(r.Context(), in))
				if e.afterCookieCheck != nil {
					e.afterCookieCheck(r.Context())
				}
			}
			if err := call.Handle(rw, r); err != nil {
				rest.Fail(rw, r, log, err)
			}
		})
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// browser keeps cookies and follows no redirect.
type browser struct {
	*env
	client  *http.Client
	address string // the IP address; "" for the default
}

// from returns a browser with this IP address.
func (e *env) from(address string) *browser {
	b := e.browser()
	b.address = address
	return b
}

func (e *env) browser() *browser {
	jar, err := cookiejar.New(nil)
	must(e.t, err)
	return &browser{env: e, client: &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// response is a complete response.
type response struct {
	t      testing.TB
	Status int
	Header http.Header
	Body   string
	Cookie map[string]*http.Cookie
}

func (b *browser) do(method, path string, body any, change ...func(*http.Request)) response {
	b.t.Helper()
	var reader io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		must(b.t, err)
		reader = bytes.NewReader(raw)
	}
	target := path
	if strings.HasPrefix(path, "/") {
		target = b.server.URL + path
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, target, reader)
	must(b.t, err)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if b.address != "" {
		r.Header.Set("X-Test-Address", b.address)
	}
	for _, apply := range change {
		apply(r)
	}
	res, err := b.client.Do(r)
	must(b.t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	must(b.t, err)
	got := response{t: b.t, Status: res.StatusCode, Header: res.Header, Body: string(raw), Cookie: map[string]*http.Cookie{}}
	for _, c := range res.Cookies() {
		got.Cookie[c.Name] = c
	}
	return got
}

// wantStatus fails the test unless the status is this, and returns the JSON object.
func (a response) wantStatus(status int) map[string]any {
	a.t.Helper()
	if a.Status != status {
		a.t.Fatalf("status %d, want %d; body %s", a.Status, status, a.Body)
	}
	if a.Body == "" {
		return nil
	}
	var value map[string]any
	must(a.t, json.Unmarshal([]byte(a.Body), &value))
	return value
}

// wantError fails the test unless the response has this status, code and message; any message
// if it is "".
func (a response) wantError(status int, code market.Code, message string) map[string]any {
	a.t.Helper()
	value := a.wantStatus(status)
	if value["code"] != string(code) || (message != "" && value["message"] != message) {
		a.t.Fatalf("the error is %s, want code %q and message %q", a.Body, code, message)
	}
	return value
}

// wantFieldError fails the test unless the response is a 422 with this message for a field.
func (a response) wantFieldError(name, message string) {
	a.t.Helper()
	fields, _ := a.wantError(422, market.CodeInvalid, "")["fields"].(map[string]any)
	if fields[name] != message {
		a.t.Fatalf("the message for field %s is %v, want %q", name, fields[name], message)
	}
}

type fields map[string]any

const (
	ada     = "Ada@Example.com"
	adaPass = "correct horse"
)

func (b *browser) signUp(email, password string) response {
	b.t.Helper()
	return b.do("POST", "/identity/sign-up", fields{"email": email, "password": password, "displayName": "Ada"})
}

func (b *browser) signIn(email, password string) response {
	b.t.Helper()
	return b.do("POST", "/identity/sign-in", fields{"email": email, "password": password})
}

// member returns a browser signed in as a buyer of the market.
func (e *env) member(email string) *browser {
	e.t.Helper()
	b := e.browser()
	b.signUp(email, adaPass).wantStatus(201)
	account, err := e.store.AccountByEmail(e.t.Context(), email)
	must(e.t, err)
	_, err = e.market.EnsureBuyer(e.t.Context(), account)
	must(e.t, err)
	return b
}

func (b *browser) token(email string) string {
	b.t.Helper()
	token, _ := b.do("GET", "/jwt?email="+url.QueryEscape(email), nil).wantStatus(200)["accessToken"].(string)
	return token
}

// controlEvents returns the unpublished control events, and removes them from the outbox.
func (e *env) controlEvents() []market.Control {
	e.t.Helper()
	events, err := e.store.PendingEvents(e.t.Context(), 1000)
	must(e.t, err)
	must(e.t, e.store.EventsPublished(e.t.Context(), events))
	var found []market.Control
	for _, event := range events {
		if event.Topic == market.TopicControl {
			var c market.Control
			must(e.t, json.Unmarshal(event.Data, &c))
			found = append(found, c)
		}
	}
	return found
}

// wantControl fails the test unless this is the only unpublished control event.
func (e *env) wantControl(want market.Control) {
	e.t.Helper()
	if got := e.controlEvents(); len(got) != 1 || got[0] != want {
		e.t.Errorf("control events %+v, want %+v", got, want)
	}
}

// wantTokenRefused fails the test unless the service refuses an access token.
func (e *env) wantTokenRefused(token string) {
	e.t.Helper()
	if _, _, err := e.service.Bearer(e.t.Context(), token); market.CodeOf(err) != market.CodeNoToken {
		e.t.Errorf("the token gets %v, want code %q", err, market.CodeNoToken)
	}
}

// removeUser removes a user as an admin does.
func (e *env) removeUser(email string) {
	e.t.Helper()
	user, err := e.store.UserByEmail(e.t.Context(), email)
	must(e.t, err)
	_, err = e.market.RemoveUser(e.t.Context(), market.Actor{User: market.User{Admin: true}}, user.ID, market.RemovalReason{})
	must(e.t, err)
}

func (e *env) account(email string) market.Account {
	e.t.Helper()
	a, err := e.store.AccountByEmail(context.WithoutCancel(e.t.Context()), email)
	must(e.t, err)
	return a
}

func encode(b []byte) string { return base64.StdEncoding.EncodeToString(b) }
