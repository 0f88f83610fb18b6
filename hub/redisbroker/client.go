package redisbroker

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// How long a call may take. A booking never waits for one, because its events are published
// afterwards (market.Relay). A list waits for one, for its position.
const (
	callTimeout = time.Second
	dialTimeout = time.Second
)

// clusterShards is the number of shards in a cluster. Each is in one slot and costs
// each node one connection. It must be the same on every node: to change it, stop
// all nodes.
const clusterShards = 16

// connection is a client with its layout of keys.
type connection struct {
	client redis.UniversalClient
	shards int
	prefix string // of keys and channels: channels do not belong to a database
}

// Open parses REDIS_URL: redis:// or rediss:// (TLS) with name, password and
// database for one server, or with ?addr=host:port for each further server of
// a cluster. It does not connect yet.
func Open(address string) (connection, error) {
	u, err := url.Parse(address)
	if err != nil {
		return connection{}, fmt.Errorf("redisbroker: %w", err)
	}
	if u.Query().Has("addr") {
		o, err := redis.ParseClusterURL(address)
		if err != nil {
			return connection{}, fmt.Errorf("redisbroker: %w", err)
		}
		o.MaxRedirects, o.ReadTimeout, o.WriteTimeout = 3, callTimeout, callTimeout
		o.ContextTimeoutEnabled = true
		o.NewClient = func(o *redis.Options) *redis.Client { return redis.NewClient(tuned(o)) }
		return connection{client: redis.NewClusterClient(o), shards: clusterShards, prefix: "secondring"}, nil
	}
	o, err := redis.ParseURL(address)
	if err != nil {
		return connection{}, fmt.Errorf("redisbroker: %w", err)
	}
	return connection{client: redis.NewClient(tuned(o)), shards: 1, prefix: "secondring" + strconv.Itoa(o.DB)}, nil
}

// tuned sets short timeouts and no retries: the callers retry.
func tuned(o *redis.Options) *redis.Options {
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = dialTimeout, callTimeout, callTimeout, callTimeout
	o.ContextTimeoutEnabled, o.MaxRetries, o.DialerRetries = true, -1, 1
	o.Protocol, o.DisableIdentity = 2, true // what a Redis before 7.2 supports
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return o
}

// Calls return their errors, so the library's own log on standard error is turned off.
func init() { redis.SetLogger(discardLogger{}) }

type discardLogger struct{}

// Printf implements the library's logger.
func (discardLogger) Printf(context.Context, string, ...any) {}
