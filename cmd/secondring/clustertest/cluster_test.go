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
	"secondring/hub/redisbroker/redistest"
	"secondring/store/mongo/mongotest"
)

// patience is the maximum duration of a step on a busy machine.
const patience = 20 * time.Second

// The indexes of the demo's logins.
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
	nodes []*running
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
		c.nodes = append(c.nodes, start(t, settingsFor(t, c.env)))
	}
	return c
}

// login logs in with one of the demo's accounts, on this node.
func (r *running) login(who int) *person {
	r.t.Helper()
	l := demo.Logins()[who]
	return r.signIn(l.Email, l.Password)
}

// at returns the same browser with the address of another node.
func (p *person) at(r *running) *person {
	return &person{running: r, Client: p.Client, token: p.token}
}

// event is an event of a socket.
type event struct {
	Topic, Position, Type string
	Data                  struct {
		ID      string `json:"_id"`
		Version int64
		Booked  bool
		Status  string
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

// live opens a socket and subscribes from the positions, by topic.
func (p *person) live(positions map[string]string) *socket {
	p.t.Helper()
	conn, answer, err := p.dial()
	if err != nil {
		p.t.Fatal(err)
	}
	_ = answer.Body.Close()
	p.t.Cleanup(func() { _ = conn.Close() })
	s := &socket{t: p.t, conn: conn}
	if err := conn.WriteJSON(map[string]any{"subscribe": positions}); err != nil {
		p.t.Fatal(err)
	}
	in := map[string]string{}
	s.until("it is subscribed", func(f frame) bool {
		maps.Copy(in, f.Subscribed)
		return len(in) == len(positions)
	})
	return s
}

func (p *person) dial() (*websocket.Conn, *http.Response, error) {
	dialer := websocket.Dialer{Subprotocols: []string{"secondring.v1"}}
	if p.token != "" {
		dialer.Subprotocols = append(dialer.Subprotocols, "bearer."+p.token)
	}
	return dialer.DialContext(p.t.Context(), "ws"+strings.TrimPrefix(p.URL(), "http")+"/live", nil)
}

// until reads frames until one matches.
func (s *socket) until(what string, wanted func(frame) bool) {
	s.t.Helper()
	if err := s.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		s.t.Fatal(err)
	}
	for {
		_, text, err := s.conn.ReadMessage()
		if err != nil {
			s.t.Fatalf("until %s: %v", what, err)
		}
		var f frame
		if err := json.Unmarshal(text, &f); err != nil {
			s.t.Fatalf("%s: %v", text, err)
		}
		if wanted(f) {
			return
		}
	}
}

// expectEvent waits for an event of this type about this entity.
func (s *socket) expectEvent(kind, id string) event {
	s.t.Helper()
	var got event
	s.until(kind+" of "+id, func(f frame) bool {
		i := slices.IndexFunc(f.Events, func(e event) bool { return e.Type == kind && e.Data.ID == id })
		if i >= 0 {
			got = f.Events[i]
		}
		return i >= 0
	})
	return got
}

// ends reads until the socket is closed. It returns the duration and the close code.
func (s *socket) ends() (code int, took time.Duration) {
	s.t.Helper()
	began := time.Now()
	if err := s.conn.SetReadDeadline(began.Add(patience)); err != nil {
		s.t.Fatal(err)
	}
	for {
		if _, _, err := s.conn.ReadMessage(); err != nil {
			var closed *websocket.CloseError
			if !errors.As(err, &closed) {
				s.t.Fatalf("the socket ended with %v", err)
			}
			return closed.Code, time.Since(began)
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
func (p *person) advertised() []phone {
	p.t.Helper()
	var all []phone
	p.call(http.MethodGet, "/products/advertised", nil, &all)
	if len(all) == 0 {
		p.t.Fatal("the demo advertises nothing")
	}
	return all
}

// books books the phone and returns the booking's id.
func (p *person) books(id string) string {
	p.t.Helper()
	var booked struct{ InsertedID string }
	p.call(http.MethodPut, "/bookings", map[string]any{"productID": id, "phone": "01700000", "location": "Dhaka"}, &booked)
	return booked.InsertedID
}

// eventually waits until the condition is true.
func eventually(tb testing.TB, what string, so func() bool) {
	tb.Helper()
	late, again := time.After(patience), time.NewTicker(20*time.Millisecond)
	defer again.Stop()
	for !so() {
		select {
		case <-late:
			tb.Fatalf("not in %v: %s", patience, what)
		case <-again.C:
		}
	}
}
