// Package market has SecondRing's rules: who may perform an action on a phone, a booking, a
// person or a report, what else the action changes, and who receives its events.
//
// A booking is a buyer's order of one phone: the entity Booking is the order, from the hold
// until it is settled who gets the money. The code says "booking" for its storage and for the
// time before the payment, and "order" for the time after it. A hold (Hold) reserves the phone
// for the booking. Product is a phone; the field Phone is a telephone number.
//
// The package has no HTTP, SQL or sockets. It uses ports, which other packages implement.
// Start reading with entities.go, states.go and booking.go. The files, by subject:
//
//   - market: market.go (Market, Rules), entities.go, actor.go (who calls), errors.go,
//     validation.go, id.go, views.go and order_views.go (what readers see)
//   - catalog: brands.go, products.go, product_update.go, product_removal.go, photos.go,
//     search.go, reports.go
//   - booking and waiting: booking.go, hold_release.go, states.go, waitlist.go
//   - conversations and offers: conversation.go, threads.go, message_rules.go, thread_reads.go,
//     thread_changes.go, thread_reports.go, offers.go, offer_answers.go, offer_bookings.go,
//     thread_upkeep.go
//   - payment: checkout.go, payment_outcome.go, refund.go, payment_checks.go, dispute.go, dispute_answer.go
//   - orders after the payment: orders.go, order_search.go, fulfilment.go, handover.go
//   - money: ledger.go, earnings.go, payouts.go, payout_accounts.go, payout_transfers.go,
//     books.go, reconcile.go and repair.go (comparison with the provider)
//   - people: people.go, verification.go, user_deletion.go,
//     data_export.go, removals.go (deletions, passwords and roles that a restore must
//     repeat), auditlog.go
//   - notifications: notices.go (texts), notifications.go, watching.go, announcement.go,
//     announcer.go, email_settings.go, emailer.go
//   - events: event.go, change_events.go
//   - what runs when nobody calls: background.go (the list), runner.go, jobs.go, relay.go, sweep.go,
//     purge.go, payment_checks.go, announcer.go, emailer.go
//   - ports: store.go, store_hook.go, payments.go;
//     Publisher in event.go, Pictures in photos.go
//   - package search: the query, its words, and corrections of them
//   - package texts: what people type, cleaned and checked
//   - helpers: each.go
//
// A use case checks a call in the order of the statuses 404, 403, 422 and 409, and returns the
// first error. Packages api/server and api/rest have checked the credentials (401) and the format
// (400) before.
//
// Every change is one compare-and-set of one entity, stored together with its events. A use
// case that changes several entities orders its writes so that the runner can find and finish
// them after a crash between any two. No use case needs a transaction over two entities, so
// the store may be sharded.
package market
