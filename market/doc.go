// Package market has SecondRing's rules: who may perform an action on a phone, a booking, a
// person or a report, what else the action changes, and who receives its events.
//
// A booking is a buyer's order of one phone: the entity Booking is the order, from the hold
// until it is settled who gets the money. The code says "booking" for its storage and for the
// time before the payment, and "order" for the time after it. A hold (Hold) reserves the phone
// for the booking. Product is a phone; the field Phone is a telephone number.
//
// The package has no HTTP, SQL or sockets. It uses ports, which other packages implement.
// Start reading with entities.go, states.go and booking.go. All files, by subject:
//
//   - market: market.go (Market, Rules), entities.go, id.go, errors.go, validation.go, actor.go (who calls),
//     once.go (what is created once), each.go (lists page by page)
//   - what readers see: views.go, contacts.go (of sellers), picture_urls.go
//   - events: event.go, change_events.go, relay.go
//   - catalog: brands.go, products.go, product_update.go, product_removal.go, photos.go, search.go
//   - booking and waiting: booking.go, states.go, hold_release.go, waitlist.go
//   - conversations: conversation.go, conversation_views.go, conversation_notices.go, threads.go,
//     thread_store.go, thread_reads.go, thread_changes.go, thread_upkeep.go, message_rules.go, blocks.go
//   - offers: offers.go, offer_answers.go, offer_bookings.go
//   - payment: payments.go (the port), checkout.go, payment_outcome.go, payment_checks.go, refund.go
//   - disputes at the bank: dispute.go, dispute_answer.go, dispute_facts.go
//   - orders after the payment: orders.go, order_views.go, order_search.go, order_steps.go,
//     order_notices.go, fulfilment.go (its states), deadlines.go, delivery.go, handover.go, evidence.go
//   - money: ledger.go, earnings.go, payouts.go, payout_accounts.go, payout_transfers.go, books.go,
//     reconcile.go and repair.go (comparison with the provider)
//   - people: people.go, person.go (what admins see), verification.go, leaving.go, user_deletion.go,
//     sweep.go (what follows a change of a user), reserved_address.go, data_export.go
//   - reports and cases: reports.go, thread_reports.go, case.go, case_reports.go, case_decisions.go,
//     case_carry_out.go, case_hidden_phones.go, case_appeals.go, case_upkeep.go, case_leavers.go,
//     case_views.go
//   - admins: auditlog.go, kept_texts.go, removals.go (what a restore must repeat)
//   - notifications: notices.go (texts), notifications.go, email_settings.go, emailer.go
//   - watching: watching.go, watcher_count.go, announcement.go, announcer.go, announcer_round.go, matches.go
//   - what runs when nobody calls: background.go (the list), runner.go, jobs.go, purge.go
//   - the port of the store: store.go, store_hook.go
//   - package search: the query, its words, and corrections of them
//   - package contact: contact data in texts
//   - package texts: what people type, cleaned and checked
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
