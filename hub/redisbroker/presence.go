package redisbroker

import (
	"context"
	"slices"
	"strings"
	"time"

	"secondring/hub"
	"secondring/market"
)

// resubscribeTime is how long the nodes may take to notice an outage of Redis and to subscribe
// again.
const resubscribeTime = 10 * time.Second

// HasListenerWithin implements hub.Broker: Redis counts the subscribed nodes, and keeps
// a key for PresenceRetention after a node has unsubscribed.
func (b *Broker) HasListenerWithin(ctx context.Context, topic string, d time.Duration) (hasListener bool, err error) {
	s := b.shardOf(topic)
	if s.hasListener(topic) {
		return true, b.check(ctx)
	}
	err = b.guarded(ctx, func() error {
		if s.hasJustReconnected() {
			return errUnavailable
		}
		server, err := b.serverOf(ctx, s.epochKey)
		if err != nil {
			return err
		}
		channel := s.channel(topic)
		pipe := server.Pipeline()
		nodes, left := pipe.PubSubShardNumSub(ctx, channel), pipe.PTTL(ctx, s.leftKey(channel))
		if _, err := pipe.Exec(ctx); err != nil {
			return err
		}
		// The time to live is negative if the key does not exist.
		hasListener = nodes.Val()[channel] > 0 || left.Val() >= 0 && hub.PresenceRetention-left.Val() <= d
		return nil
	})
	return hasListener, err
}

func (s *shard) hasListener(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.topics[s.channel(name)] != nil
}

// markReconnected records that the connection was lost and is opened again.
func (s *shard) markReconnected() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reconnectedAt = market.Monotonic()
}

// hasJustReconnected reports whether other nodes may not have subscribed again.
func (s *shard) hasJustReconnected() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reconnectedAt != 0 && market.Monotonic()-s.reconnectedAt < resubscribeTime
}

func (s *shard) leftKey(channel string) string {
	return s.tag + "left:" + strings.TrimPrefix(channel, s.channel(""))
}

// storeLeftKeys stores which people's own topics this node is about to unsubscribe. It must be
// called before that, so that Redis always has the subscription or the key. If it fails, these
// people may get an email that they did not need.
func (s *shard) storeLeftKeys(channels []string) {
	prefix := s.channel(market.TopicMe(""))
	left := slices.DeleteFunc(slices.Clone(channels), func(channel string) bool { return !strings.HasPrefix(channel, prefix) })
	for part := range slices.Chunk(left, channelsPerCommand) {
		pipe := s.broker.client.Pipeline()
		for _, channel := range part {
			pipe.Set(s.broker.ctx, s.leftKey(channel), "", hub.PresenceRetention)
		}
		if _, err := pipe.Exec(s.broker.ctx); err != nil {
			s.broker.log.Warn("live: departed people not reported to Redis", "error", err)
			return
		}
	}
}
