// Package hub pushes the market's events to open screens over WebSocket, as
// contract section 5 defines: GET /live, topics with permissions, positions
// and resume, batched events, heartbeats, close codes.
//
// The path of an event from the outbox to a screen:
//
//		Broker ──▶ gaplessListener ──▶ topic ──▶ subscription ──▶ queuedConn ──▶ socket
//
//	  - a Broker (MemoryBroker, or redisbroker for many nodes) numbers events and keeps the last of them;
//	  - a gaplessListener receives one broker topic on this node, in order and without gaps;
//	  - a topic encodes each event once, and sends all pending events in one frame;
//	  - a subscription is one socket in one topic: it replays the history first, then it is live;
//	  - a queuedConn writes without blocking, and queues frames for a slow socket.
//
// Locks are taken in this order and never the other way: conn.access, then
// the broker's own, gaplessListener.mu, topic.mu, conn.mu, queuedConn.mu; Hub.mu is taken
// before conn.mu and after the broker's. No lock is held while a Broker is called, except
// conn.access, which only the socket's own reader and the control topic lock.
package hub
