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
// Redis loses what is published while a subscriber's connection breaks, and
// says nothing. So the listeners are told of a Gap whenever a connection has
// been renewed, and an offset that was skipped tells the hub by itself.
//
// Redis may also lose what it has stored: a restart brings back an older state
// or none, a failover to a replica too. None of them keeps the scripts that
// were loaded, so a server that does not know ours has begun a new life: the
// life is counted up before they are loaded again, and every topic that began
// in an earlier one gets a new epoch when it is next touched.
package redisbroker
