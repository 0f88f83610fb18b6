package hub

// maxHeldBytes limits the events that wait for a socket that is joining a topic.
const maxHeldBytes = 4 << 20

// subscription is one socket in one topic. While the socket catches up from the
// history, batches are held; afterwards they follow, without the events that were
// in the replay.
type subscription struct {
	conn  *conn
	topic *topic
	index int // in topic.subs, guarded by topic.mu

	// afterSeq is set before the subscription is shared; the rest is guarded by conn.mu.
	afterSeq  uint64   // items up to this were queued before it joined
	after     Position // events up to this are in the replay
	live      bool     // past both: batches are sent as they are
	holding   bool
	held      []*batch
	heldBytes int
	ended     bool // unsubscribed: nothing more is sent
}

// deliver sends a batch to the socket, or holds it. It returns false if the
// subscription has ended or the socket is closing.
func (s *subscription) deliver(b *batch) bool {
	c := s.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case s.ended || c.closing:
		return false
	case s.holding:
		s.held = append(s.held, b)
		if s.heldBytes += len(b.frame); s.heldBytes > maxHeldBytes {
			c.closeLocked(CloseTooSlow, reasonTooSlow)
		}
	default:
		s.send(b)
	}
	return true
}

// send sends the part of b that the socket does not have yet. The caller holds
// conn.mu.
func (s *subscription) send(b *batch) {
	if !s.live {
		b = s.unseen(b)
		if b == nil {
			return
		}
		s.live = true
	}
	s.conn.sendLocked(b.frame)
	if s.topic.private && b.removed() {
		s.conn.markRemovalSentLocked()
	}
}

// unseen returns b without the items from before the subscription or in the replay, or nil
// if none is left.
func (s *subscription) unseen(b *batch) *batch {
	for i, it := range b.items {
		if it.seq <= s.afterSeq || s.after.Covers(it.at) {
			continue
		}
		if i == 0 {
			return b
		}
		return newBatch(b.items[i:])
	}
	return nil
}

// sendHeld sends the held batches. The caller holds conn.mu.
func (s *subscription) sendHeld() {
	s.holding = false
	held := s.held
	s.held, s.heldBytes = nil, 0
	for _, b := range held {
		s.send(b)
	}
}
