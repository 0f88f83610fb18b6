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

// accessCase is one row of the access table: a route, the case, and the status for each role.
type accessCase struct {
	route string // "PUT /bookings", as in the table of routes
	name  string // the case, if a route has several
	want  string // statuses by role, in the order of the columns; - if the user does not send the request
	// create creates the entity of the request and returns its ID. A refused request must not
	// change it; each successful request gets a new one.
	create func(c *roleEnv) string
	// send sends the request; if it is nil, the request has no body.
	send func(c *roleEnv, role int, id string) response
	// check checks the response of a successful request.
	check func(c *roleEnv, role int, id string, a response)
}

// The statuses of the access table, by role. A request has the bearer token if the route
// accepts one, and otherwise the cookie. A deleted user and one with an expired session send
// their old credentials.
//
//	visitor, buyer, another buyer, seller, another seller, verified seller, admin, moderator, deleted user, expired token
const (
	everybody      = "200 200 200 200 200 200 200 200 200 200"
	validOrNone    = "200 200 200 200 200 200 200 200 401 401" // everybody, but not with an invalid token
	signedInUsers  = "401 200 200 200 200 200 200 200 401 401"
	notAdmins      = "401 200 200 200 200 200 403 403 401 401"
	otherPeople    = "401 200 200 403 200 200 403 403 401 401" // neither the phone's seller nor admins
	sellers        = "401 403 403 200 200 200 403 403 401 401"
	admins         = "401 403 403 403 403 403 200 200 401 401"
	moneyAdmins    = "401 403 403 403 403 403 200 403 401 401" // admins who handle money
	thisBuyer      = "401 200 403 403 403 403 403 403 401 401"
	buyerAdmin     = "401 200 403 403 403 403 200 200 401 401"
	buyerMoney     = "401 200 403 403 403 403 200 403 401 401" // the buyer, and admins who handle money
	thisSeller     = "401 403 403 200 403 403 403 403 401 401"
	sellerAdmin    = "401 403 403 200 403 403 200 200 401 401"
	sellerMoney    = "401 403 403 200 403 403 200 403 401 401"
	forbiddenToAll = "401 403 403 403 403 403 403 403 401 401"
)

// A user of each role sends every request. Neither the responses nor the events on the users'
// sockets contain data that their reader may not see.
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
	c.checkTable(t, slices.DeleteFunc(accessTable(), func(row accessCase) bool { return row.route == "POST /identity/sign-in" }))
}

// With CONTACT=after-payment no answer, page, export or event shows a seller's number and address to anybody
// but the buyer who has paid, and admins. Emails have only what notifications say.
func TestAccessMatrixWithContactAfterPayment(t *testing.T) {
	c := newRoleEnvWith(t, market.ContactAfterPayment)
	c.checkTable(t, append(accessTable(), c.fileCases(t)...))
}

// checkTable checks every row, and what the users' sockets and the log contain afterwards.
func (c *roleEnv) checkTable(t *testing.T, table []accessCase) {
	t.Helper()
	routes := map[string]rest.Route{}
	for _, route := range c.routes() {
		routes[route.Method+" "+route.Path] = route
	}
	listeners := c.subscribeAll(t)
	for _, row := range table {
		t.Run(strings.TrimSuffix(row.route+" "+row.name, " "), func(t *testing.T) { c.checkAccess(t, routes[row.route], row) })
		c.runDueWork()
	}
	listeners.wantOnlyOwnEvents(t)
	t.Run("the log", func(t *testing.T) {
		for _, m := range c.markersIn(t, "the log", c.log.String()) {
			if !strings.Contains(m.what, "the uid") {
				t.Errorf("the log contains %s", m.what)
			}
		}
	})
}

// wantAllRoutes fails the test for a route that is not in the table.
func (c *roleEnv) wantAllRoutes(t *testing.T, table []accessCase) {
	t.Helper()
	covered := map[string]bool{}
	for _, row := range table {
		covered[row.route] = true
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

// checkAccess sends the request as every user, first as those whom the server refuses.
func (c *roleEnv) checkAccess(t *testing.T, route rest.Route, row accessCase) {
	t.Helper()
	statuses := strings.Fields(row.want)
	if route.Access == rest.Optional && c.people[asBuyer].byCookie {
		statuses[asDeleted], statuses[asExpired] = statuses[asVisitor], statuses[asVisitor]
	}
	if len(statuses) != roleCount {
		t.Fatalf("the row has %d statuses, want %d", len(statuses), roleCount)
	}
	shared := ""
	if row.create != nil {
		shared = row.create(c)
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
		c.checkResponse(t, row, role, want, c.sendCase(route, row, role, shared))
	}
	if after := c.state(t, shared); after != before {
		t.Errorf("a refused request has changed the entity:\nbefore %s\nafter  %s", before, after)
	}
	for i, role := range allowed {
		id := shared
		if i > 0 && row.create != nil {
			id = row.create(c)
		}
		a := c.sendCase(route, row, role, id)
		c.checkResponse(t, row, role, statuses[role], a)
		if row.check != nil {
			row.check(c, role, id, a)
		}
	}
}

// checkResponse checks the status, and that the user may read all of the response.
func (c *roleEnv) checkResponse(t *testing.T, row accessCase, role int, want string, a response) {
	t.Helper()
	if got := strconv.Itoa(a.StatusCode); got != want {
		t.Errorf("%s gets status %s, want %s: %.300s", roleNames[role], got, want, a.body)
	}
	text := string(a.body)
	for name, values := range a.Header {
		if name != "Set-Cookie" { // contains the user's own session
			text += "\n" + name + ": " + strings.Join(values, ", ")
		}
	}
	c.wantNoLeak(t, role, row.route, text)
}

// sendCase sends the request of a row as the user of a role.
func (c *roleEnv) sendCase(route rest.Route, row accessCase, role int, id string) response {
	c.t.Helper()
	if row.send != nil {
		return row.send(c, role, id)
	}
	return c.sendAs(route.Access == rest.Cookie, role, route.Method, path(route.Path, id), nil)
}

// sendAs sends a request with the cookie or the bearer token of the user of a role.
func (c *roleEnv) sendAs(cookie bool, role int, method, path string, body any, change ...func(*http.Request)) response {
	c.t.Helper()
	p := c.people[role]
	if cookie && p.cookie != "" {
		return p.withCookie(method, path, body, change...)
	}
	return p.do(method, path, body, change...)
}

// path replaces the parameter of a route's pattern by an ID.
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
	var errs [4]error // an ID belongs to one type of entity, so the other lookups fail
	all[0], errs[0] = c.store.Product(t.Context(), id)
	all[1], errs[1] = c.store.Booking(t.Context(), id)
	all[2], errs[2] = c.store.Report(t.Context(), id)
	all[3], errs[3] = c.store.UserByID(t.Context(), id)
	raw, err := json.Marshal(all)
	must(t, err)
	return string(raw) + fmt.Sprint(errs)
}

// fileCases returns the rows of the client's screens and files, which every user may read.
func (c *roleEnv) fileCases(t *testing.T) []accessCase {
	t.Helper()
	phone := c.phoneOf(asSeller)
	var rows []accessCase
	add := func(pattern, path string) {
		rows = append(rows, accessCase{route: "GET " + pattern, name: "as a page", want: everybody, send: func(c *roleEnv, role int, _ string) response {
			return c.people[role].withCookie(http.MethodGet, path, nil, acceptHTML)
		}})
	}
	for _, screen := range site.Screens {
		add(screen, path(screen, phone))
	}
	add("/assets/*", "/assets/app-1a.js")
	add("/photos/*", "/photos/one-0123456789.jpg")
	add("/favicon.svg", "/favicon.svg")
	return rows
}

// If a request has a bearer token, valid or not, the server ignores the cookie.
func TestBearerTakesPrecedenceOverCookie(t *testing.T) {
	e := newEnv(t)
	buyer, other, withoutUser := e.buyer("Bob"), e.buyer("Ned"), e.account("Nora")
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
				t.Errorf("%s with the cookie and Authorization %q: status 401: %s", got.request, none, got.body)
			}
			if got := e.send(route.Method, address, fields{}, header("Authorization", none)); (got.StatusCode == http.StatusUnauthorized) == (route.Access == rest.Optional) {
				t.Errorf("%s without the cookie and with Authorization %q: status %d", got.request, none, got.StatusCode)
			}
		}
		if route.Access != rest.Optional {
			withoutUser.withCookie(route.Method, address, fields{}).wantError(http.StatusForbidden, market.CodeNoUser)
		}
	}
	own := "/users/buyer/" + other.user.Email
	e.send(http.MethodGet, own, nil, buyer.sessionCookie(), header("Authorization", "Bearer "+other.token)).wantStatus(http.StatusOK)
	buyer.withCookie(http.MethodGet, own, nil).wantError(http.StatusForbidden, market.CodeForbidden)
}
