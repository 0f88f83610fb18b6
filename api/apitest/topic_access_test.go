package apitest_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
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
	market string // the function or constant of package market
	name   func(c *roleEnv) string
	may    func(kind int) bool
}

func topicAccess() []topicRow {
	of := func(name string) func(*roleEnv) string { return func(*roleEnv) string { return name } }
	return []topicRow{
		{"TopicAdvertised", of("advertised"), anyone},
		{"TopicBrand", func(c *roleEnv) string { return "brand:" + c.brand.ID }, anyone},
		{"TopicBrandForVisitors", func(c *roleEnv) string { return market.TopicBrandForVisitors(c.brand.ID) }, nobody},
		{"TopicBrand", of("brand:000000000000000000000000"), nobody},
		{"TopicBrand", of("brand:"), nobody},
		{"TopicMe", of("me"), signedIn},
		{"TopicMe", func(c *roleEnv) string { return market.TopicMe(c.people[asBuyer].user.UID) }, nobody},
		{"TopicMe", of("me:"), nobody},
		{"TopicAdmin", of("admin"), only()},
		{"TopicAdmin", of("ADMIN"), nobody},
		{"TopicControl", of("control"), nobody},
		{"", of(""), nobody},
		{"", of("*"), nobody},
		{"", of("brand:*"), nobody},
		{"", of("advertised\x00admin"), nobody},
	}
}

// listeners are the roles that can open a socket.
var listeners = []int{asVisitor, asBuyer, asRival, asSeller, asOther, asVerified, asAdmin}

func TestTopicAccess(t *testing.T) {
	c := newRoleEnv(t)
	table := topicAccess()
	t.Run("every topic of the market is in the table", func(t *testing.T) {
		for _, name := range topicsOfMarket(t) {
			if !slices.ContainsFunc(table, func(row topicRow) bool { return row.market == name }) {
				t.Errorf("market.%s is in no row: say who may read it", name)
			}
		}
	})
	for _, kind := range listeners {
		t.Run(kindNames[kind], func(t *testing.T) {
			socket := c.people[kind].live(t)
			for _, row := range table {
				name := row.name(c)
				must(t, socket.conn.WriteJSON(map[string]any{"subscribe": map[string]string{name: ""}}))
				var got frame
				socket.until(func(f frame) bool { got = f; return f.Subscribed != nil || f.Denied != nil })
				if _, in := got.Subscribed[name]; in != row.may(kind) || in == slices.Contains(got.Denied, name) {
					t.Errorf("%q: %+v", name, got)
				}
			}
		})
	}
	t.Run("a socket that receives a token may subscribe to its user's topics", func(t *testing.T) {
		socket := c.visitor().live(t)
		must(t, socket.conn.WriteJSON(map[string]any{"token": c.people[asBuyer].token, "subscribe": map[string]string{"me": "", "admin": ""}}))
		var in, out bool
		socket.until(func(f frame) bool {
			_, me := f.Subscribed["me"]
			in, out = in || me, out || slices.Contains(f.Denied, "admin")
			return in && out
		})
	})
}

// topicsOfMarket returns the names of the functions in package market that make topics.
func topicsOfMarket(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../market/event.go", nil, 0)
	must(t, err)
	var names []string
	keep := func(name *ast.Ident) {
		if strings.HasPrefix(name.Name, "Topic") {
			names = append(names, name.Name)
		}
	}
	for _, declared := range file.Decls {
		switch d := declared.(type) {
		case *ast.FuncDecl:
			keep(d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if values, ok := spec.(*ast.ValueSpec); ok {
					keep(values.Names[0])
				}
			}
		}
	}
	if len(names) < 5 {
		t.Fatalf("found the topics %v only", names)
	}
	return names
}

// heard has all frames of one user's socket.
type heard struct {
	kind   int
	socket *socket
	last   chan string // topics on which the last phone has arrived
	texts  []string    // may be read once last is closed
}

type audience struct {
	*roleEnv
	all []*heard
}

// listen opens a socket for every user with all topics that they may read.
func (c *roleEnv) listen(t *testing.T) *audience {
	t.Helper()
	a := &audience{roleEnv: c}
	for _, kind := range listeners {
		topics := map[string]string{}
		for _, row := range topicAccess() {
			if row.may(kind) {
				topics[row.name(c)] = ""
			}
		}
		h := &heard{kind: kind, socket: c.people[kind].live(t), last: make(chan string, 16)}
		must(t, h.socket.conn.WriteJSON(map[string]any{"subscribe": topics}))
		h.socket.until(func(f frame) bool { return len(f.Subscribed) == len(topics) })
		must(t, h.socket.conn.SetReadDeadline(time.Time{}))
		a.all = append(a.all, h)
		go h.follow()
	}
	return a
}

// lastName is the name of the last phones of a run.
const lastName = "The last phone"

// follow stores the text of every frame until the socket is closed.
func (h *heard) follow() {
	defer close(h.last)
	for {
		_, raw, err := h.socket.conn.ReadMessage()
		if err != nil {
			return
		}
		var f frame
		if json.Unmarshal(raw, &f) != nil {
			return
		}
		h.texts = append(h.texts, string(raw))
		for _, e := range f.Events {
			if e.Data["name"] == lastName || e.Data["productName"] == lastName {
				h.last <- e.Topic
			}
		}
	}
}

// expectOnlyOwnEvents waits until the last event has reached all sockets, and checks
// all frames before it.
func (a *audience) expectOnlyOwnEvents(t *testing.T) {
	t.Helper()
	phones := map[int]string{}
	for _, kind := range []int{asSeller, asOther, asVerified} {
		phones[kind] = a.people[kind].do(http.MethodPost, "/products", a.phoneFieldsOf(kind).with("name", lastName)).id()
	}
	a.bookingOf(asBuyer, phones[asSeller])
	a.bookingOf(asRival, phones[asOther])
	a.people[asVerified].advertises(phones[asVerified]).is(http.StatusOK)
	a.people[asRival].do(http.MethodPost, "/reportedItems", fields{"productID": phones[asVerified], "reason": "Stolen " + a.mark("the last reason", only())}).id()
	a.settle()
	for _, h := range a.all {
		h.heardAll(t, a.roleEnv)
		must(t, h.socket.conn.Close())
		for range h.last { // until the last frame is stored
		}
		for _, text := range h.texts {
			a.reads(t, h.kind, "the live line", text)
		}
	}
}

// heardAll waits for the events of the last phones on every topic.
func (h *heard) heardAll(t *testing.T, c *roleEnv) {
	t.Helper()
	missing := map[string]bool{"advertised": true}
	if h.kind != asVisitor {
		missing["brand:"+c.brand.ID], missing["me"] = true, h.kind != asAdmin
		missing["admin"] = h.kind == asAdmin
	}
	maps.DeleteFunc(missing, func(_ string, waits bool) bool { return !waits })
	late := time.After(20 * time.Second)
	for len(missing) > 0 {
		select {
		case topic, open := <-h.last:
			if delete(missing, topic); !open {
				t.Fatalf("the socket of %s has ended", kindNames[h.kind])
			}
		case <-late:
			t.Fatalf("%s has not received the end of %v", kindNames[h.kind], missing)
		}
	}
}
