package apitest_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
)

// topicRow is one row of the access table of topics: the topic's name in the protocol, and
// the roles that may subscribe to it. A deleted user and an expired token cannot open a
// socket: see GET /live in the table of routes.
type topicRow struct {
	market  string // the function or constant of package market
	name    func(c *roleEnv) string
	mayRead func(role int) bool
}

// topicAccess returns the access table of topics.
func topicAccess() []topicRow {
	named := func(name string) func(*roleEnv) string { return func(*roleEnv) string { return name } }
	return []topicRow{
		{"TopicAdvertised", named("advertised"), anyone},
		{"TopicBrand", func(c *roleEnv) string { return "brand:" + c.brand.ID }, anyone},
		{"TopicBrandForVisitors", func(c *roleEnv) string { return market.TopicBrandForVisitors(c.brand.ID) }, nobody},
		{"TopicBrand", named("brand:000000000000000000000000"), nobody},
		{"TopicBrand", named("brand:"), nobody},
		{"TopicMe", named("me"), signedIn},
		{"TopicMe", func(c *roleEnv) string { return market.TopicMe(c.people[asBuyer].user.UID) }, nobody},
		{"TopicMe", named("me:"), nobody},
		{"TopicAdmin", named("admin"), only()},
		{"TopicAdmin", named("ADMIN"), nobody},
		{"TopicModerators", named("moderators"), nobody},
		{"TopicControl", named("control"), nobody},
		{"", named(""), nobody},
		{"", named("*"), nobody},
		{"", named("brand:*"), nobody},
		{"", named("advertised\x00admin"), nobody},
	}
}

// connectedRoles are the roles that can open a socket.
var connectedRoles = []int{asVisitor, asBuyer, asOtherBuyer, asSeller, asOtherSeller, asVerified, asAdmin, asModerator}

func TestTopicAccess(t *testing.T) {
	c := newRoleEnv(t)
	table := topicAccess()
	t.Run("every topic of the market is in the table", func(t *testing.T) {
		for _, name := range topicsOfMarket(t) {
			if !slices.ContainsFunc(table, func(row topicRow) bool { return row.market == name }) {
				t.Errorf("market.%s is not in the table: add a row that says who may read it", name)
			}
		}
	})
	for _, role := range connectedRoles {
		t.Run(roleNames[role], func(t *testing.T) {
			socket := c.people[role].connect(t)
			for _, row := range table {
				name := row.name(c)
				must(t, socket.conn.WriteJSON(map[string]any{"subscribe": map[string]string{name: ""}}))
				var got frame
				socket.readUntil(func(f frame) bool { got = f; return f.Subscribed != nil || f.Denied != nil })
				if _, in := got.Subscribed[name]; in != row.mayRead(role) || in == slices.Contains(got.Denied, name) {
					t.Errorf("after a subscription to %q: %+v, want subscribed %v", name, got, row.mayRead(role))
				}
			}
		})
	}
	t.Run("a socket that receives a token may subscribe to its user's topics", func(t *testing.T) {
		socket := c.visitor().connect(t)
		must(t, socket.conn.WriteJSON(map[string]any{"token": c.people[asBuyer].token, "subscribe": map[string]string{"me": "", "admin": ""}}))
		var subscribed, denied bool
		socket.readUntil(func(f frame) bool {
			_, me := f.Subscribed["me"]
			subscribed, denied = subscribed || me, denied || slices.Contains(f.Denied, "admin")
			return subscribed && denied
		})
	})
}

// topicsOfMarket returns the names of the functions and constants of package market that are
// topics.
func topicsOfMarket(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../market/event.go", nil, 0)
	must(t, err)
	var names []string
	add := func(name *ast.Ident) {
		if strings.HasPrefix(name.Name, "Topic") {
			names = append(names, name.Name)
		}
	}
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			add(d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if values, ok := spec.(*ast.ValueSpec); ok {
					add(values.Names[0])
				}
			}
		}
	}
	if len(names) < 5 {
		t.Fatalf("found only the topics %v", names)
	}
	return names
}

// listener stores all frames of one user's socket.
type listener struct {
	role       int
	socket     *socket
	lastTopics chan string // topics on which the last phone has arrived
	frames     []string    // may be read once lastTopics is closed
}

// listeners are the listeners of all roles that can open a socket.
type listeners struct {
	*roleEnv
	all []*listener
}

// subscribeAll opens a socket for every user with all topics that they may read.
func (c *roleEnv) subscribeAll(t *testing.T) *listeners {
	t.Helper()
	a := &listeners{roleEnv: c}
	for _, role := range connectedRoles {
		topics := map[string]string{}
		for _, row := range topicAccess() {
			if row.mayRead(role) {
				topics[row.name(c)] = ""
			}
		}
		l := &listener{role: role, socket: c.people[role].connect(t), lastTopics: make(chan string, 16)}
		must(t, l.socket.conn.WriteJSON(map[string]any{"subscribe": topics}))
		l.socket.readUntil(func(f frame) bool { return len(f.Subscribed) == len(topics) })
		must(t, l.socket.conn.SetReadDeadline(time.Time{}))
		a.all = append(a.all, l)
		go l.readFrames()
	}
	return a
}

// lastPhoneName is the name of the phones that a test adds last, so that their events end the
// streams.
const lastPhoneName = "The last phone"

// readFrames stores the text of every frame until the socket is closed.
func (l *listener) readFrames() {
	defer close(l.lastTopics)
	for {
		_, raw, err := l.socket.conn.ReadMessage()
		if err != nil {
			return
		}
		var f frame
		if json.Unmarshal(raw, &f) != nil {
			return
		}
		l.frames = append(l.frames, string(raw))
		for _, e := range f.Events {
			if e.Data["name"] == lastPhoneName || e.Data["productName"] == lastPhoneName {
				l.lastTopics <- e.Topic
			}
		}
	}
}

// wantOnlyOwnEvents waits until the last event has reached all sockets, and checks
// all frames before it.
func (a *listeners) wantOnlyOwnEvents(t *testing.T) {
	t.Helper()
	phones := map[int]string{}
	for _, role := range []int{asSeller, asOtherSeller, asVerified} {
		phones[role] = a.people[role].do(http.MethodPost, "/products", a.phoneFieldsOf(role).with("name", lastPhoneName)).insertedID()
	}
	a.bookingOf(asBuyer, phones[asSeller])
	a.bookingOf(asOtherBuyer, phones[asOtherSeller])
	a.people[asVerified].advertise(phones[asVerified]).wantStatus(http.StatusOK)
	a.people[asOtherBuyer].do(http.MethodPost, "/reportedItems", fields{"productID": phones[asVerified], "reason": "Stolen " + a.newMarker("the last reason", only())}).insertedID()
	a.runDueWork()
	for _, l := range a.all {
		l.waitForLastPhones(t, a.roleEnv)
		must(t, l.socket.conn.Close())
		for range l.lastTopics { // until the last frame is stored
		}
		for _, text := range l.frames {
			a.wantNoLeak(t, l.role, "the socket", text)
		}
	}
}

// waitForLastPhones waits for the events of the last phones on every topic.
func (l *listener) waitForLastPhones(t *testing.T, c *roleEnv) {
	t.Helper()
	missing := map[string]bool{"advertised": true}
	switch l.role {
	case asVisitor:
	case asAdmin, asModerator:
		missing["brand:"+c.brand.ID], missing["admin"] = true, true
	default:
		missing["brand:"+c.brand.ID], missing["me"] = true, true
	}
	timeout := time.After(3 * time.Minute)
	for len(missing) > 0 {
		select {
		case topic, open := <-l.lastTopics:
			if delete(missing, topic); !open {
				t.Fatalf("the socket of %s has ended", roleNames[l.role])
			}
		case <-timeout:
			t.Fatalf("%s has not received the last events of %v", roleNames[l.role], missing)
		}
	}
}
