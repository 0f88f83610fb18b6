package clustertest_test

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/nodetest"
	"secondring/hub/redisbroker/redistest"
	"secondring/store/mongo/mongotest"
)

// patience is the maximum duration of a step on a busy machine.
const patience = time.Minute

// The indexes of the demo's users in demo.Logins.
const (
	admin = iota
	verifiedSeller
	seller
	buyer
	buyer2
)

// database returns the address of a new database.
func database(t *testing.T) string {
	t.Helper()
	server, err := mongotest.Start()
	if err != nil {
		t.Fatal(err)
	}
	return server.Database()
}

// cluster has the nodes of one demo market.
type cluster struct {
	redis *redistest.Server
	env   map[string]string
	nodes []*appNode
}

// startCluster starts n nodes on a database and a Redis of their own.
func startCluster(t *testing.T, n int, env map[string]string) *cluster {
	t.Helper()
	c := &cluster{redis: redistest.Start(t)}
	c.env = map[string]string{
		"MONGODB_URI": database(t), "REDIS_URL": c.redis.URL, "TOKEN_SECRET": strings.Repeat("s", 32), "DEMO": "1",
	}
	maps.Copy(c.env, env)
	for range n {
		c.nodes = append(c.nodes, startNode(t, nodetest.Settings(t, c.env)))
	}
	return c
}

// process is a node in its own process, which receives real signals.
type process = nodetest.Process

// startProcess starts a node of the cluster and waits until it is ready.
func (c *cluster) startProcess(t *testing.T) *process {
	t.Helper()
	return nodetest.Start(t, c.env)
}

// login logs in with one of the demo's accounts, on this node.
func (n *appNode) login(who int) *browser {
	n.t.Helper()
	l := demo.Logins()[who]
	return n.signIn(l.Email, l.Password)
}

// at returns the same browser at another node.
func (b *browser) at(r *appNode) *browser {
	return &browser{appNode: r, Client: b.Client, token: b.token}
}

// event is an event of a socket.
type event struct {
	Topic, Position, Type string
	Data                  struct {
		ID      string `json:"_id"`
		Version int64
		Booked  bool
		Status  string
		Price   int `json:"resalePrice"`
	}
}

// frame is a frame of a socket.
type frame struct {
	Subscribed map[string]string
	Denied     []string
	Resync     []string
	Events     []event
}

// socket is a live connection.
type socket struct {
	t    *testing.T
	conn *websocket.Conn
}

// subscribe opens a socket and subscribes from the positions, by topic.
func (b *browser) subscribe(positions map[string]string) *socket {
	b.t.Helper()
	conn, answer, err := b.dial()
	if err != nil {
		b.t.Fatal(err)
	}
	_ = answer.Body.Close()
	b.t.Cleanup(func() { _ = conn.Close() })
	s := &socket{t: b.t, conn: conn}
	if err := conn.WriteJSON(map[string]any{"subscribe": positions}); err != nil {
		b.t.Fatal(err)
	}
	in := map[string]string{}
	s.readUntil("all topics are subscribed", func(f frame) bool {
		maps.Copy(in, f.Subscribed)
		return len(in) == len(positions)
	})
	return s
}

func (b *browser) dial() (*websocket.Conn, *http.Response, error) {
	dialer := websocket.Dialer{Subprotocols: []string{"secondring.v1"}}
	if b.token != "" {
		dialer.Subprotocols = append(dialer.Subprotocols, "bearer."+b.token)
	}
	return dialer.DialContext(b.t.Context(), "ws"+strings.TrimPrefix(b.URL(), "http")+"/live", nil)
}

// readUntil reads frames until one matches.
func (s *socket) readUntil(what string, matches func(frame) bool) {
	s.t.Helper()
	if err := s.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		s.t.Fatal(err)
	}
	for {
		_, text, err := s.conn.ReadMessage()
		if err != nil {
			s.t.Fatalf("reading until %s: %v", what, err)
		}
		var f frame
		if err := json.Unmarshal(text, &f); err != nil {
			s.t.Fatalf("decoding the frame %s: %v", text, err)
		}
		if matches(f) {
			return
		}
	}
}

// expectEvent waits for an event of this type about this entity.
func (s *socket) expectEvent(kind, id string) event {
	s.t.Helper()
	var got event
	s.readUntil(kind+" of "+id, func(f frame) bool {
		i := slices.IndexFunc(f.Events, func(e event) bool { return e.Type == kind && e.Data.ID == id })
		if i >= 0 {
			got = f.Events[i]
		}
		return i >= 0
	})
	return got
}

// waitForClose reads until the socket is closed. It returns the close code and the duration.
func (s *socket) waitForClose() (code int, took time.Duration) {
	s.t.Helper()
	startedAt := time.Now()
	if err := s.conn.SetReadDeadline(startedAt.Add(patience)); err != nil {
		s.t.Fatal(err)
	}
	for {
		if _, _, err := s.conn.ReadMessage(); err != nil {
			var closed *websocket.CloseError
			if !errors.As(err, &closed) {
				s.t.Fatalf("the socket ended with %v, want a close code", err)
			}
			return closed.Code, time.Since(startedAt)
		}
	}
}

// phone is a phone of a list.
type phone struct {
	ID      string `json:"_id"`
	Brand   string `json:"id"`
	Price   int    `json:"resalePrice"`
	Seller  string `json:"sellerName"`
	Email   string
	Booked  bool
	Version int64
}

// advertised returns the advertised phones that are available.
func (b *browser) advertised() []phone {
	b.t.Helper()
	var all []phone
	b.call(http.MethodGet, "/products/advertised", nil, &all)
	if len(all) == 0 {
		b.t.Fatal("the demo advertises nothing")
	}
	return all
}

// book books the phone and returns the booking's id.
func (b *browser) book(id string) string {
	b.t.Helper()
	var booked struct{ InsertedID string }
	b.call(http.MethodPut, "/bookings", map[string]any{"productID": id, "phone": "01700000", "location": "Dhaka"}, &booked)
	return booked.InsertedID
}

// eventually waits until the condition is true.
func eventually(tb testing.TB, what string, condition func() bool) {
	tb.Helper()
	eventuallyWithin(tb, patience, what, condition)
}

func eventuallyWithin(tb testing.TB, limit time.Duration, what string, condition func() bool) {
	tb.Helper()
	timeout, ticker := time.After(limit), time.NewTicker(20*time.Millisecond)
	defer ticker.Stop()
	for !condition() {
		select {
		case <-timeout:
			tb.Fatalf("not within %v: %s", limit, what)
		case <-ticker.C:
		}
	}
}
