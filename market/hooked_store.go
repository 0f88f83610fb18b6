package market

import (
	"context"
	"time"
)

// StoreCall is a call that changes a store, or one of the reads that the server makes
// periodically.
type StoreCall struct {
	Method  string   // of Store
	Read    bool     // it changes nothing
	Entity  any      // the entity to write: a User, Account, Session, Brand, Product, Booking, Payment, Watching, Record, Report or Notification
	ID      string   // of the entity to write, if the call has only its ID
	Effects []Effect // stored with the write
}

// StoreHook runs around a call: it makes the call with do and returns its error. A write
// that failed may have been carried out nevertheless.
type StoreHook func(ctx context.Context, call StoreCall, do func() error) error

// HookStore returns the store with hooks around its calls. The first hook is the
// innermost one. Other reads, and purges of data that is no longer shown, have no hooks.
func HookStore(s Store, hooks ...StoreHook) Store {
	run := func(_ context.Context, _ StoreCall, do func() error) error { return do() }
	for _, hook := range hooks {
		inner := run
		run = func(ctx context.Context, call StoreCall, do func() error) error {
			return hook(ctx, call, func() error { return inner(ctx, call, do) })
		}
	}
	return hookedStore{s, run}
}

type hookedStore struct {
	Store
	run StoreHook
}

func (s hookedStore) AddUser(ctx context.Context, u User, effects []Effect) error {
	call := StoreCall{Method: "AddUser", Entity: u, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.AddUser(ctx, u, effects) })
}

func (s hookedStore) SaveUser(ctx context.Context, u User, effects []Effect) error {
	call := StoreCall{Method: "SaveUser", Entity: u, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.SaveUser(ctx, u, effects) })
}

func (s hookedStore) PurgeUser(ctx context.Context, uid string) error {
	call := StoreCall{Method: "PurgeUser", ID: uid}
	return s.run(ctx, call, func() error { return s.Store.PurgeUser(ctx, uid) })
}

func (s hookedStore) AddAccount(ctx context.Context, a Account, effects []Effect) error {
	call := StoreCall{Method: "AddAccount", Entity: a, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.AddAccount(ctx, a, effects) })
}

func (s hookedStore) SaveAccount(ctx context.Context, a Account, effects []Effect) error {
	call := StoreCall{Method: "SaveAccount", Entity: a, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.SaveAccount(ctx, a, effects) })
}

func (s hookedStore) PurgeAccount(ctx context.Context, uid string, effects []Effect) error {
	call := StoreCall{Method: "PurgeAccount", ID: uid, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.PurgeAccount(ctx, uid, effects) })
}

func (s hookedStore) AddSession(ctx context.Context, session Session) error {
	call := StoreCall{Method: "AddSession", Entity: session}
	return s.run(ctx, call, func() error { return s.Store.AddSession(ctx, session) })
}

func (s hookedStore) EndSession(ctx context.Context, id string, effects []Effect) error {
	call := StoreCall{Method: "EndSession", ID: id, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.EndSession(ctx, id, effects) })
}

func (s hookedStore) EndSessions(ctx context.Context, uid string, effects []Effect) error {
	call := StoreCall{Method: "EndSessions", ID: uid, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.EndSessions(ctx, uid, effects) })
}

func (s hookedStore) AddBrand(ctx context.Context, b Brand) error {
	call := StoreCall{Method: "AddBrand", Entity: b}
	return s.run(ctx, call, func() error { return s.Store.AddBrand(ctx, b) })
}

func (s hookedStore) RemoveBrand(ctx context.Context, id string) error {
	call := StoreCall{Method: "RemoveBrand", ID: id}
	return s.run(ctx, call, func() error { return s.Store.RemoveBrand(ctx, id) })
}

func (s hookedStore) AddProduct(ctx context.Context, p Product, effects []Effect) error {
	call := StoreCall{Method: "AddProduct", Entity: p, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.AddProduct(ctx, p, effects) })
}

func (s hookedStore) SaveProduct(ctx context.Context, p Product, effects []Effect) error {
	call := StoreCall{Method: "SaveProduct", Entity: p, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.SaveProduct(ctx, p, effects) })
}

func (s hookedStore) RemoveProduct(ctx context.Context, p Product, effects []Effect) error {
	call := StoreCall{Method: "RemoveProduct", Entity: p, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.RemoveProduct(ctx, p, effects) })
}

func (s hookedStore) AddBooking(ctx context.Context, b Booking, maxHeld int, effects []Effect) error {
	call := StoreCall{Method: "AddBooking", Entity: b, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.AddBooking(ctx, b, maxHeld, effects) })
}

func (s hookedStore) SaveBooking(ctx context.Context, b Booking, effects []Effect) error {
	call := StoreCall{Method: "SaveBooking", Entity: b, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.SaveBooking(ctx, b, effects) })
}

func (s hookedStore) AddPayment(ctx context.Context, p Payment, effects []Effect) error {
	call := StoreCall{Method: "AddPayment", Entity: p, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.AddPayment(ctx, p, effects) })
}

func (s hookedStore) SavePayment(ctx context.Context, p Payment, effects []Effect) error {
	call := StoreCall{Method: "SavePayment", Entity: p, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.SavePayment(ctx, p, effects) })
}

func (s hookedStore) AddRecord(ctx context.Context, r Record, effects []Effect) error {
	call := StoreCall{Method: "AddRecord", Entity: r, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.AddRecord(ctx, r, effects) })
}

func (s hookedStore) AddWatching(ctx context.Context, w Watching, effects []Effect) error {
	call := StoreCall{Method: "AddWatching", Entity: w, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.AddWatching(ctx, w, effects) })
}

func (s hookedStore) SaveWatching(ctx context.Context, w Watching, effects []Effect) error {
	call := StoreCall{Method: "SaveWatching", Entity: w, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.SaveWatching(ctx, w, effects) })
}

func (s hookedStore) RemoveWatching(ctx context.Context, w Watching, effects []Effect) error {
	call := StoreCall{Method: "RemoveWatching", Entity: w, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.RemoveWatching(ctx, w, effects) })
}

func (s hookedStore) AddReport(ctx context.Context, r Report, effects []Effect) error {
	call := StoreCall{Method: "AddReport", Entity: r, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.AddReport(ctx, r, effects) })
}

func (s hookedStore) RemoveReport(ctx context.Context, r Report, effects []Effect) error {
	call := StoreCall{Method: "RemoveReport", Entity: r, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.RemoveReport(ctx, r, effects) })
}

func (s hookedStore) AddNotification(ctx context.Context, n Notification, effects []Effect) error {
	call := StoreCall{Method: "AddNotification", Entity: n, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.AddNotification(ctx, n, effects) })
}

func (s hookedStore) SaveNotification(ctx context.Context, n Notification, effects []Effect) error {
	call := StoreCall{Method: "SaveNotification", Entity: n, Effects: effects}
	return s.run(ctx, call, func() error { return s.Store.SaveNotification(ctx, n, effects) })
}

func (s hookedStore) SetNotificationEmails(ctx context.Context, ids []string, before, email EmailWhen, due time.Time) error {
	call := StoreCall{Method: "SetNotificationEmails", Entity: ids}
	return s.run(ctx, call, func() error { return s.Store.SetNotificationEmails(ctx, ids, before, email, due) })
}

func (s hookedStore) PendingEvents(ctx context.Context, limit int) (events []Event, err error) {
	err = s.run(ctx, StoreCall{Method: "PendingEvents", Read: true}, func() error {
		events, err = s.Store.PendingEvents(ctx, limit)
		return err
	})
	return events, err
}

func (s hookedStore) Backlog(ctx context.Context, limit int) (backlog Backlog, err error) {
	err = s.run(ctx, StoreCall{Method: "Backlog", Read: true}, func() error {
		backlog, err = s.Store.Backlog(ctx, limit)
		return err
	})
	return backlog, err
}

func (s hookedStore) Ping(ctx context.Context) error {
	return s.run(ctx, StoreCall{Method: "Ping", Read: true}, func() error { return s.Store.Ping(ctx) })
}
