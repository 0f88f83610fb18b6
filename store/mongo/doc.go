// Package mongo is the engine for many nodes, over a server that speaks MongoDB's protocol: a
// replica set or a sharded cluster. Several nodes may use it at once.
//
// The server must support single-document updates and unique indexes, and nothing
// else: no transactions, no change streams, no collations.
//
// A document of the store is one document of the server: the entity as JSON, its keys, its
// version, and its unpublished events. So a change and its events are one write. Each write has a
// timestamp of its own, by which a repeated write detects that its first attempt had
// succeeded and only the response was lost.
//
// Start with write.go (how a document is stored and changed), then
//
//	find.go         documents by ID, lists, sums
//	retry.go        repeated attempts while the server is unavailable
//	hlc.go          timestamps: a hybrid logical clock
//	outbox.go       unpublished events, in order
//	schema.go       indexes, and the format of the database
//	count_cache.go  cached totals of long lists
//	search.go       search
//	gridfs.go       images
//
// docs/adr/0010-mongodb.md has the reasons, the shard keys and the cost of queries.
package mongo
