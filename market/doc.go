// Package market has SecondRing's rules: who may perform an action on a phone, a booking, a
// person or a report, what else the action changes, and who receives its events.
//
// It has no HTTP, SQL or sockets. It uses ports: Store stores entities and their events,
// Publisher publishes events to the live broker, Payments is the card provider,
// PayoutProvider pays the sellers, Clock returns the time.
//
// Start reading with entities.go, states.go and booking.go. fulfilment.go and orders.go
// handle an order after its payment; ledger.go and payouts.go handle its money. waitlist.go
// decides who gets a phone next. watching.go has watched phones and saved searches.
// notices.go makes the notifications of a change. announcer.go notifies those who watch,
// and emailer.go decides who gets an email, both some time after the change.
//
// Every change is one compare-and-set of one entity, stored together with its events. A use
// case that changes several entities orders its writes so that the janitor (janitor.go) can
// find and finish them after a crash between any two. No use case needs a transaction over
// two entities, so the store may be sharded.
package market
