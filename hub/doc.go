// Package hub pushes the market's events to open screens over WebSocket, as
// contract section 5 lays down: GET /live, topics with permissions, positions
// and resume, batched events, heartbeats, close codes.
//
// The way of an event, from the outbox to a screen:
//
//		Broker ──▶ feed ──▶ topic ──▶ sub ──▶ line ──▶ socket
//
//	  - a Broker (MemoryBroker, or redisbroker for many nodes) numbers and keeps it;
//	  - a feed receives one broker topic on this node, in order and without gaps;
//	  - a topic encodes it once and flushes all that waits as one ready frame;
//	  - a sub is one socket's place in a topic: joining, or in step;
//	  - a line writes without blocking and holds back what a slow socket left.
//
// Locks are taken in this order and never the other way: conn.access, then
// the broker's own, feed.mu, topic.mu, conn.mu, line.mu; Hub.mu is taken
// before conn.mu and after the broker's. No lock is held while a Broker is called, except
// conn.access, which only the socket's own reader and the control topic want.
package hub
