package hub

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/gorilla/websocket"

	"secondring/market"
)

// ServeHTTP upgrades GET /live. It refuses a foreign Origin with 403, a bad
// token with 401, and with 503 while the hub is not running.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.hasForeignOrigin(r) {
		writeError(w, http.StatusForbidden, market.CodeForbidden, "This site may not connect here")
		return
	}
	if !h.running() {
		writeUnavailable(w)
		return
	}
	token, offered := bearerOf(r)
	var v Viewer
	controlCount := h.controlEvents()
	if offered {
		var err error
		if v, err = h.authenticate(r.Context(), token); err != nil {
			h.refuseToken(w, err)
			return
		}
	}
	address := h.cfg.Address(r)
	if admitted, tooMany := h.admit(address); tooMany {
		w.Header().Set("Retry-After", tooManyRetryAfter)
		writeError(w, http.StatusTooManyRequests, codeTooManyRequests, "Too many windows are open from this network. Close one, or try again later")
		return
	} else if !admitted {
		writeUnavailable(w)
		return
	}
	hj := &hijacker{ResponseWriter: w, hub: h}
	ws, err := upgrader.Upgrade(hj, r, nil)
	if err != nil {
		h.undoAdmit(address)
		h.log.Debug("live: upgrade failed", "error", err)
		return
	}
	c := newConn(h, ws, hj.out, v, address)
	h.open(c, token, controlCount) //nolint:contextcheck // the socket outlives the request
	h.listen(c)                    //nolint:contextcheck // the socket outlives the request
}

// The response to an address that has too many sockets.
const (
	codeTooManyRequests = market.Code("too_many_requests")
	tooManyRetryAfter   = "30" // seconds
)

// hasForeignOrigin reports whether the request comes from a page that may not connect. A browser
// sends one Origin, or none.
func (h *Hub) hasForeignOrigin(r *http.Request) bool {
	origins := r.Header["Origin"]
	return len(origins) > 1 || len(origins) == 1 && origins[0] != "" && !h.cfg.AllowedOrigins(origins[0])
}

// writeBuffers has the buffers of gorilla's own control frames.
var writeBuffers sync.Pool

var upgrader = websocket.Upgrader{
	Subprotocols:    []string{Subprotocol},
	ReadBufferSize:  0, // that of the hijacker
	WriteBufferSize: writeBufferSize,
	WriteBufferPool: &writeBuffers,
	CheckOrigin:     func(*http.Request) bool { return true }, // checked before the token
	Error: func(w http.ResponseWriter, _ *http.Request, status int, reason error) {
		writeError(w, status, market.CodeBadRequest, reason.Error())
	},
}

// open registers a socket and sends it the hello frame.
func (h *Hub) open(c *conn, token string, controlCount uint64) {
	h.stats.opened.Add(1)
	h.log.Debug("live: socket opened", "socket", c.id, "uid", c.viewer.UID)
	h.register(c)
	if token != "" {
		h.recheckToken(c, token, controlCount)
	}
	c.sendHello()
}

// listen starts reading from a socket. An idle socket costs a goroutine only where it
// cannot be polled.
func (h *Hub) listen(c *conn) {
	c.polled = true
	if c.polled = h.poll.add(c); c.polled && c.readerState.leave() {
		return
	}
	go c.run()
}

// ended releases the resources of a socket that has ended, and calls undoAdmit.
func (h *Hub) ended(c *conn, err error) {
	defer h.undoAdmit(c.address)
	c.linger(err)
	c.release()
	h.poll.remove(c)
	h.unregister(c)
	h.log.Debug("live: socket closed", "socket", c.id, "why", err)
}

// recheckToken checks the token again if a session or an account ended between the
// first check and the registration of the socket, which missed that event.
func (h *Hub) recheckToken(c *conn, token string, controlCount uint64) {
	if h.controlEvents() == controlCount {
		return
	}
	if _, err := h.authenticate(h.ctx, token); err != nil {
		c.close(CloseTokenExpired, reasonEnded)
	}
}

func (h *Hub) authenticate(ctx context.Context, token string) (Viewer, error) {
	ctx, cancel := context.WithTimeout(ctx, authTimeout)
	defer cancel()
	return h.cfg.Authenticate(ctx, token)
}

// renewToken replaces the viewer by that of a new token. The caller holds access.
func (c *conn) renewToken(token string) {
	for {
		controlCount := c.hub.controlEvents()
		v, err := c.hub.authenticate(c.hub.ctx, token)
		if err != nil {
			if isTemporary(err) {
				c.close(CloseRestarting, reasonTryAgain)
			} else {
				c.close(CloseTokenExpired, reasonBadToken)
			}
			return
		}
		if !c.hub.setViewer(c, v) {
			c.close(CloseLimit, reasonOtherUser)
			return
		}
		if c.hub.controlEvents() == controlCount {
			break
		}
	}
	if err := c.recheckTopicsLocked(); err != nil {
		c.closeForRetry("authorize", "", err)
	}
}

// isTemporary reports whether an error of Authenticate is temporary, not a refusal.
func isTemporary(err error) bool {
	return market.CodeOf(err) == market.CodeUnavailable ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// bearerOf returns the access token among the offered subprotocols.
func bearerOf(r *http.Request) (token string, offered bool) {
	for _, p := range websocket.Subprotocols(r) {
		if token, ok := strings.CutPrefix(p, bearerPrefix); ok {
			return token, true
		}
	}
	return "", false
}

func (h *Hub) refuseToken(w http.ResponseWriter, err error) {
	h.stats.refused.Add(1)
	if isTemporary(err) {
		h.log.Warn("live: authentication failed", "error", err)
		writeUnavailable(w)
		return
	}
	writeError(w, http.StatusUnauthorized, market.CodeNoToken, "Sign in again")
}

func writeUnavailable(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "1")
	writeError(w, http.StatusServiceUnavailable, market.CodeUnavailable, "Live updates are not available right now. Please try again in a moment")
}

// writeError writes an error response with the body of the API's errors.
func writeError(w http.ResponseWriter, status int, code market.Code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(struct {
		Message string      `json:"message"`
		Code    market.Code `json:"code"`
	}{message, code})
}

// hijacker gives gorilla a queuedConn in place of the connection, and its own reader in
// place of net/http's, whose buffer would exist as long as the socket.
type hijacker struct {
	http.ResponseWriter
	hub *Hub
	out *queuedConn
}

// Hijack implements http.Hijacker. It works through middleware that wraps the writer.
func (j *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(j.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	j.out = newQueuedConn(conn, &j.hub.queues, &j.hub.wg)
	if rw.Reader.Buffered() > 0 { // data before the handshake: gorilla refuses it
		return j.out, rw, nil
	}
	j.out.in = *bufio.NewReaderSize(nil, readBufferSize)
	return j.out, bufio.NewReadWriter(&j.out.in, rw.Writer), nil
}
