package consistencytest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/nodetest"
	"secondring/cmd/secondring/settings"
	"secondring/hub/redisbroker/redistest"
	"secondring/store/mongo/mongotest"
)

// Roles of people.
const (
	visitor = "visitor"
	buyer   = "buyer"
	seller  = "seller"
	admin   = "admin"
	dealer  = "dealer" // a seller whom no admin deletes (client/headless/actions.ts)
)

// password is the password of every account.
const password = "secret-ring"

// env is a market on one or more nodes with windows of the real client. Faults can be
// injected between them.
type env struct {
	plan
	t        *testing.T
	redis    *redistest.Server // nil where there is one node
	env      map[string]string
	nodes    []*nodetest.Process
	networks []*network
	hosts    []*host
	clients  []*client
	stormy   *trader
	readers  []*reader
	// witnesses read the notifications of the windows' users, by email.
	witnesses map[string]*witness
	log       *actionLog
	rounds    tally

	mu     sync.Mutex
	serial int
	done   map[string]map[int]int // actions by name and status; -1 for nothing to do
	gone   map[string]bool        // emails that an admin has deleted, or may have
	left   []string               // emails of windows whose session was ended for them
}

// person has an account, and some windows.
type person struct{ name, email, role string }

// client is one window.
type client struct {
	id   int
	role string
	host *host

	mu       sync.Mutex // one thing at a time is done in a window
	person   *person    // nil for a visitor
	signedIn bool
	asleep   bool
}

// newEnv starts the nodes and the windows.
func newEnv(t *testing.T, nodes int, p plan) *env {
	t.Helper()
	e := &env{plan: p, t: t, done: map[string]map[int]int{}, gone: map[string]bool{}, witnesses: map[string]*witness{}, log: newActionLog(t)}
	// Holds and turns of the first node expire within the test, those of the second do not.
	each := []map[string]string{{"BOOKING_HOLD": "3s", "TURN": "2s"}, {"BOOKING_HOLD": "1h", "TURN": "1h"}}
	e.startNodes(each[:nodes]...)
	var addresses []string
	for _, node := range e.nodes {
		addresses = append(addresses, strings.TrimPrefix(node.URL, "http://"))
	}
	balancer := startBalancer(t, addresses)
	for range 6 {
		e.networks = append(e.networks, newNetwork(t, balancer))
	}
	e.fill()
	e.open(bundle(t))
	e.startReaders()
	return e
}

// startNodes starts a node for each of these settings. Several nodes share a new database
// and a new Redis; a single node uses its folder only.
func (e *env) startNodes(each ...map[string]string) {
	e.t.Helper()
	e.env = map[string]string{
		"ADVERTISE": "verified", "STRIPE_SECRET_KEY": "", "MONGODB_URI": "", "REDIS_URL": "",
	}
	if len(each) > 1 {
		server, err := mongotest.Start()
		if err != nil {
			e.t.Fatal(err)
		}
		e.redis = redistest.Start(e.t)
		maps.Copy(e.env, map[string]string{
			"MONGODB_URI": server.Database(), "REDIS_URL": e.redis.URL, "TOKEN_SECRET": strings.Repeat("s", 32),
		})
	}
	for _, own := range each {
		env := maps.Clone(e.env)
		maps.Copy(env, own)
		e.nodes = append(e.nodes, nodetest.Start(e.t, env))
	}
}

// fill adds phones: more than one page of the first brand.
func (e *env) fill() {
	e.t.Helper()
	e.stormy = e.trader(e.signUpPerson(dealer))
	e.promote(e.stormy)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for n := range 40 {
				e.stormy.add(e.stormy.brands[max(0, n-30)%len(e.stormy.brands)], fmt.Sprint("First ", i, n))
			}
		})
	}
	all.Wait()
}

// open opens the windows of visitors, buyers, sellers and admins; most users have two.
func (e *env) open(folder string) {
	e.t.Helper()
	for range e.plan.hosts {
		e.hosts = append(e.hosts, startHost(e.t, folder, e.handleNotice))
	}
	kinds := []string{buyer, seller, buyer, visitor, buyer, seller, admin, buyer, seller, buyer}
	people := map[string]*person{}
	for id := range e.plan.clients {
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
		if err := c.host.ask(command{Do: "open", Client: id, URL: e.networks[id%len(e.networks)].url}, nil); err != nil {
			e.t.Fatal(err)
		}
	}
}

// handleNotice handles a notice of a host.
func (e *env) handleNotice(n notice) {
	e.log.write("client %d: %s: %s", n.Client, n.Event, n.Why)
	if n.Event != "signedOut" {
		e.t.Errorf("client %d: %s: %s", n.Client, n.Event, n.Why)
		return
	}
	c := e.clients[n.Client]
	go func() { // something may be under way in that window
		c.mu.Lock()
		defer c.mu.Unlock()
		c.signedIn = false
		e.mu.Lock()
		defer e.mu.Unlock()
		e.left = append(e.left, c.person.email)
	}()
}

// newPerson returns an unused name and address.
func (e *env) newPerson(role string) *person {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.serial++
	return &person{name: fmt.Sprint(role, " ", e.serial), email: fmt.Sprintf("%s%d@example.com", role, e.serial), role: role}
}

// signUpPerson signs up a new user.
func (e *env) signUpPerson(role string) *person {
	e.t.Helper()
	p := e.newPerson(role)
	if role == admin {
		e.elect(p)
		return p
	}
	b := newBrowser(e)
	for _, call := range p.signUpCalls() {
		b.must(http.MethodPost, call.path, call.body, nil)
	}
	return p
}

type call struct {
	path string
	body map[string]string
}

// signUpCalls returns the calls of a new user.
func (p *person) signUpCalls() []call {
	kind := map[string]string{buyer: "User", seller: "Seller", dealer: "Seller"}[p.role]
	return []call{
		{"/identity/sign-up", map[string]string{"email": p.email, "password": password, "displayName": p.name}},
		{"/users", map[string]string{"name": p.name, "email": p.email, "accountType": kind}},
	}
}

// trySignUpPerson is signUpPerson during outages; it returns nil if the market is unavailable.
func (e *env) trySignUpPerson(role string) *person {
	p, b := e.newPerson(role), newBrowser(e)
	for _, call := range p.signUpCalls() {
		if status, _ := b.ask(http.MethodPost, call.path, call.body); status/100 != 2 {
			return nil
		}
	}
	return p
}

// elect makes an admin, as the command does. Only one process at a time writes to a
// folder, so on a single node the command waits for the lock.
func (e *env) elect(p *person) {
	e.t.Helper()
	env := maps.Clone(e.env)
	env["DATA_DIR"] = e.nodes[0].DataDir
	s, err := settings.Read(func(name string) string { return env[name] })
	if err != nil {
		e.t.Fatal(err)
	}
	tools, err := app.OpenAdmin(e.t.Context(), s)
	if err != nil {
		e.t.Fatal(err)
	}
	if err := tools.Identity.CreateAdmin(e.t.Context(), p.email, password); err != nil {
		e.t.Fatal(err)
	}
	if err := tools.Close(); err != nil {
		e.t.Fatal(err)
	}
}

// browser is an HTTP client with cookies, without the code of the client.
type browser struct {
	w     *env
	http  http.Client
	token string
}

func newBrowser(e *env) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		e.t.Fatal(err)
	}
	return &browser{w: e, http: http.Client{Jar: jar, Timeout: 20 * time.Second}}
}

func (b *browser) signIn(p *person) {
	b.w.t.Helper()
	b.must(http.MethodPost, "/identity/sign-in", map[string]string{"email": p.email, "password": password}, nil)
	var answer struct{ AccessToken string }
	b.must(http.MethodGet, "/jwt?email="+url.QueryEscape(p.email), nil, &answer)
	b.token = answer.AccessToken
}

// must repeats a call until it succeeds, because a node may be unavailable.
func (b *browser) must(method, path string, body, into any) {
	b.w.t.Helper()
	late, again := time.After(30*time.Second), time.NewTicker(200*time.Millisecond)
	defer again.Stop()
	for {
		status, text := b.ask(method, path, body)
		if status/100 == 2 {
			if into != nil && json.Unmarshal(text, into) != nil {
				b.w.t.Errorf("%s %s: %s", method, path, text)
			}
			return
		}
		select {
		case <-late:
			b.w.t.Errorf("%s %s: %d %s", method, path, status, text)
			return
		case <-again.C:
		}
	}
}

func (b *browser) ask(method, path string, body any) (status int, text []byte) {
	sent, err := json.Marshal(body)
	if err != nil {
		return 0, nil
	}
	node := b.w.nodes[rand.IntN(len(b.w.nodes))]
	request, err := http.NewRequestWithContext(b.w.t.Context(), method, node.URL+path, bytes.NewReader(sent))
	if err != nil {
		return 0, nil
	}
	request.Header.Set("Content-Type", "application/json")
	if b.token != "" {
		request.Header.Set("Authorization", "Bearer "+b.token)
	}
	// Cookies do not depend on the port, so the nodes share them.
	answer, err := b.http.Do(request)
	if err != nil {
		return 0, []byte(err.Error())
	}
	defer func() { _ = answer.Body.Close() }()
	text, err = io.ReadAll(answer.Body)
	if err != nil {
		return 0, nil
	}
	return answer.StatusCode, text
}

// trader is a seller without a window, who changes one phone more often than the
// history of its topics has events.
type trader struct {
	*browser
	person *person
	brands []brand
	phone  string

	mu     sync.Mutex
	signed time.Time
}

// tokenFor is how long a token is used. A token is valid for an hour.
const tokenFor = 30 * time.Minute

// pass is an access token that has not expired.
func (s *trader) pass() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.signed) > tokenFor {
		s.signIn(s.person)
		s.signed = time.Now()
	}
	return s.token
}

type brand struct {
	ID   string `json:"_id"`
	Name string
}

func (e *env) trader(p *person) *trader {
	e.t.Helper()
	s := &trader{browser: newBrowser(e), person: p}
	s.pass()
	s.must(http.MethodGet, "/allCategories", nil, &s.brands)
	s.phone = s.add(s.brands[0], "Stormy")
	return s
}

// promote advertises the trader's phone, so that its changes are also events of that
// topic.
func (e *env) promote(s *trader) {
	e.t.Helper()
	chief := newBrowser(e)
	chief.signIn(e.signUpPerson(admin))
	var sellers []struct {
		ID string `json:"_id"`
	}
	chief.must(http.MethodGet, "/users/sellers", nil, &sellers)
	for _, one := range sellers {
		chief.must(http.MethodPut, "/users/seller/"+one.ID, nil, nil)
	}
	s.must(http.MethodPut, "/products/advertise/"+s.phone, nil, nil)
}

func (s *trader) add(of brand, name string) string {
	var made struct{ InsertedID string }
	s.must(http.MethodPost, "/products", map[string]any{
		"name": name, "brand": of.Name, "id": of.ID, "img": "/images/a.jpg",
		"originalPrice": 500, "resalePrice": 100 + len(name)*7, "productCondition": "Good", "usedTime": "1 year",
		"description": "Rings.", "sellerName": s.person.name, "email": s.person.email, "location": "Dhaka", "phone": "01700000",
		"selling_post_date": "2026-11-01",
	}, &made)
	return made.InsertedID
}

// storm makes more events than the history of a brand holds.
func (s *trader) storm() {
	const changes = 2*history + 60 // a Redis cuts its streams roughly
	s.pass()
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for n := range changes / 4 {
				s.ask(http.MethodPatch, "/products/"+s.phone, map[string]int{"resalePrice": 100 + i*changes + n})
			}
		})
	}
	all.Wait()
}
