// Package market is SecondRing's rules: who may do what to a phone, a booking,
// a person or a report, what follows from it, and who is told.
//
// It knows nothing of HTTP, SQL or sockets. What it needs from outside it asks
// of ports: Store keeps entities and their events, Publisher takes events to
// the live broker, Clock tells the time.
//
// Every change is one compare-and-set of one entity, stored together with its
// events. A use case that touches several entities orders its writes so that a
// crash between any two leaves something the upkeep (upkeep.go) finds and
// finishes. No use case needs a transaction over two entities, so the store
// may be sharded.
package market
