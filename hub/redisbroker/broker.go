package redisbroker

import (
	"context"
	"crypto/rand"
	"encoding/base64"
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

// generation is the least number of entities in one of the two generations of
// versions that a topic remembers.
const generation = 4096

// Options of a Broker.
type Options struct {
	// URL as REDIS_URL has it, see Open.
	URL string
	// Limits of each topic's history. It is kept whole until Age after its last event.
	Limits hub.HistoryLimits
	// Logger is told of lost connections; the default logger when left out.
	Logger *slog.Logger
}

// Broker is the hub.Broker of many nodes over one Redis. Make it with New.
type Broker struct {
	client redis.UniversalClient
	prefix string
	limits hub.HistoryLimits
	log    *slog.Logger
	gate   gate
	lanes  []*lane

	ctx    context.Context // of what runs by itself; ends with Close
	cancel context.CancelFunc
	wg     sync.WaitGroup

	closing sync.Once
}

var _ hub.Broker = (*Broker)(nil)

// New returns a broker ready for use, whether or not Redis can be reached now.
// It fails on a URL it cannot read. Close ends it.
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
	for i := range c.lanes {
		l := newLane(b, c.prefix, i)
		b.lanes = append(b.lanes, l)
		b.wg.Go(l.run)
	}
	b.wg.Go(b.keepTopics)
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

// Publish implements market.Publisher: all events in one round trip. It fails
// when any did; those that went out are then dropped as repeats.
func (b *Broker) Publish(ctx context.Context, events []market.Event) error {
	return b.ask(ctx, func() error {
		calls := make([]call, len(events))
		for i, e := range events {
			l := b.lane(e.Topic)
			calls[i] = call{
				lane: l, script: l.scripts.publish, keys: l.keys(e.Topic),
				args: []any{
					newEpoch(), b.limits.Idle.Milliseconds(), e.Entity, e.Version, encode(e),
					b.limits.Size, b.limits.Age.Milliseconds(), max(generation, b.limits.Size), b.limits.Bytes,
				},
			}
		}
		return b.run(ctx, calls)
	})
}

// nowhere is the position of who asked while nobody could say: in no history,
// so that beginning there means fetching the list again.
var nowhere = hub.Position{Epoch: "nowhere"}

// Position implements market.Positions. While Redis is away a topic that this
// node listens to answers where it stood: whoever begins there is told more
// than was missed, never less. Any other is nowhere, and the list is served.
func (b *Broker) Position(ctx context.Context, topic string) (string, error) {
	at, err := b.position(ctx, topic)
	if err != nil && ctx.Err() == nil && !errors.Is(err, hub.ErrClosed) {
		var heard bool
		if at, heard = b.lane(topic).stands(topic); !heard {
			at = nowhere
		}
		return at.String(), nil
	}
	return at.String(), err
}

// Ping says whether Redis answers; of a cluster, each of its servers.
func (b *Broker) Ping(ctx context.Context) error {
	return b.ask(ctx, func() error {
		if cluster, ok := b.client.(*redis.ClusterClient); ok {
			return cluster.ForEachMaster(ctx, func(ctx context.Context, c *redis.Client) error { return c.Ping(ctx).Err() })
		}
		return b.client.Ping(ctx).Err()
	})
}

// Client is the broker's own connections, for what else is to be kept in the
// same Redis under keys that begin with prefix. They end with the broker.
func (b *Broker) Client() (client redis.UniversalClient, prefix string) { return b.client, b.prefix }

func (b *Broker) position(ctx context.Context, topic string) (at hub.Position, err error) {
	l := b.lane(topic)
	err = b.ask(ctx, func() error {
		c := []call{{lane: l, script: l.scripts.position, keys: l.keys(topic)[:3], args: []any{newEpoch(), b.limits.Idle.Milliseconds()}}}
		if err := b.run(ctx, c); err != nil {
			return err
		}
		answer, err := c[0].answer.Slice()
		if err != nil {
			return err
		}
		at, err = positionIn(answer)
		return err
	})
	return at, err
}

// History implements hub.Broker.
func (b *Broker) History(ctx context.Context, topic string, since hub.Position) (h hub.History, err error) {
	l := b.lane(topic)
	err = b.ask(ctx, func() error {
		c := []call{{
			lane: l, script: l.scripts.history, keys: l.keys(topic)[:3],
			args: []any{newEpoch(), b.limits.Idle.Milliseconds(), since.Epoch, strconv.FormatUint(since.Offset, 10)},
		}}
		if err := b.run(ctx, c); err != nil {
			return err
		}
		answer, err := c[0].answer.Slice()
		if err != nil {
			return err
		}
		h, err = historyIn(answer, topic, since)
		return err
	})
	return h, err
}

// Subscribe implements hub.Broker.
func (b *Broker) Subscribe(ctx context.Context, topic string, l hub.Listener) (hub.Position, error) {
	if err := b.check(ctx); err != nil {
		return hub.Position{}, err
	}
	if b.gate.shut() {
		return hub.Position{}, errAway
	}
	lane := b.lane(topic)
	if err := lane.join(ctx, topic, l); err != nil {
		return hub.Position{}, err
	}
	at, err := b.position(ctx, topic)
	if err != nil {
		lane.leave(topic, l)
		return hub.Position{}, err
	}
	lane.stood(topic, at)
	return at, nil
}

// Unsubscribe implements hub.Broker.
func (b *Broker) Unsubscribe(_ context.Context, topic string, l hub.Listener) error {
	b.lane(topic).leave(topic, l)
	return nil
}

// lane returns the one a topic belongs to.
func (b *Broker) lane(topic string) *lane {
	if len(b.lanes) == 1 {
		return b.lanes[0]
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(topic))
	return b.lanes[hash.Sum32()%uint32(len(b.lanes))]
}

// keepTopics has Redis remember the topics that are listened to here, however
// long nothing happens in them.
func (b *Broker) keepTopics() {
	again := time.NewTicker(b.limits.Idle / 3)
	defer again.Stop()
	for {
		select {
		case <-b.ctx.Done():
			return
		case <-again.C:
		}
		for _, l := range b.lanes {
			if err := b.ask(b.ctx, func() error { return l.keepTopics(b.ctx) }); err != nil && b.ctx.Err() == nil {
				b.log.Warn("live: Redis could not be told which topics are in use", "err", err)
			}
		}
	}
}

// newEpoch returns 48 random bits in eight characters.
func newEpoch() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails, see crypto/rand
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Renew begins a new life: every topic gets a new epoch when it is next touched,
// so that all positions of before lead to fetching the list again.
func (b *Broker) Renew(ctx context.Context) error {
	return b.ask(ctx, func() error {
		for _, l := range b.lanes {
			server, err := b.serverOf(ctx, l.life)
			if err != nil {
				return err
			}
			if err := b.begin(ctx, server, l); err != nil {
				return err
			}
		}
		return nil
	})
}
