package hub_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"secondring/hub"
	"secondring/market"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for a frame.
const patience = 3 * time.Minute

var (
	errRefused = errors.New("token refused")
	eventTime  = time.Date(2026, 11, 21, 3, 4, 5, 0, time.UTC)
)

// harness is a hub on a real listener. Its permissions are those of the market for a few
// users, whom the test can change.
type harness struct {
	t      *testing.T
	hub    *hub.Hub
	broker hub.Broker
	url    string
	pipes  *pipes // replaces the network in a synctest bubble, otherwise nil

	mu     sync.Mutex
	tokens map[string]hub.Viewer
	admins map[string]bool
}

// start starts a harness on a real listener. change, which may be nil, changes its Config first.
func start(t *testing.T, change func(*hub.Config)) *harness {
	t.Helper()
	h := newHarness(t, change)
	h.listen()
	return h
}

// serve returns a harness of an existing hub.
func serve(t *testing.T, served *hub.Hub, b hub.Broker) *harness {
	t.Helper()
	h := &harness{t: t, hub: served, broker: b}
	h.listen()
	return h
}

func (h *harness) listen() {
	server := httptest.NewServer(h.hub)
	h.url = "ws" + strings.TrimPrefix(server.URL, "http")
	h.closeWith(server.Close)
}

func newHarness(t *testing.T, change func(*hub.Config)) *harness {
	t.Helper()
	h := &harness{t: t, tokens: map[string]hub.Viewer{}, admins: map[string]bool{}}
	cfg := hub.Config{
		Broker:         hub.NewMemoryBroker(hub.HistoryLimits{}),
		Authenticate:   h.authenticate,
		Authorize:      h.authorize,
		AllowedOrigins: hub.Origins("http://localhost:8080"),
		Logger:         slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&cfg)
	}
	served, err := hub.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := served.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.hub, h.broker = served, cfg.Broker
	return h
}

// closeWith closes the hub, then the server, at the end of the test.
func (h *harness) closeWith(closeServer func()) {
	h.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := h.hub.Close(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			h.t.Error(err)
		}
		closeServer()
		if err := h.broker.Close(); err != nil {
			h.t.Error(err)
		}
	})
}

func (h *harness) authenticate(_ context.Context, token string) (hub.Viewer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v, ok := h.tokens[token]
	if !ok {
		return hub.Viewer{}, errRefused
	}
	return v, nil
}

func (h *harness) authorize(_ context.Context, v hub.Viewer, topic string) (string, bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	brand, isBrand := market.BrandOfTopic(topic)
	switch {
	case topic == market.TopicAdvertised:
		return topic, true, nil
	case v.UID == "":
		return "", false, nil
	case topic == "me":
		return market.TopicMe(v.UID), true, nil
	case topic == market.TopicAdmin:
		return topic, h.admins[v.UID], nil
	case isBrand:
		return topic, brand != "none", nil
	}
	return "", false, nil
}

// token returns a token of the user that never expires.
func (h *harness) token(uid string) (token string) {
	token = "token-" + uid
	h.allow(token, hub.Viewer{UID: uid, Session: "session-" + uid})
	return token
}

func (h *harness) allow(token string, v hub.Viewer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tokens[token] = v
}

func (h *harness) revoke(token string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.tokens, token)
}

func (h *harness) setAdmin(uid string, admin bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.admins[uid] = admin
}

func (h *harness) publish(events ...market.Event) {
	h.t.Helper()
	if err := h.broker.Publish(h.t.Context(), events); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) control(kind string, c market.Control) {
	h.t.Helper()
	data, err := json.Marshal(c)
	if err != nil {
		h.t.Fatal(err)
	}
	h.publish(market.Event{Topic: market.TopicControl, Type: kind, At: eventTime, Data: data})
}

func (h *harness) position(topic string) string {
	h.t.Helper()
	p, err := h.broker.Position(h.t.Context(), topic)
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

// event returns an event of an entity's version.
func event(topic, kind, entity string, version int64) market.Event {
	return market.Event{
		Topic: topic, Type: kind, At: eventTime, Entity: entity, Version: version,
		Data: json.RawMessage(fmt.Sprintf(`{"_id":%q,"version":%d}`, entity, version)),
	}
}

// client is one open socket.
type client struct {
	t  *testing.T
	ws *websocket.Conn
}

// frame is any server frame.
type frame struct {
	Hello *struct {
		Session   string
		Heartbeat float64
	}
	Subscribed map[string]string
	Denied     []string
	Events     []receivedEvent
	Resync     []string
}

type receivedEvent struct {
	Topic, Position, Type, At string
	Data                      struct {
		ID      string `json:"_id"`
		Version int64
	}
}

// dial opens a socket with the token, or as a visitor if it is empty, and reads the hello frame.
func (h *harness) dial(token string) *client {
	h.t.Helper()
	c := h.connect(token)
	if f := c.read(); f.Hello == nil {
		h.t.Fatalf("first frame: %+v, want hello", f)
	}
	return c
}

// handshakeResult is the server's response to a handshake.
type handshakeResult struct {
	ws     *websocket.Conn // nil if the handshake was refused
	status int             // 0 if there was no response
	header http.Header
}

// handshake tries to open a socket with the subprotocols.
func (h *harness) handshake(header http.Header, subprotocols ...string) (handshakeResult, error) {
	d := websocket.Dialer{Subprotocols: subprotocols}
	if h.pipes != nil {
		d.NetDialContext = h.pipes.dial
	}
	ws, resp, err := d.Dial(h.url+"/live", header)
	if resp == nil {
		return handshakeResult{}, err
	}
	_ = resp.Body.Close()
	return handshakeResult{ws: ws, status: resp.StatusCode, header: resp.Header}, err
}

// wantRefused fails the test unless the handshake is refused.
func (h *harness) wantRefused(token string) handshakeResult {
	h.t.Helper()
	reply, err := h.handshake(nil, hub.Subprotocol, "bearer."+token)
	if err == nil {
		_ = reply.ws.Close()
		h.t.Fatal("the handshake was not refused")
	}
	return reply
}

// connect opens a socket and reads nothing.
func (h *harness) connect(token string) *client {
	h.t.Helper()
	subprotocols := []string{hub.Subprotocol}
	if token != "" {
		subprotocols = append(subprotocols, "bearer."+token)
	}
	reply, err := h.handshake(nil, subprotocols...)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = reply.ws.Close() })
	return &client{t: h.t, ws: reply.ws}
}

func (c *client) send(text string) {
	c.t.Helper()
	if err := c.ws.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		c.t.Fatal(err)
	}
}

// tryRead returns the next frame, or the error that ended the socket.
func (c *client) tryRead() (f frame, raw string, err error) {
	_ = c.ws.SetReadDeadline(time.Now().Add(patience))
	_, data, err := c.ws.ReadMessage()
	if err != nil {
		return f, "", err
	}
	return f, string(data), json.Unmarshal(data, &f)
}

func (c *client) read() frame {
	c.t.Helper()
	f, _, err := c.tryRead()
	if err != nil {
		c.t.Fatal(err)
	}
	return f
}

// subscribe subscribes to topics from positions and returns the response.
func (c *client) subscribe(positions map[string]string) frame {
	c.t.Helper()
	request, err := json.Marshal(map[string]map[string]string{"subscribe": positions})
	if err != nil {
		c.t.Fatal(err)
	}
	c.send(string(request))
	f := c.read()
	if f.Subscribed == nil {
		c.t.Fatalf("got %+v, want subscribed", f)
	}
	return f
}

// events reads frames of events until there are n.
func (c *client) events(n int) []receivedEvent {
	c.t.Helper()
	var all []receivedEvent
	for len(all) < n {
		f := c.read()
		if f.Events == nil {
			c.t.Fatalf("got %+v after %d events, want %d", f, len(all), n)
		}
		all = append(all, f.Events...)
	}
	return all
}

// closeCode reads until the socket is closed and returns the close code.
func (c *client) closeCode() int {
	c.t.Helper()
	for {
		_, _, err := c.tryRead()
		if err == nil {
			continue
		}
		var closed *websocket.CloseError
		if !errors.As(err, &closed) {
			c.t.Fatalf("the socket ended with %v, want a close frame", err)
		}
		return closed.Code
	}
}

// wantClosed reads until the socket is closed, and fails the test unless it has this close code.
func (c *client) wantClosed(code int) {
	c.t.Helper()
	if got := c.closeCode(); got != code {
		c.t.Errorf("closed with %d, want %d", got, code)
	}
}

// wantNoEvents sends a frame, and fails the test unless the next frame is the response to it.
func (c *client) wantNoEvents() {
	c.t.Helper()
	c.send(`{"subscribe":{"no such topic":""}}`)
	if f := c.read(); len(f.Denied) != 1 {
		c.t.Fatalf("got %+v, want no event", f)
	}
}
