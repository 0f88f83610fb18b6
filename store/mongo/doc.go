// Package mongo is the engine for many machines: market.Store over a server that
// speaks MongoDB's protocol, a replica set or a sharded cluster of it.
//
// It asks little of that server, and so runs on others that speak the protocol:
// single documents that are changed whole or not at all, unique indexes, and
// nothing else. No transactions, no change streams, no collations.
//
// An entity is one document (document.go): itself, what it is found by, its
// version, and the events that nobody has published yet. So a change and its
// events are one write. Every write carries a place of its own (clock.go), by
// which it knows itself again when it is tried a second time and its first try
// had only lost the answer (try.go).
//
// docs/adr/0010-mongodb.md says why, by which key each collection is sharded,
// and what each query costs then.
package mongo
