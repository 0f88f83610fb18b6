package hub

import (
	"context"
	"maps"
	"slices"

	"secondring/market"
)

// handleFrame handles a client frame: the token first, because the rest depends on it.
func (c *conn) handleFrame(f clientFrame) {
	c.access.Lock()
	defer c.access.Unlock()
	if f.Token != nil {
		c.renewToken(*f.Token)
	}
	for _, wireTopic := range f.Unsubscribe {
		c.unsubscribe(wireTopic)
	}
	if len(f.Subscribe) > 0 {
		c.subscribe(f.Subscribe)
	}
}

// subscribe decides on each topic, joins those allowed, and replays the
// events since the given positions. The caller holds access.
func (c *conn) subscribe(requested map[string]string) {
	if c.countTopicsWith(requested) > c.hub.cfg.Limits.Topics {
		c.close(CloseLimit, reasonTopics)
		return
	}
	var joins []*pendingSubscription
	var denied []string
	remaining := maxReplayBytes
	for _, wireTopic := range slices.Sorted(maps.Keys(requested)) {
		brokerTopic, ok, err := c.authorize(wireTopic)
		if err != nil {
			c.closeForRetry("authorize", wireTopic, err)
			break
		}
		if !ok {
			denied = append(denied, wireTopic)
			c.unsubscribe(wireTopic)
			continue
		}
		j, err := c.join(topicKey{wireTopic, brokerTopic}, requested[wireTopic], &remaining)
		if err != nil {
			c.closeForRetry("subscribe", wireTopic, err)
			break
		}
		joins = append(joins, j)
	}
	c.startSubscriptions(joins, denied)
}

// countTopicsWith returns the number of topics after the requested ones are added.
func (c *conn) countTopicsWith(requested map[string]string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(requested)
	for _, s := range c.subs {
		if _, subscribed := requested[s.topic.key.wire]; !subscribed {
			n++
		}
	}
	return n
}

func (c *conn) authorize(wireTopic string) (brokerTopic string, ok bool, err error) {
	ctx, cancel := context.WithTimeout(c.hub.ctx, authTimeout)
	defer cancel()
	c.mu.Lock()
	v := c.viewer
	c.mu.Unlock()
	brokerTopic, ok, err = c.hub.cfg.Authorize(ctx, v, wireTopic)
	return brokerTopic, ok && brokerTopic != market.TopicControl, err
}

// closeForRetry closes a socket after a temporary error; the client may connect again.
func (c *conn) closeForRetry(operation, wireTopic string, err error) {
	if c.hub.ctx.Err() == nil {
		c.hub.log.Warn("live: subscribe failed", "asked", operation, "socket", c.id, "topic", wireTopic, "error", err)
	}
	c.close(CloseRestarting, reasonTryAgain)
}

// pendingSubscription is a subscription between its join and its first frame.
type pendingSubscription struct {
	sub    *subscription
	at     Position // in force
	missed [][]byte // events after at, encoded
	resync bool
}

// joinNow subscribes to the topic from now on, in place of an earlier subscription
// of that name.
func (c *conn) joinNow(key topicKey) (*pendingSubscription, error) {
	t, err := c.hub.acquireTopic(key)
	if err != nil {
		return nil, err
	}
	c.unsubscribe(key.wire) // after the new one, so that the topic is not closed if it is the same
	s := &subscription{conn: c, topic: t, holding: true}
	j := &pendingSubscription{sub: s, at: t.addSubscription(s)}
	c.mu.Lock()
	c.subs = append(c.subs, s)
	c.mu.Unlock()
	return j, nil
}

// join subscribes to the topic first and reads the history then, so that no event is missed
// between the two; events that come twice are dropped by offset. remaining is how many
// bytes the response may still replay.
func (c *conn) join(key topicKey, since string, remaining *int) (*pendingSubscription, error) {
	j, err := c.joinNow(key)
	if err != nil || since == "" {
		return j, err
	}
	from, err := ParsePosition(since)
	if err != nil {
		j.resync = true
		return j, nil
	}
	if from == j.at {
		return j, nil
	}
	limitKey := c.replayKey()
	if c.hub.replays.isExhausted(limitKey) {
		j.resync = true
		return j, nil
	}
	ctx, cancel := context.WithTimeout(c.hub.ctx, brokerTimeout)
	defer cancel()
	h, err := c.hub.cfg.Broker.History(ctx, key.broker, from)
	if err != nil {
		return nil, err
	}
	size := h.bytes()
	if allowed := c.hub.replays.count(limitKey, size); allowed && size <= *remaining {
		*remaining -= size
	} else {
		h.Complete, h.Entries = false, nil // reading the list again is cheaper
	}
	j.replay(from, h)
	return j, nil
}

// bytes returns the approximate size of a replay of the history.
func (h History) bytes() (size int) {
	for _, e := range h.Entries {
		size += len(e.Event.Data) + frameOverhead
	}
	return size
}

// replayKey returns the key by which replays are counted: a person, or a visitor's address.
func (c *conn) replayKey() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.viewer.UID != "" {
		return "person:" + c.viewer.UID
	}
	return "address:" + c.address
}

// replay adds the events of the history. They may reach further than this node has
// received so far: those events come again and are dropped.
func (j *pendingSubscription) replay(from Position, h History) {
	if !h.Complete {
		j.resync = true
		j.sub.after = h.Top
		j.at = h.Top
		return
	}
	j.at = from
	j.sub.after = h.Top
	for _, e := range h.Entries {
		j.missed = append(j.missed, encodeEvent(j.sub.topic.key.wire, e.Position, e.Event))
	}
}

// startSubscriptions sends which topics are denied and which are subscribed, then for each
// topic the missed events and the events that arrived since.
func (c *conn) startSubscriptions(joins []*pendingSubscription, denied []string) {
	c.sendSubscribed(joins, denied)
	for _, j := range joins {
		c.sendMissed(j.missed)
		c.mu.Lock()
		j.sub.sendHeld()
		c.mu.Unlock()
	}
}

func (c *conn) sendSubscribed(joins []*pendingSubscription, denied []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(denied) > 0 {
		c.sendLocked(serverFrame{Denied: denied}.encode())
	}
	if len(joins) == 0 {
		return
	}
	positions := map[string]string{}
	var resync []string
	for _, j := range joins {
		wireTopic := j.sub.topic.key.wire
		positions[wireTopic] = j.at.String()
		if j.resync {
			resync = append(resync, wireTopic)
		}
	}
	c.sendLocked(serverFrame{Subscribed: positions}.encode())
	if len(resync) > 0 {
		c.hub.stats.resyncs.Add(int64(len(resync)))
		c.sendLocked(serverFrame{Resync: resync}.encode())
	}
}

// sendMissed writes encoded events in frames of at most maxBatchBytes, each
// after the one before was sent: a long replay must not count as a slow socket.
func (c *conn) sendMissed(events [][]byte) {
	c.hub.stats.deliveries.Add(int64(len(events)))
	for len(events) > 0 {
		size, n := 0, 0
		for n < len(events) && (n == 0 || size+len(events[n]) <= maxBatchBytes) {
			size += len(events[n])
			n++
		}
		c.out.wait()
		c.mu.Lock()
		c.sendLocked(eventsFrame(events[:n]))
		closing := c.closing
		c.mu.Unlock()
		if closing {
			return
		}
		events = events[n:]
	}
}

// unsubscribe ends the subscription of a topic, if there is one.
func (c *conn) unsubscribe(wireTopic string) {
	c.mu.Lock()
	i := slices.IndexFunc(c.subs, func(s *subscription) bool { return s.topic.key.wire == wireTopic })
	if i < 0 {
		c.mu.Unlock()
		return
	}
	s := c.subs[i]
	s.ended = true
	c.subs = slices.Delete(c.subs, i, i+1)
	c.mu.Unlock()
	s.leaveTopic()
}

// leaveTopic removes the subscription from its topic.
func (s *subscription) leaveTopic() {
	s.topic.removeSubscription(s)
	s.topic.hub.releaseTopic(s.topic)
}
