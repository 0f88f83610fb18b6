package hub

// maxHeldBytes bounds what waits for a socket that is joining a topic.
const maxHeldBytes = 4 << 20

// sub is one socket's place in a topic. While it joins, batches are held; once
// the history has been replayed they follow, less what the replay told.
type sub struct {
	conn  *conn
	topic *topic
	index int // in topic.subs, guarded by topic.mu

	// afterSeq is set before the sub is shared; the rest is guarded by conn.mu.
	afterSeq  uint64   // items up to here were queued before it joined
	after     Position // and events up to here are in the replay
	inStep    bool     // past both: batches pass as they are
	holding   bool
	held      []*batch
	heldBytes int
	gone      bool // unsubscribed: nothing more
}

// deliver writes a batch to the socket, in turn, and says whether the socket
// took it or will.
func (s *sub) deliver(b *batch) bool {
	c := s.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case s.gone || c.closing:
		return false
	case s.holding:
		s.held = append(s.held, b)
		if s.heldBytes += len(b.frame); s.heldBytes > maxHeldBytes {
			c.closeLocked(CloseTooSlow, reasonTooSlow)
		}
	default:
		s.pass(b)
	}
	return true
}

// pass sends the part of b that this sub has not been told. The caller holds
// conn.mu.
func (s *sub) pass(b *batch) {
	if !s.inStep {
		b = s.unseen(b)
		if b == nil {
			return
		}
		s.inStep = true
	}
	s.conn.sendLocked(b.frame)
	if s.topic.private && b.removed() {
		s.conn.farewellLocked()
	}
}

// unseen leaves out of b what came before the sub joined or was in the replay.
func (s *sub) unseen(b *batch) *batch {
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

// release ends the joining: what was held follows. The caller holds conn.mu.
func (s *sub) release() {
	s.holding = false
	held := s.held
	s.held, s.heldBytes = nil, 0
	for _, b := range held {
		s.pass(b)
	}
}
