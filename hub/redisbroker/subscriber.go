package redisbroker

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"secondring/market"
)

var (
	errPingTimeout = errors.New("redisbroker: no answer to a ping")
	// errMoved is the error of a subscription that the server has ended, as it does when the channel's slot moves to
	// another server.
	errMoved = errors.New("redisbroker: a channel has moved")
)

// subscriber is one connection for subscriptions. The server replies in the
// order of the commands, so it is enough to count them.
type subscriber struct {
	pubsub       *redis.PubSub
	lastReceived atomic.Int64 // market.Monotonic of the last message from the server
	wg           sync.WaitGroup

	reading bool // belongs to the shard's goroutine

	// Guarded by the shard's mu.
	requested           map[string]bool // channels, by the commands that were sent
	pendingSubscribes   map[string]int  // number of expected replies to SSUBSCRIBE, by channel
	pendingUnsubscribes map[string]int  // number of expected replies to SUNSUBSCRIBE, by channel
}

func newSubscriber(p *redis.PubSub) *subscriber {
	return &subscriber{pubsub: p, requested: map[string]bool{}, pendingSubscribes: map[string]int{}, pendingUnsubscribes: map[string]int{}}
}

// isSubscribed reports whether the channel is subscribed and confirmed.
func (c *subscriber) isSubscribed(channel string) bool {
	return c.requested[channel] && c.pendingSubscribes[channel] == 0
}

// confirm counts a reply to SSUBSCRIBE and reports whether the channel is subscribed
// now.
func (c *subscriber) confirm(channel string) bool {
	if c.pendingSubscribes[channel]--; c.pendingSubscribes[channel] > 0 {
		return false
	}
	delete(c.pendingSubscribes, channel)
	return c.requested[channel]
}

// confirmUnsubscribe counts a reply to SUNSUBSCRIBE. It returns false if none was expected.
func (c *subscriber) confirmUnsubscribe(channel string) bool {
	if c.pendingUnsubscribes[channel] == 0 {
		return false
	}
	if c.pendingUnsubscribes[channel]--; c.pendingUnsubscribes[channel] == 0 {
		delete(c.pendingUnsubscribes, channel)
	}
	return true
}

// check pings a server that has sent nothing for a while, and returns an error if it does not
// answer.
func (c *subscriber) check(ctx context.Context) error {
	if !c.reading {
		return nil
	}
	switch idle := market.Monotonic() - time.Duration(c.lastReceived.Load()); {
	case idle >= readTimeout:
		return errPingTimeout
	case idle >= pingInterval:
		return c.pubsub.Ping(ctx)
	}
	return nil
}

// sync subscribes and unsubscribes the channels that have changed since the last call.
func (s *shard) sync(c *subscriber) error {
	join, leave := s.changes(c)
	s.storeLeftKeys(leave)
	for part := range slices.Chunk(leave, channelsPerCommand) {
		if err := c.pubsub.SUnsubscribe(s.broker.ctx, part...); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(join, channelsPerCommand) {
		if err := c.pubsub.SSubscribe(s.broker.ctx, part...); err != nil {
			return err
		}
	}
	return nil
}

func (s *shard) changes(c *subscriber) (join, leave []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for channel := range s.changed {
		hasListeners := s.topics[channel] != nil
		switch {
		case hasListeners && !c.requested[channel]:
			c.requested[channel] = true
			c.pendingSubscribes[channel]++
			join = append(join, channel)
		case !hasListeners && c.requested[channel]:
			delete(c.requested, channel)
			c.pendingUnsubscribes[channel]++
			leave = append(leave, channel)
		}
	}
	clear(s.changed)
	return join, leave
}
