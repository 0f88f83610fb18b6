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

	"github.com/go-chi/chi/v5"

	"secondring/api/rest"
	"secondring/api/server"
	"secondring/api/site"
	"secondring/market"
)

// accessCase is one row of the access table: a call, the case, and the status for each role.
type accessCase struct {
	route string // "PUT /bookings", as in the table of routes
	name  string // the case, if a call has several
	want  string // statuses by role, in the order of the columns; - if the user does not send the request
	// on creates the entity of the call and returns its ID. A refused call must not change
	// it; each successful call gets a new one.
	create func(c *roleEnv) string
	// ask sends the request; if it is nil, the call is sent without a body.
	send func(c *roleEnv, role int, id string) response
	// then checks the response of a successful call.
	check func(c *roleEnv, role int, id string, a response)
}

// The access table. The bearer token counts if the call accepts one, otherwise the
// cookie. A deleted user and one with an expired session send their old credentials.
//
//	visitor, buyer, another buyer, seller, another seller, verified seller, admin, deleted user, expired token
const (
	everybody      = "200 200 200 200 200 200 200 200 200"
	validOrNone    = "200 200 200 200 200 200 200 401 401" // everybody, but not with an invalid token
	signedInUsers  = "401 200 200 200 200 200 200 401 401"
	buyers         = "401 200 200 403 403 403 403 401 401"
	sellers        = "401 403 403 200 200 200 403 401 401"
	admins         = "401 403 403 403 403 403 200 401 401"
	thisBuyer      = "401 200 403 403 403 403 403 401 401"
	buyerAdmin     = "401 200 403 403 403 403 200 401 401"
	thisSeller     = "401 403 403 200 403 403 403 401 401"
	sellerAdmin    = "401 403 403 200 403 403 200 401 401"
	forbiddenToAll = "401 403 403 403 403 403 403 401 401"
)

// Every user sends every request. Responses must not contain data that the reader may not
// see. Meanwhile the sockets of all users are open.
func TestAccessMatrix(t *testing.T) {
	c := newRoleEnv(t)
	table := append(accessTable(), c.fileCases(t)...)
	t.Run("every route is in the table", func(t *testing.T) { c.wantAllRoutes(t, table) })
	c.checkTable(t, table)
}

// The same requests by users without a token: their cookie gives the same access. An
// expired cookie gives none. Sign-in is left out, because it needs no credentials and
// ends the session of the cookie.
func TestAccessMatrixByCookie(t *testing.T) {
	c := newRoleEnv(t)
	for _, p := range c.people {
		p.byCookie = p.cookie != ""
	}
	c.checkTable(t, slices.DeleteFunc(accessTable(), func(q accessCase) bool { return q.route == "POST /identity/sign-in" }))
}

func (c *roleEnv) checkTable(t *testing.T, table []accessCase) {
	t.Helper()
	calls := map[string]rest.Route{}
	for _, route := range c.routes() {
		calls[route.Method+" "+route.Path] = route
	}
	listeners := c.subscribeAll(t)
	for _, q := range table {
		t.Run(strings.TrimSuffix(q.route+" "+q.name, " "), func(t *testing.T) { c.checkAccess(t, calls[q.route], q) })
		c.settle()
	}
	listeners.wantOnlyOwnEvents(t)
	t.Run("the log", func(t *testing.T) {
		for _, m := range c.markersIn(t, "the log", c.log.String()) {
			if !strings.Contains(m.what, "the uid") {
				t.Errorf("it contains %s", m.what)
			}
		}
	})
}

// wantAllRoutes fails the test for a route that is not in the table.
func (c *roleEnv) wantAllRoutes(t *testing.T, table []accessCase) {
	t.Helper()
	covered := map[string]bool{}
	for _, q := range table {
		covered[q.route] = true
	}
	config := c.config
	config.Registry = nil
	handler, err := server.New(config)
	must(t, err)
	served := 0
	must(t, chi.Walk(handler.(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		served++
		if mounted := strings.HasPrefix(route, "/sandbox/stripe"); !mounted && !covered[method+" "+route] {
			t.Errorf("%s %s is served, but is not in the table", method, route)
		}
		return nil
	}))
	if served < len(covered) {
		t.Errorf("%d routes are served, %d are in the table", served, len(covered))
	}
}

// checkAccess sends the request as every user, first as those who are refused.
func (c *roleEnv) checkAccess(t *testing.T, route rest.Route, q accessCase) {
	t.Helper()
	statuses := strings.Fields(q.want)
	if route.Access == rest.Optional && c.people[asBuyer].byCookie {
		statuses[asDeleted], statuses[asExpired] = statuses[asVisitor], statuses[asVisitor]
	}
	if len(statuses) != roleCount {
		t.Fatalf("%d statuses for %d kinds", len(statuses), roleCount)
	}
	shared := ""
	if q.create != nil {
		shared = q.create(c)
	}
	before := c.state(t, shared)
	var allowed []int
	for role, want := range statuses {
		if want == "-" {
			continue
		}
		if want < "400" {
			allowed = append(allowed, role)
			continue
		}
		c.checkResponse(t, q, role, want, c.sendCase(route, q, role, shared))
	}
	if after := c.state(t, shared); after != before {
		t.Errorf("a refused call has changed it:\nbefore %s\nafter  %s", before, after)
	}
	for i, role := range allowed {
		id := shared
		if i > 0 && q.create != nil {
			id = q.create(c)
		}
		a := c.sendCase(route, q, role, id)
		c.checkResponse(t, q, role, statuses[role], a)
		if q.check != nil {
			q.check(c, role, id, a)
		}
	}
}

func (c *roleEnv) checkResponse(t *testing.T, q accessCase, role int, want string, a response) {
	t.Helper()
	if got := strconv.Itoa(a.StatusCode); got != want {
		t.Errorf("%s gets %s, want %s: %.300s", roleNames[role], got, want, a.body)
	}
	text := string(a.body)
	for name, values := range a.Header {
		if name != "Set-Cookie" { // only for the browser itself
			text += "\n" + name + ": " + strings.Join(values, ", ")
		}
	}
	c.wantNoLeak(t, role, q.route, text)
}

// sendCase makes the call as a user of that kind.
func (c *roleEnv) sendCase(route rest.Route, q accessCase, role int, id string) response {
	c.t.Helper()
	if q.send != nil {
		return q.send(c, role, id)
	}
	return c.sendAs(route.Access == rest.Cookie, role, route.Method, path(route.Path, id), nil)
}

// sendAs makes a call with the cookie or the bearer token of a user of that kind.
func (c *roleEnv) sendAs(cookie bool, role int, method, path string, body any, change ...func(*http.Request)) response {
	c.t.Helper()
	p := c.people[role]
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

// fileCases returns the rows of the client's screens and files, which every user may open.
func (c *roleEnv) fileCases(t *testing.T) []accessCase {
	t.Helper()
	phone := c.phoneOf(asSeller)
	var rows []accessCase
	open := func(pattern, address string) {
		rows = append(rows, accessCase{route: "GET " + pattern, name: "as a page", want: everybody, send: func(c *roleEnv, role int, _ string) response {
			return c.people[role].withCookie(http.MethodGet, address, nil, header("Accept", "text/html"))
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
	for _, route := range e.routes() {
		if route.Access != rest.Bearer && route.Access != rest.Optional {
			continue
		}
		address := path(route.Path, "x")
		for _, bad := range []string{"Bearer x", "Bearer", "Basic bnVsbA==", "null", "Bearer nullx", "Bearer null x", "Bearer NULL"} {
			e.send(route.Method, address, fields{}, buyer.sessionCookie(), header("Authorization", bad)).wantError(http.StatusUnauthorized, market.CodeNoToken)
		}
		for _, none := range []string{"", "Bearer null", "Bearer undefined", "bearer  null"} {
			if got := e.send(route.Method, address, fields{}, buyer.sessionCookie(), header("Authorization", none)); got.StatusCode == http.StatusUnauthorized {
				t.Errorf("%s with the cookie and %q: %s", got.request, none, got.body)
			}
			if got := e.send(route.Method, address, fields{}, header("Authorization", none)); (got.StatusCode == http.StatusUnauthorized) == (route.Access == rest.Optional) {
				t.Errorf("%s without the cookie and with %q: %d", got.request, none, got.StatusCode)
			}
		}
		if route.Access != rest.Optional {
			unfinished.withCookie(route.Method, address, fields{}).wantError(http.StatusForbidden, market.CodeNoUser)
		}
	}
	own := "/users/buyer/" + other.user.Email
	e.send(http.MethodGet, own, nil, buyer.sessionCookie(), header("Authorization", "Bearer "+other.token)).wantStatus(http.StatusOK)
	buyer.withCookie(http.MethodGet, own, nil).wantError(http.StatusForbidden, market.CodeForbidden)
}
