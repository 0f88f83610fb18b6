package redisbroker

import (
	"context"
	"errors"
	"hash/fnv"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"secondring/hub"
	"secondring/market"
)

// minVersions is the least number of entities in each of the two generations of versions
// that Redis keeps of a topic.
const minVersions = 4096

// Options are the settings of a Broker.
type Options struct {
	// URL is the value of REDIS_URL, see Open.
	URL string
	// Limits of each topic's history. It is kept whole until Age after its last event.
	Limits hub.HistoryLimits
	// Content names what the events contain, if that depends on a setting. A topic that had events of
	// other content begins a new epoch when it is next used. All nodes must have the same.
	Content string
	// Logger logs lost connections; nil is the default logger.
	Logger *slog.Logger
}

// Broker is the hub.Broker of many nodes over one Redis. New creates one.
type Broker struct {
	client  redis.UniversalClient
	prefix  string
	limits  hub.HistoryLimits
	log     *slog.Logger
	breaker circuitBreaker
	shards  []*shard

	ctx    context.Context // of the background goroutines; ends with Close
	cancel context.CancelFunc
	wg     sync.WaitGroup

	closing sync.Once
}

var _ hub.Broker = (*Broker)(nil)

// New returns a broker ready for use, whether or not Redis can be reached now.
// It returns an error for an invalid URL. Close releases its resources.
func New(o Options) (*Broker, error) {
	c, err := Open(o.URL)
	if err != nil {
		return nil, err
	}
	b := &Broker{client: c.client, prefix: c.prefix, limits: o.Limits.WithDefaults(), log: o.Logger}
	if b.log == nil {
		b.log = slog.Default()
	}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	for i := range c.shards {
		s := newShard(b, c.prefix, o.Content, i)
		b.shards = append(b.shards, s)
		b.wg.Go(s.run)
	}
	b.wg.Go(b.extendTopicExpiry)
	return b, nil
}

// Close implements hub.Broker.
func (b *Broker) Close() error {
	var err error
	b.closing.Do(func() {
		b.cancel()
		b.wg.Wait()
		err = b.client.Close()
	})
	return err
}

// Publish implements market.Publisher: all events in one round trip. It fails if any of them
// failed. When they are published again, those that were published are dropped as repeats,
// except events without an Entity, which are published twice.
func (b *Broker) Publish(ctx context.Context, events []market.Event) error {
	return b.guarded(ctx, func() error {
		calls := make([]call, len(events))
		for i, e := range events {
			s := b.shardOf(e.Topic)
			calls[i] = call{
				shard: s, script: s.scripts.publish, keys: s.keys(e.Topic),
				args: []any{
					hub.RandomID(), b.limits.Idle.Milliseconds(), e.Entity, e.Version, encode(e),
					b.limits.Size, b.limits.Age.Milliseconds(), max(minVersions, b.limits.Size), b.limits.Bytes,
				},
			}
		}
		return b.run(ctx, calls)
	})
}

// unknownPosition is the position while Redis cannot be reached. It is in no history, so a
// client that resumes from it reads the list again.
var unknownPosition = hub.Position{Epoch: "nowhere"}

// Position implements market.Positions. While Redis cannot be
// reached, it returns the last known position of a topic with listeners on this
// node: a client that resumes from it receives more than it has missed, never less. For
// any other topic it returns unknownPosition.
func (b *Broker) Position(ctx context.Context, topic string) (string, error) {
	at, err := b.position(ctx, topic)
	if err != nil && ctx.Err() == nil && !errors.Is(err, hub.ErrClosed) {
		var known bool
		if at, known = b.shardOf(topic).position(topic); !known {
			at = unknownPosition
		}
		return at.String(), nil
	}
	return at.String(), err
}

// Ping returns an error if Redis does not answer; in a cluster, if any master does not.
func (b *Broker) Ping(ctx context.Context) error {
	return b.guarded(ctx, func() error {
		if cluster, ok := b.client.(*redis.ClusterClient); ok {
			return cluster.ForEachMaster(ctx, func(ctx context.Context, c *redis.Client) error { return c.Ping(ctx).Err() })
		}
		return b.client.Ping(ctx).Err()
	})
}

// Client returns the broker's own client, for other data in the same Redis, whose keys
// must begin with prefix. It is closed with the broker.
func (b *Broker) Client() (client redis.UniversalClient, prefix string) { return b.client, b.prefix }

func (b *Broker) position(ctx context.Context, topic string) (at hub.Position, err error) {
	s := b.shardOf(topic)
	err = b.guarded(ctx, func() error {
		c := []call{{shard: s, script: s.scripts.position, keys: s.keys(topic)[:3], args: []any{hub.RandomID(), b.limits.Idle.Milliseconds()}}}
		if err := b.run(ctx, c); err != nil {
			return err
		}
		reply, err := c[0].reply.Slice()
		if err != nil {
			return err
		}
		at, err = positionIn(reply)
		return err
	})
	return at, err
}

// History implements hub.Broker.
func (b *Broker) History(ctx context.Context, topic string, since hub.Position) (h hub.History, err error) {
	s := b.shardOf(topic)
	err = b.guarded(ctx, func() error {
		c := []call{{
			shard: s, script: s.scripts.history, keys: s.keys(topic)[:3],
			args: []any{hub.RandomID(), b.limits.Idle.Milliseconds(), since.Epoch, strconv.FormatUint(since.Offset, 10)},
		}}
		if err := b.run(ctx, c); err != nil {
			return err
		}
		reply, err := c[0].reply.Slice()
		if err != nil {
			return err
		}
		h, err = historyIn(reply, topic, since)
		return err
	})
	return h, err
}

// Subscribe implements hub.Broker.
func (b *Broker) Subscribe(ctx context.Context, topic string, l hub.Listener) (hub.Position, error) {
	if err := b.check(ctx); err != nil {
		return hub.Position{}, err
	}
	if b.breaker.isOpen() {
		return hub.Position{}, errUnavailable
	}
	s := b.shardOf(topic)
	if err := s.addListener(ctx, topic, l); err != nil {
		return hub.Position{}, err
	}
	at, err := b.position(ctx, topic)
	if err != nil {
		s.removeListener(topic, l)
		return hub.Position{}, err
	}
	s.setPosition(topic, at)
	return at, nil
}

// Unsubscribe implements hub.Broker.
func (b *Broker) Unsubscribe(_ context.Context, topic string, l hub.Listener) error {
	b.shardOf(topic).removeListener(topic, l)
	return nil
}

// shardOf returns the shard of a topic.
func (b *Broker) shardOf(topic string) *shard {
	if len(b.shards) == 1 {
		return b.shards[0]
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(topic))
	return b.shards[hash.Sum32()%uint32(len(b.shards))]
}

// extendTopicExpiry extends the expiry of the topics that have listeners on this node, so that a quiet
// topic does not expire.
func (b *Broker) extendTopicExpiry() {
	tick := time.NewTicker(b.limits.Idle / 3)
	defer tick.Stop()
	for {
		select {
		case <-b.ctx.Done():
			return
		case <-tick.C:
		}
		for _, s := range b.shards {
			if err := b.guarded(b.ctx, func() error { return s.extendTopicExpiry(b.ctx) }); err != nil && b.ctx.Err() == nil {
				b.log.Warn("live: expiry of the topics in use not extended", "error", err)
			}
		}
	}
}

// BeginEpochs starts new epochs: every topic gets one when it is next used, so all earlier
// positions lead to a resync.
func (b *Broker) BeginEpochs(ctx context.Context) error {
	return b.guarded(ctx, func() error {
		for _, s := range b.shards {
			server, err := b.serverOf(ctx, s.epochKey)
			if err != nil {
				return err
			}
			if err := b.beginEpoch(ctx, server, s); err != nil {
				return err
			}
		}
		return nil
	})
}
