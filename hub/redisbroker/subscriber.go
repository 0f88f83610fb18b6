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
	errSilent = errors.New("redisbroker: no answer to a ping")
	// errMoved: the server has ended a subscription, as it does when the channel's slot moves to
	// another server.
	errMoved = errors.New("redisbroker: a channel has moved")
)

// subscriber is one connection for subscriptions. The answers to its commands come in
// the order of the commands, so it is enough to count them.
type subscriber struct {
	pubsub    *redis.PubSub
	lastReceived atomic.Int64 // market.Monotonic of the last message from the server
	wg        sync.WaitGroup

	reading bool // belongs to the shard's goroutine

	// Guarded by the shard's mu.
	sent     map[string]bool // channels, by the commands that were sent
	awaiting map[string]int  // answers to SSUBSCRIBE to come, by channel
	leaving  map[string]int  // answers to SUNSUBSCRIBE to come, by channel
}

func newSubscriber(p *redis.PubSub) *subscriber {
	return &subscriber{pubsub: p, sent: map[string]bool{}, awaiting: map[string]int{}, leaving: map[string]int{}}
}

// has tells whether the channel is subscribed and confirmed.
func (c *subscriber) has(channel string) bool { return c.sent[channel] && c.awaiting[channel] == 0 }

// confirm counts an answer to SSUBSCRIBE and tells whether the channel is subscribed
// now.
func (c *subscriber) confirm(channel string) bool {
	if c.awaiting[channel]--; c.awaiting[channel] > 0 {
		return false
	}
	delete(c.awaiting, channel)
	return c.sent[channel]
}

// confirmLeft counts an answer to SUNSUBSCRIBE. It returns false if none was expected.
func (c *subscriber) confirmLeft(channel string) bool {
	if c.leaving[channel] == 0 {
		return false
	}
	if c.leaving[channel]--; c.leaving[channel] == 0 {
		delete(c.leaving, channel)
	}
	return true
}

// check pings a server that has sent nothing for a while, and returns an error if it does not
// answer.
func (c *subscriber) check(ctx context.Context) error {
	if !c.reading {
		return nil
	}
	switch quiet := market.Monotonic() - time.Duration(c.lastReceived.Load()); {
	case quiet >= silence:
		return errSilent
	case quiet >= pingEvery:
		return c.pubsub.Ping(ctx)
	}
	return nil
}

// sync unsubscribes and subscribes what has changed since the last time.
func (s *shard) sync(c *subscriber) error {
	join, leave := s.changes(c)
	s.noteLeft(leave)
	for part := range slices.Chunk(leave, perCommand) {
		if err := c.pubsub.SUnsubscribe(s.broker.ctx, part...); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(join, perCommand) {
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
		wanted := s.topics[channel] != nil
		switch {
		case wanted && !c.sent[channel]:
			c.sent[channel] = true
			c.awaiting[channel]++
			join = append(join, channel)
		case !wanted && c.sent[channel]:
			delete(c.sent, channel)
			c.leaving[channel]++
			leave = append(leave, channel)
		}
	}
	clear(s.changed)
	return join, leave
}
