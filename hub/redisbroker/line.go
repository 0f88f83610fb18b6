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
	// errMoved: the server gave a channel up, as it does when its slot goes to another.
	errMoved = errors.New("redisbroker: a channel has moved")
)

// line is one connection that listens. The answers to its commands come in the
// order of the commands, so it is enough to count them.
type line struct {
	pubsub *redis.PubSub
	heard  atomic.Int64 // of market.Uptime, when the server last said something
	wg     sync.WaitGroup

	reading bool // of the lane's own goroutine

	// Guarded by the lane's mu.
	sent     map[string]bool // channels, by the commands that were sent
	awaiting map[string]int  // answers to SSUBSCRIBE to come, by channel
	leaving  map[string]int  // answers to SUNSUBSCRIBE to come, by channel
}

func newLine(p *redis.PubSub) *line {
	return &line{pubsub: p, sent: map[string]bool{}, awaiting: map[string]int{}, leaving: map[string]int{}}
}

// has says that the channel is subscribed, whatever comes of it later.
func (n *line) has(channel string) bool { return n.sent[channel] && n.awaiting[channel] == 0 }

// confirm takes an answer to SSUBSCRIBE, and says whether the channel is
// subscribed from now on.
func (n *line) confirm(channel string) bool {
	if n.awaiting[channel]--; n.awaiting[channel] > 0 {
		return false
	}
	delete(n.awaiting, channel)
	return n.sent[channel]
}

// confirmLeft takes an answer to SUNSUBSCRIBE. False: nobody asked for it.
func (n *line) confirmLeft(channel string) bool {
	if n.leaving[channel] == 0 {
		return false
	}
	if n.leaving[channel]--; n.leaving[channel] == 0 {
		delete(n.leaving, channel)
	}
	return true
}

// check asks a server that has been silent, and gives up one that stays so.
func (n *line) check(ctx context.Context) error {
	if !n.reading {
		return nil
	}
	switch quiet := market.Uptime() - time.Duration(n.heard.Load()); {
	case quiet >= silence:
		return errSilent
	case quiet >= pingEvery:
		return n.pubsub.Ping(ctx)
	}
	return nil
}

// sync sends what has changed since the last time, leaving before joining, and
// begins to read with the first channel.
func (l *lane) sync(n *line) error {
	join, leave := l.changes(n)
	for part := range slices.Chunk(leave, perCommand) {
		if err := n.pubsub.SUnsubscribe(l.broker.ctx, part...); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(join, perCommand) {
		if err := n.pubsub.SSubscribe(l.broker.ctx, part...); err != nil {
			return err
		}
	}
	return nil
}

func (l *lane) changes(n *line) (join, leave []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for channel := range l.changed {
		wanted := l.topics[channel] != nil
		switch {
		case wanted && !n.sent[channel]:
			n.sent[channel] = true
			n.awaiting[channel]++
			join = append(join, channel)
		case !wanted && n.sent[channel]:
			delete(n.sent, channel)
			n.leaving[channel]++
			leave = append(leave, channel)
		}
	}
	clear(l.changed)
	return join, leave
}
