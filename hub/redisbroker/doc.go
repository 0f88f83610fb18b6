// Package redisbroker implements the hub's Broker over Redis 7: an event of any node
// reaches the listeners of all nodes.
//
// Redis stores these keys of each topic. They have one hash tag, so they are in one slot:
//
//	meta     hash: epoch; life, the value of the key "life" and Options.Content when the epoch began; top, the
//	         offset of the last event; bytes, an upper bound of the history's bytes
//	history  stream: entry N-0 is the event at offset N
//	young, old  hashes: the last version of each entity, in two generations
//	left     string, only of a person's own topic: it is empty, and exists for
//	         PresenceRetention after a node has unsubscribed (presence.go)
//
// and a sharded channel that new events are published on. A script numbers an
// event, puts it into the history and publishes it, in one step.
//
// Events that are published while a subscriber is disconnected are lost. So listeners
// get a Gap after each new connection, and the hub detects skipped offsets.
//
// Redis may also lose what it has stored: a restart or a failover to a replica may
// bring back an older state or none. Loaded scripts are lost in both cases, so the broker
// takes a server without our scripts for one that has lost its state. It raises a counter
// (the key "life" of each shard) when it loads the scripts again, and every topic that began
// before gets a new epoch when it is next used.
package redisbroker
