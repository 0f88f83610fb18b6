// Package market has SecondRing's rules: who may perform an action on a phone, a booking,
// a person or a report, what else the action changes, and who receives its events.
//
// It has no HTTP, SQL or sockets. It uses ports: Store stores entities and their
// events, Publisher publishes events to the live broker, Payments is the card provider and
// PayoutProvider pays the sellers, Clock returns the time.
//
// Start reading with entities.go, states.go and booking.go. What happens to an order after its
// payment is in fulfilment.go and orders.go, its money in ledger.go and payouts.go. waitlist.go
// has who gets a phone next, watching.go watched phones and saved searches. notices.go makes the
// notifications of a change. announcer.go tells those who watch, and emailer.go decides who
// gets an email, both some time after the change.
//
// Every change is one compare-and-set of one entity, stored together with its
// events. A use case that touches several entities orders its writes so that a
// crash between any two leaves work that the janitor (janitor.go) finds and
// finishes. No use case needs a transaction over two entities, so the store
// may be sharded.
package market
