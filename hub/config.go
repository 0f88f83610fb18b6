package hub

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The default limits of the protocol and of the resources of a socket; Config and Limits
// may override them. Clients rely on the first four.
const (
	DefaultHeartbeat  = 25 * time.Second
	DefaultFrameBytes = 4 << 10 // of a client's frame; more closes with 1009
	DefaultFrameRate  = 20      // client frames a second; more closes with 1008
	DefaultTopics     = 64      // per socket; more closes with 1008

	DefaultQueueBytes = 1 << 20          // waiting for a slow socket; more closes with 4408
	DefaultQueueAge   = 10 * time.Second // of the oldest byte waiting; older closes with 4408
	DefaultSlowGrace  = 30 * time.Second // for a slow socket to read as far as its close frame

	maxUnanswered   = 2                      // pings, before the connection is cut
	closeWait       = 5 * time.Second        // for the other side to answer a close frame
	lingerTime      = 2 * time.Second        // for the last bytes, either way, of a socket that ends
	authTimeout     = 5 * time.Second        // for Authenticate and Authorize
	removalWait     = 250 * time.Millisecond // for account.removed to be sent before the close frame
	readBufferSize  = 512                    // bytes; client frames are few and short
	writeBufferSize = 256                    // bytes, of gorilla's control frames
	maxBatchBytes   = 128 << 10              // of events in one frame
	maxTopicBytes   = 16 << 20               // of events waiting to be flushed on one topic
	maxReplayBytes  = 1 << 20                // of what one answer to a subscribe replays
	frameOverhead   = 160                    // bytes around an event's data and the name of its topic, about
)

// Viewer is the user of a socket. The zero value is a visitor.
type Viewer struct {
	UID     string
	Session string    // ends with market.TypeSessionEnded
	Expires time.Time // when the access token does; zero for never

	CredentialsVersion int64 // of the session; see market.Control
}

// Config has the settings and dependencies of a Hub. Broker and Authorize are required.
type Config struct {
	// Broker delivers the events. The hub does not close it.
	Broker Broker
	// Authenticate returns the user of an access token. It may return
	// market.CodeUnavailable or the error of a context, after which the client may try
	// again; after any other error the token is refused. If it is nil, every socket is a
	// visitor's and tokens are refused.
	Authenticate func(ctx context.Context, token string) (Viewer, error)
	// Authorize decides whether the viewer may read the topic of that name in the
	// protocol, and returns the broker's name of it. An error closes the socket with
	// 1012; the client may connect again.
	Authorize func(ctx context.Context, v Viewer, topic string) (brokerTopic string, ok bool, err error)
	// CheckSession reports whether a session is still valid. It is called when its account has
	// changed, or when events about ended sessions may have been lost. After an error the socket stays open, and
	// CheckSession is called again a second later. If it is nil, all signed-in sockets are
	// closed and connect again.
	CheckSession func(ctx context.Context, v Viewer) (bool, error)
	// OnAccessChanged is called for each event that ends or changes a person's access, before
	// their sockets are checked. It is called with "" if such events of any person may have
	// been lost. It must not block. It may be nil.
	OnAccessChanged func(uid string)
	// AllowedOrigins reports whether a page of that origin may connect; see Origins. Nil
	// allows no origin. A client without an Origin header may connect.
	AllowedOrigins func(origin string) bool
	// Address returns the client's address of a handshake. The limits of sockets, and of
	// replays to visitors, are per address. Nil means the request's RemoteAddr, without the port.
	Address func(r *http.Request) string
	// PerAddress is how many sockets one address may have open; 0 for any number.
	PerAddress int
	// Unlimited removes the limit of a person's replays within a minute.
	Unlimited bool
	// Heartbeat is the longest time without a frame; zero means DefaultHeartbeat.
	Heartbeat time.Duration
	// Limits; zero fields mean the defaults.
	Limits Limits
	// OnSent is called each time that events were written to a topic's readers, with the
	// age of the oldest. It must not block. It may be nil.
	OnSent func(delay time.Duration)
	// Logger; nil means slog.Default().
	Logger *slog.Logger
}

// Limits are the limits of one socket.
type Limits struct {
	FrameBytes int           // of a client's frame
	FrameRate  int           // client frames a second
	Topics     int           // subscriptions
	QueueBytes int           // waiting while the socket is slow
	QueueAge   time.Duration // of the oldest of them
	SlowGrace  time.Duration // to read as far as the close frame 4408
}

var (
	errNoBroker       = errors.New("hub: Config.Broker is missing")
	errNoAuthorize    = errors.New("hub: Config.Authorize is missing")
	errNoTokens       = errors.New("hub: this hub takes no tokens")
	errNoSessionCheck = errors.New("hub: cannot check whether a session is valid")
)

func (c Config) withDefaults() (Config, error) {
	if c.Broker == nil {
		return c, errNoBroker
	}
	if c.Authorize == nil {
		return c, errNoAuthorize
	}
	if c.Authenticate == nil {
		c.Authenticate = func(context.Context, string) (Viewer, error) { return Viewer{}, errNoTokens }
	}
	if c.Address == nil {
		c.Address = func(r *http.Request) string {
			host, _, _ := net.SplitHostPort(r.RemoteAddr)
			return host
		}
	}
	if c.OnAccessChanged == nil {
		c.OnAccessChanged = func(string) {}
	}
	if c.CheckSession == nil {
		c.CheckSession = func(context.Context, Viewer) (bool, error) { return false, errNoSessionCheck }
	}
	if c.AllowedOrigins == nil {
		c.AllowedOrigins = Origins()
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	c.Heartbeat = orDefault(c.Heartbeat, DefaultHeartbeat)
	l := &c.Limits
	l.FrameBytes = orDefault(l.FrameBytes, DefaultFrameBytes)
	l.FrameRate = orDefault(l.FrameRate, DefaultFrameRate)
	l.Topics = orDefault(l.Topics, DefaultTopics)
	l.QueueBytes = orDefault(l.QueueBytes, DefaultQueueBytes)
	l.QueueAge = orDefault(l.QueueAge, DefaultQueueAge)
	l.SlowGrace = orDefault(l.SlowGrace, DefaultSlowGrace)
	return c, nil
}

func orDefault[T int | time.Duration](v, defaultValue T) T {
	if v <= 0 {
		return defaultValue
	}
	return v
}

// Origins returns an AllowedOrigins that allows the origins of the given URLs,
// such as "https://phones.example". Paths are ignored; so is case.
func Origins(urls ...string) func(origin string) bool {
	allowed := map[string]bool{}
	for _, u := range urls {
		if o, ok := originOf(u); ok {
			allowed[o] = true
		}
	}
	return func(origin string) bool {
		o, ok := originOf(origin)
		return ok && allowed[o]
	}
}

func originOf(s string) (string, bool) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return "", false
	}
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	switch scheme { // browsers leave out the default port
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return scheme + "://" + host, true
}
