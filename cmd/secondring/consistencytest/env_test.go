package consistencytest_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/nodetest"
	"secondring/cmd/secondring/settings"
	"secondring/hub/redisbroker/redistest"
	"secondring/market"
	"secondring/store/mongo"
	"secondring/store/mongo/mongotest"
)

// The roles of users.
const (
	visitor         = "visitor"
	buyer           = "buyer"
	seller          = "seller"
	admin           = "admin"
	protectedSeller = "protected-seller" // a seller whom client/headless/actions.ts does not delete
)

// password is the password of every account.
const password = "secret-ring"

// env is a market on one or more nodes with instances of the real client. Faults can be
// injected between them.
type env struct {
	config
	t                          *testing.T
	redis                      *redistest.Server // nil where there is one node
	engine                     *mongo.Engine     // of several nodes
	settings                   map[string]string
	nodes                      []*nodetest.Process
	networks                   []*nodetest.Network // between the clients and the nodes
	storeNetwork, redisNetwork *nodetest.Network   // between the first of several nodes and its servers
	hosts                      []*host
	clients                    []*client
	apiSeller                  *apiSeller
	// recipients has the notifications of the clients' users, by email.
	recipients  map[string]*recipient
	log         *actionLog
	comparisons comparisonCounts

	mu            sync.Mutex
	lastPerson    int
	results       map[string]map[int]int // actions by name and status; -1 for nothing to do
	deleted       map[string]bool        // emails that an admin has deleted, or may have
	endedSessions []string               // emails of users whose session the server ended
	sent          map[string][]string    // texts of accepted messages by thread
}

// person is a user with an account, signed in at one or more clients.
type person struct{ name, email, role string }

// client is one instance of the real client, as in one window of a browser.
type client struct {
	id   int
	role string
	host *host

	mu        sync.Mutex // held during an action
	person    *person    // nil for a visitor
	signedIn  bool
	suspended bool
}

// newEnv starts the nodes and the clients.
func newEnv(t *testing.T, nodes int, c config) *env {
	t.Helper()
	e := &env{config: c, t: t, results: map[string]map[int]int{}, deleted: map[string]bool{}, recipients: map[string]*recipient{}, sent: map[string][]string{}, log: newActionLog(t)}
	// Holds and turns of the first node expire within the test, those of the second do not.
	nodeSettings := []map[string]string{{"BOOKING_HOLD": "3s", "TURN": "2s", "OFFER_HOLD": "4s"}, {"BOOKING_HOLD": "1h", "TURN": "1h"}}
	e.startNodes(nodeSettings[:nodes]...)
	var addresses []string
	for _, node := range e.nodes {
		addresses = append(addresses, strings.TrimPrefix(node.URL, "http://"))
	}
	balancer := startBalancer(t, addresses)
	for range 6 {
		e.networks = append(e.networks, nodetest.StartNetwork(t, "http://"+balancer.Addr().String()))
	}
	e.addPhones()
	e.openClients(bundle(t))
	return e
}

// startNodes starts a node for each of these settings. Several nodes share a new database
// and a new Redis; a single node uses only its folder.
func (e *env) startNodes(nodeSettings ...map[string]string) {
	e.t.Helper()
	e.settings = map[string]string{
		"ADVERTISE": "verified", "STRIPE_SECRET_KEY": "", "MONGODB_URI": "", "REDIS_URL": "",
	}
	if len(nodeSettings) > 1 {
		server, err := mongotest.Start()
		if err != nil {
			e.t.Fatal(err)
		}
		e.redis = redistest.Start(e.t)
		maps.Copy(e.settings, map[string]string{
			"MONGODB_URI": server.Database(), "REDIS_URL": e.redis.URL, "TOKEN_SECRET": strings.Repeat("s", 32),
		})
		if e.engine, err = mongo.Open(e.t.Context(), e.settings["MONGODB_URI"]); err != nil {
			e.t.Fatal(err)
		}
		e.t.Cleanup(func() { _ = e.engine.Close() })
	}
	for i, overrides := range nodeSettings {
		merged := maps.Clone(e.settings)
		if e.redis != nil && i == 0 {
			e.storeNetwork, e.redisNetwork = nodetest.StartNetwork(e.t, merged["MONGODB_URI"]), nodetest.StartNetwork(e.t, merged["REDIS_URL"])
			merged["MONGODB_URI"], merged["REDIS_URL"] = e.storeNetwork.URL, e.redisNetwork.URL
		}
		maps.Copy(merged, overrides)
		e.nodes = append(e.nodes, nodetest.Start(e.t, merged))
	}
}

// addPhones adds phones, more than one page of the first brand.
func (e *env) addPhones() {
	e.t.Helper()
	e.apiSeller = e.newAPISeller(e.signUpPerson(protectedSeller))
	e.advertise(e.apiSeller)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for n := range 40 {
				e.apiSeller.addPhone(e.apiSeller.brands[max(0, n-30)%len(e.apiSeller.brands)], fmt.Sprint("First ", i, n))
			}
		})
	}
	all.Wait()
}

// openClients opens the clients of visitors, buyers, sellers and admins. Most users have two.
func (e *env) openClients(folder string) {
	e.t.Helper()
	for range e.config.hosts {
		e.hosts = append(e.hosts, startHost(e.t, folder, e.handleNotice))
	}
	kinds := []string{buyer, seller, buyer, visitor, buyer, seller, admin, buyer, seller, buyer}
	people := map[string]*person{}
	for id := range e.config.clients {
		c := &client{id: id, role: kinds[id%len(kinds)], host: e.hosts[id%len(e.hosts)]}
		if c.role != visitor {
			if p := people[c.role]; p != nil {
				c.person = p
				delete(people, c.role)
			} else {
				c.person = e.signUpPerson(c.role)
				people[c.role] = c.person
			}
		}
		e.clients = append(e.clients, c)
		if err := c.host.call(command{Command: "open", Client: id, URL: e.networks[id%len(e.networks)].URL}, nil); err != nil {
			e.t.Fatal(err)
		}
	}
}

// handleNotice handles a notice of a host.
func (e *env) handleNotice(n notice) {
	e.log.write("client %d: %s: %s", n.Client, n.Event, n.Reason)
	if n.Event != "signedOut" {
		e.t.Errorf("client %d: %s: %s", n.Client, n.Event, n.Reason)
		return
	}
	c := e.clients[n.Client]
	go func() { // because an action of that client may hold the mutex
		c.mu.Lock()
		defer c.mu.Unlock()
		c.signedIn = false
		e.mu.Lock()
		defer e.mu.Unlock()
		e.endedSessions = append(e.endedSessions, c.person.email)
	}()
}

// newPerson returns a user with an unused name and email address.
func (e *env) newPerson(role string) *person {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lastPerson++
	return &person{name: fmt.Sprint(role, " ", e.lastPerson), email: fmt.Sprintf("%s%d@example.com", role, e.lastPerson), role: role}
}

// signUpPerson signs up a new user.
func (e *env) signUpPerson(role string) *person {
	e.t.Helper()
	p := e.newPerson(role)
	if role == admin {
		e.createAdmin(p)
		return p
	}
	b := newBrowser(e)
	for _, call := range p.signUpCalls() {
		b.mustCall(http.MethodPost, call.path, call.body, nil)
	}
	return p
}

type apiCall struct {
	path string
	body map[string]string
}

// signUpCalls returns the calls of a new user.
func (p *person) signUpCalls() []apiCall {
	kind := map[string]string{buyer: "User", seller: "Seller", protectedSeller: "Seller"}[p.role]
	return []apiCall{
		{"/identity/sign-up", map[string]string{"email": p.email, "password": password, "displayName": p.name}},
		{"/users", map[string]string{"name": p.name, "email": p.email, "accountType": kind}},
	}
}

// trySignUpPerson is signUpPerson during outages. It returns nil if a call fails.
func (e *env) trySignUpPerson(role string) *person {
	p, b := e.newPerson(role), newBrowser(e)
	for _, call := range p.signUpCalls() {
		if status, _ := b.call(http.MethodPost, call.path, call.body); status/100 != 2 {
			return nil
		}
	}
	return p
}

// createAdmin creates an admin, as the command does. Only one process at a time writes to a
// folder, so on a single node the command waits for the lock.
func (e *env) createAdmin(p *person) {
	e.t.Helper()
	values := maps.Clone(e.settings)
	values["DATA_DIR"] = e.nodes[0].DataDir
	s, err := settings.Read(func(name string) string { return values[name] })
	if err != nil {
		e.t.Fatal(err)
	}
	tools, err := app.OpenAdmin(e.t.Context(), s)
	if err != nil {
		e.t.Fatal(err)
	}
	if err := tools.Identity.CreateAdmin(e.t.Context(), p.email, password, market.FullAdmin); err != nil {
		e.t.Fatal(err)
	}
	if err := tools.Close(); err != nil {
		e.t.Fatal(err)
	}
}
