// Package hub pushes the market's events to open screens over WebSocket: GET /live, topics
// with permissions, positions and resume, batched events, heartbeats, close codes.
//
// The path of an event from the outbox to a screen:
//
//	Broker ──▶ gaplessListener ──▶ topic ──▶ subscription ──▶ queuedConn ──▶ socket
//
// These are its stations:
//
//   - a Broker (MemoryBroker, or redisbroker for many nodes) numbers events and keeps the
//     latest ones;
//   - a gaplessListener receives one broker topic on this node, in order and without gaps;
//   - a topic encodes each event once, and sends all pending events in one frame;
//   - a subscription is one socket in one topic: it replays the history first, then it is live;
//   - a queuedConn writes without blocking, and queues frames for a slow socket.
//
// The two brokers differ in this:
//
//   - The topics of a MemoryBroker end with the process, so a restart begins new epochs. Its
//     calls fail only after Close, and a listener never gets a Gap. HistoryLimits.Total
//     bounds all histories together: above it, every topic loses the older half.
//   - The topics of redisbroker are those of all nodes, and outlive them. While Redis cannot
//     be reached, calls fail with market.CodeUnavailable, except Position, which returns the
//     last position known here. A listener gets a Gap after each new connection, because
//     Redis does not repeat what was published meanwhile. If Redis loses its state, the
//     topics get new epochs. Redis's own limit of memory bounds all histories together. For
//     ten seconds after a new connection HasListenerWithin fails, because other nodes may not
//     have subscribed again.
//
// Locks are acquired in this order only: conn.access, the broker's own, gaplessListener.mu,
// topic.mu, conn.mu, queuedConn.mu. Hub.mu is acquired after the broker's and before conn.mu.
// No lock is held while a Broker is called, except conn.access, which only the socket's own
// reader and the checks of its access lock.
package hub
