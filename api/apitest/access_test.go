package apitest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"secondring/api/rest"
	"secondring/api/server"
	"secondring/api/site"
	"secondring/market"
)

// question is one row of the access table: a call, the case, and the status for each role.
type question struct {
	call string // "PUT /bookings", as in the table of routes
	what string // the case, if a call has several
	want string // statuses by role, in the order of the columns; - if the user does not send the request
	// on creates the entity of the call and returns its ID. A refused call must not change
	// it; each successful call gets a new one.
	on func(c *roleEnv) string
	// ask sends the request; if it is nil, the call is sent without a body.
	ask func(c *roleEnv, kind int, id string) answer
	// then checks the response of a successful call.
	then func(c *roleEnv, kind int, id string, a answer)
}

// The access table. The bearer token counts if the call accepts one, otherwise the
// cookie. A deleted user and one with an expired session send their old credentials.
//
//	visitor, buyer, another buyer, seller, another seller, verified seller, admin, deleted user, expired token
const (
	everybody   = "200 200 200 200 200 200 200 200 200"
	notWithout  = "200 200 200 200 200 200 200 401 401" // everybody, but not with an invalid token
	members     = "401 200 200 200 200 200 200 401 401"
	buyers      = "401 200 200 403 403 403 403 401 401"
	sellers     = "401 403 403 200 200 200 403 401 401"
	admins      = "401 403 403 403 403 403 200 401 401"
	thisBuyer   = "401 200 403 403 403 403 403 401 401"
	buyerAdmin  = "401 200 403 403 403 403 200 401 401"
	thisSeller  = "401 403 403 200 403 403 403 401 401"
	sellerAdmin = "401 403 403 200 403 403 200 401 401"
	noneOfThem  = "401 403 403 403 403 403 403 401 401"
)

// Every user sends every request. Responses must not contain data that the reader may not
// see. Meanwhile the sockets of all users are open.
func TestAccessMatrix(t *testing.T) {
	c := newRoleEnv(t)
	table := append(callAccess(), c.opened(t)...)
	t.Run("every route is in the table", func(t *testing.T) { c.coversRoutes(t, table) })
	c.checkAll(t, table)
}

// The same requests by users without a token: their cookie gives the same access. An
// expired cookie gives none. Sign-in is left out, because it needs no credentials and
// ends the session of the cookie.
func TestAccessMatrixByCookie(t *testing.T) {
	c := newRoleEnv(t)
	for _, p := range c.people {
		p.byCookie = p.cookie != ""
	}
	c.checkAll(t, slices.DeleteFunc(callAccess(), func(q question) bool { return q.call == "POST /identity/sign-in" }))
}

func (c *roleEnv) checkAll(t *testing.T, table []question) {
	t.Helper()
	calls := map[string]rest.Route{}
	for _, call := range c.routes() {
		calls[call.Method+" "+call.Path] = call
	}
	audience := c.listen(t)
	for _, q := range table {
		t.Run(strings.TrimSuffix(q.call+" "+q.what, " "), func(t *testing.T) { c.checkAccess(t, calls[q.call], q) })
		c.settle()
	}
	audience.expectOnlyOwnEvents(t)
	t.Run("the log", func(t *testing.T) {
		for _, m := range c.marksIn(t, "the log", c.log.String()) {
			if !strings.Contains(m.what, "the uid") {
				t.Errorf("it contains %s", m.what)
			}
		}
	})
}

// coversRoutes fails the test for a route that is not in the table.
func (c *roleEnv) coversRoutes(t *testing.T, table []question) {
	t.Helper()
	asked := map[string]bool{}
	for _, q := range table {
		asked[q.call] = true
	}
	config := c.config
	config.Registry = nil
	handler, err := server.New(config)
	must(t, err)
	served := 0
	must(t, chi.Walk(handler.(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		served++
		if mounted := strings.HasPrefix(route, "/sandbox/stripe"); !mounted && !asked[method+" "+route] {
			t.Errorf("%s %s is served, but is not in the table", method, route)
		}
		return nil
	}))
	if served < len(asked) {
		t.Errorf("%d routes are served, %d are in the table", served, len(asked))
	}
}

// checkAccess sends the request as every user, first as those who are refused.
func (c *roleEnv) checkAccess(t *testing.T, call rest.Route, q question) {
	t.Helper()
	statuses := strings.Fields(q.want)
	if call.Access == rest.Optional && c.people[asBuyer].byCookie {
		statuses[asRemoved], statuses[asExpired] = statuses[asVisitor], statuses[asVisitor]
	}
	if len(statuses) != kinds {
		t.Fatalf("%d statuses for %d kinds", len(statuses), kinds)
	}
	shared := ""
	if q.on != nil {
		shared = q.on(c)
	}
	before := c.state(t, shared)
	var welcome []int
	for kind, want := range statuses {
		if want == "-" {
			continue
		}
		if want < "400" {
			welcome = append(welcome, kind)
			continue
		}
		c.checkResponse(t, q, kind, want, c.put(call, q, kind, shared))
	}
	if after := c.state(t, shared); after != before {
		t.Errorf("a refused call has changed it:\nbefore %s\nafter  %s", before, after)
	}
	for i, kind := range welcome {
		id := shared
		if i > 0 && q.on != nil {
			id = q.on(c)
		}
		a := c.put(call, q, kind, id)
		c.checkResponse(t, q, kind, statuses[kind], a)
		if q.then != nil {
			q.then(c, kind, id, a)
		}
	}
}

func (c *roleEnv) checkResponse(t *testing.T, q question, kind int, want string, a answer) {
	t.Helper()
	if got := strconv.Itoa(a.StatusCode); got != want {
		t.Errorf("%s gets %s, want %s: %.300s", kindNames[kind], got, want, a.body)
	}
	text := string(a.body)
	for name, values := range a.Header {
		if name != "Set-Cookie" { // only for the browser itself
			text += "\n" + name + ": " + strings.Join(values, ", ")
		}
	}
	c.reads(t, kind, q.call, text)
}

// put makes the call as a user of that kind.
func (c *roleEnv) put(call rest.Route, q question, kind int, id string) answer {
	c.t.Helper()
	if q.ask != nil {
		return q.ask(c, kind, id)
	}
	return c.with(call.Access == rest.Cookie, kind, call.Method, path(call.Path, id), nil)
}

// with makes a call with the cookie or the bearer token of a user of that kind.
func (c *roleEnv) with(cookie bool, kind int, method, path string, body any, change ...func(*http.Request)) answer {
	c.t.Helper()
	p := c.people[kind]
	if cookie && p.cookie != "" {
		return p.withCookie(method, path, body, change...)
	}
	return p.do(method, path, body, change...)
}

// path replaces the parameter of a pattern.
func path(pattern, id string) string {
	before, after, found := strings.Cut(pattern, "{")
	if !found {
		return pattern
	}
	_, after, _ = strings.Cut(after, "}")
	return before + url.PathEscape(id) + after
}

// state returns everything that the store has under an ID, for comparisons.
func (c *roleEnv) state(t *testing.T, id string) string {
	t.Helper()
	if id == "" {
		return ""
	}
	var all [4]any
	var errs [4]error // errors of the lookups; an ID belongs to one kind of entity
	all[0], errs[0] = c.store.Product(t.Context(), id)
	all[1], errs[1] = c.store.Booking(t.Context(), id)
	all[2], errs[2] = c.store.Report(t.Context(), id)
	all[3], errs[3] = c.store.UserByID(t.Context(), id)
	raw, err := json.Marshal(all)
	must(t, err)
	return string(raw) + fmt.Sprint(errs)
}

// opened returns the rows of the client's screens and files, which every user may open.
func (c *roleEnv) opened(t *testing.T) []question {
	t.Helper()
	phone := c.phoneOf(asSeller)
	var rows []question
	open := func(pattern, address string) {
		rows = append(rows, question{call: "GET " + pattern, what: "as a page", want: everybody, ask: func(c *roleEnv, kind int, _ string) answer {
			return c.people[kind].withCookie(http.MethodGet, address, nil, header("Accept", "text/html"))
		}})
	}
	for _, screen := range site.Screens {
		open(screen, path(screen, phone))
	}
	open("/assets/*", "/assets/app-1a.js")
	open("/photos/*", "/photos/one-0123456789.jpg")
	open("/favicon.svg", "/favicon.svg")
	return rows
}

// The cookie is ignored if there is a bearer token, valid or not.
func TestBearerTakesPrecedenceOverCookie(t *testing.T) {
	e := newEnv(t)
	buyer, other, unfinished := e.buyer("Bob"), e.buyer("Ned"), e.account("Nora")
	cookie := func(r *http.Request) { r.AddCookie(&http.Cookie{Name: sessionCookie, Value: buyer.cookie}) }
	for _, call := range e.routes() {
		if call.Access != rest.Bearer && call.Access != rest.Optional {
			continue
		}
		address := path(call.Path, "x")
		for _, bad := range []string{"Bearer x", "Bearer", "Basic bnVsbA==", "null", "Bearer nullx", "Bearer null x", "Bearer NULL"} {
			e.send(call.Method, address, fields{}, cookie, header("Authorization", bad)).refused(http.StatusUnauthorized, market.CodeNoToken)
		}
		for _, none := range []string{"", "Bearer null", "Bearer undefined", "bearer  null"} {
			if got := e.send(call.Method, address, fields{}, cookie, header("Authorization", none)); got.StatusCode == http.StatusUnauthorized {
				t.Errorf("%s with the cookie and %q: %s", got.what, none, got.body)
			}
			if got := e.send(call.Method, address, fields{}, header("Authorization", none)); (got.StatusCode == http.StatusUnauthorized) == (call.Access == rest.Optional) {
				t.Errorf("%s without the cookie and with %q: %d", got.what, none, got.StatusCode)
			}
		}
		if call.Access != rest.Optional {
			unfinished.withCookie(call.Method, address, fields{}).refused(http.StatusForbidden, market.CodeNoUser)
		}
	}
	own := "/users/buyer/" + other.user.Email
	e.send(http.MethodGet, own, nil, cookie, header("Authorization", "Bearer "+other.token)).is(http.StatusOK)
	buyer.withCookie(http.MethodGet, own, nil).refused(http.StatusForbidden, market.CodeForbidden)
}

const month = 30 * 24 * time.Hour
