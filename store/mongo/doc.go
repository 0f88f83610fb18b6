// Package mongo implements market.Store over a server that speaks MongoDB's
// protocol: a replica set or a sharded cluster. Several nodes may use it at once.
//
// The server must support single-document updates and unique indexes, and nothing
// else: no transactions, no change streams, no collations.
//
// An entity is one document: the entity, its search keys, its version, and its
// unpublished events. So a change and its events are one write. Each write has a
// timestamp of its own, by which a repeated write detects that its first attempt had
// succeeded and only the response was lost.
//
// Start with document.go (how an entity is stored and changed), then
//
//	query.go        reading one entity, lists and pages
//	retry.go        repeated attempts while the server is unavailable
//	hlc.go          timestamps: a hybrid logical clock
//	outbox.go       unpublished events, in order
//	pending_ops.go  changes of several documents
//	schema.go       indexes and the schema's version
//	count_cache.go  cached totals of long lists
//	search.go       search
//	move.go         migration from and to SQLite
//
// docs/adr/0010-mongodb.md has the reasons, the shard keys and the cost of queries.
package mongo
