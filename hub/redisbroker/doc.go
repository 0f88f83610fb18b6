// Package redisbroker is the hub's Broker over Redis 7: events of any node
// reach the listeners of all.
//
// Of each topic Redis keeps, all with one hash tag and so in one slot:
//
//	meta     hash: the epoch, the life it began in, the offset of the last event
//	history  stream: entry N-0 is the event at offset N
//	young, old  hashes: the last version of each entity, in two generations
//
// and a sharded channel that new events are published on. A script numbers an
// event, puts it into the history and publishes it, in one step.
//
// What is published while a subscriber's connection is broken is lost. So listeners
// hear of a Gap after each new connection, and the hub notices skipped offsets.
//
// Redis may also lose what it has stored: a restart or a failover to a replica may
// bring back an older state or none. Neither keeps loaded scripts, so a server that
// does not know our scripts has lost its state. Then a counter is raised before the
// scripts are loaded again (the key "life" of each shard), and every topic that
// began before gets a new epoch when it is next used.
package redisbroker
