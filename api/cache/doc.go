// Package cache keeps what was read of the store until it may have changed. The
// server has two caches: encoded responses (package api) and access tokens (package
// identity).
//
// The rules:
//
//  1. An entry names the subjects that it depends on: topics of events, Brands,
//     Phones, Person or Session. Versions counts the changes of each subject.
//  2. A write counts its subjects after it is done and before its caller hears of it
//     (Versions.StoreHook). An event counts its topic before it is published
//     (Versions.Published). So nobody who was told of a change is given an entry from
//     before it.
//  3. The versions are noted before the read, and an entry is used while they are
//     the same. A change during the read makes the entry useless, not wrong.
//  4. The command line may write beside the server. The server looks for that all the
//     time, and counts a change of everything.
//  5. Writes of other nodes are heard too late. A server with other nodes keeps nothing.
//  6. Callers who want the same entry at the same moment share one read, which begins
//     after each of them has asked.
//  7. A cache has a bounded number of entries. The least recently used one goes first.
package cache
