// Package cache keeps results of store reads until the data may have changed. The server
// has two caches: encoded responses (package api) and access tokens (package identity).
//
// The rules:
//
//  1. An entry names the subjects that it depends on: topics of events, Brands,
//     Phones, Person or Session. Versions counts the changes of each subject.
//  2. A write counts its subjects after it is done and before it returns to its caller
//     (Versions.StoreHook). An event counts its topic before it is published
//     (Versions.Published). So a caller who has seen a change never gets an entry from
//     before it.
//  3. The versions of its subjects are noted before the read, and an entry is valid as long
//     as they have not changed, for MaxAge at most. After a change during the read the
//     entry is never used. MaxAge limits how long an entry stays wrong if a change was not
//     counted.
//  4. The command line may write to the store of a running server. The server polls for
//     that, and counts a change of everything.
//  5. Writes of other nodes become known too late. A server with other nodes caches nothing.
//  6. Concurrent callers of the same entry share one read, which begins after
//     each of their calls.
//  7. A cache has a limited number of entries. The least recently used one is evicted first.
package cache
