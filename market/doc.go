// Package market is SecondRing's rules: who may do what to a phone, a booking,
// a person or a report, what follows from it, and who receives its events.
//
// It has no HTTP, SQL or sockets. It uses ports: Store keeps entities and their
// events, Publisher brings events to the live broker, Payments is the card provider,
// Clock tells the time.
//
// Start reading with entities.go, states.go and booking.go.
//
// Every change is one compare-and-set of one entity, stored together with its
// events. A use case that touches several entities orders its writes so that a
// crash between any two leaves work that the janitor (janitor.go) finds and
// finishes. No use case needs a transaction over two entities, so the store
// may be sharded.
package market
