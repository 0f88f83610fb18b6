package markettest

import (
	"context"
	"sync"
	"time"

	"secondring/market"
)

// Guarded is a store that passes its writes of the market's entities, and of records, to
// Guard. The guard decides whether to make them.
type Guarded struct {
	market.Store
	Guard func(write func() error) error
}

// SaveUser guards the write.
func (g Guarded) SaveUser(ctx context.Context, u market.User, e []market.Effect) error {
	return g.Guard(func() error { return g.Store.SaveUser(ctx, u, e) })
}

// SaveAccount guards the write.
func (g Guarded) SaveAccount(ctx context.Context, a market.Account, e []market.Effect) error {
	return g.Guard(func() error { return g.Store.SaveAccount(ctx, a, e) })
}

// AddProduct guards the write.
func (g Guarded) AddProduct(ctx context.Context, p market.Product, e []market.Effect) error {
	return g.Guard(func() error { return g.Store.AddProduct(ctx, p, e) })
}

// SaveProduct guards the write.
func (g Guarded) SaveProduct(ctx context.Context, p market.Product, e []market.Effect) error {
	return g.Guard(func() error { return g.Store.SaveProduct(ctx, p, e) })
}

// RemoveProduct guards the write.
func (g Guarded) RemoveProduct(ctx context.Context, p market.Product, e []market.Effect) error {
	return g.Guard(func() error { return g.Store.RemoveProduct(ctx, p, e) })
}

// AddBooking guards the write.
func (g Guarded) AddBooking(ctx context.Context, b market.Booking, n int, e []market.Effect) error {
	return g.Guard(func() error { return g.Store.AddBooking(ctx, b, n, e) })
}

// SaveBooking guards the write.
func (g Guarded) SaveBooking(ctx context.Context, b market.Booking, e []market.Effect) error {
	return g.Guard(func() error { return g.Store.SaveBooking(ctx, b, e) })
}

// AddPayment guards the write.
func (g Guarded) AddPayment(ctx context.Context, p market.Payment, e []market.Effect) error {
	return g.Guard(func() error { return g.Store.AddPayment(ctx, p, e) })
}

// SavePayment guards the write.
func (g Guarded) SavePayment(ctx context.Context, p market.Payment, e []market.Effect) error {
	return g.Guard(func() error { return g.Store.SavePayment(ctx, p, e) })
}

// AddRecord guards the write.
func (g Guarded) AddRecord(ctx context.Context, r market.Record, e []market.Effect) error {
	return g.Guard(func() error { return g.Store.AddRecord(ctx, r, e) })
}

// SaveRecord guards the write.
func (g Guarded) SaveRecord(ctx context.Context, r market.Record) error {
	return g.Guard(func() error { return g.Store.SaveRecord(ctx, r) })
}

// AddNotification guards the write.
func (g Guarded) AddNotification(ctx context.Context, n market.Notification, e []market.Effect) error {
	return g.Guard(func() error { return g.Store.AddNotification(ctx, n, e) })
}

// SaveNotification guards the write.
func (g Guarded) SaveNotification(ctx context.Context, n market.Notification, e []market.Effect) error {
	return g.Guard(func() error { return g.Store.SaveNotification(ctx, n, e) })
}

// FinishRecords guards the write.
func (g Guarded) FinishRecords(ctx context.Context, kind string, ids []string, expires time.Time) error {
	return g.Guard(func() error { return g.Store.FinishRecords(ctx, kind, ids, expires) })
}

// SetNotificationEmails guards the write.
func (g Guarded) SetNotificationEmails(ctx context.Context, ids []string, before, email market.EmailWhen, due time.Time) error {
	return g.Guard(func() error { return g.Store.SetNotificationEmails(ctx, ids, before, email, due) })
}

// Crash is the guard of a process that is killed after a number of writes. It is safe for
// concurrent use.
type Crash struct {
	Writes int          // the number of writes before the crash
	Made   bool         // the last write is made too, but its result is lost
	Die    func() error // returns the error of every write after the crash
	mu     sync.Mutex
	done   int
}

// Guard makes a write, or returns the error of Die.
func (c *Crash) Guard(write func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done++
	if c.done <= c.Writes {
		return write()
	}
	if c.Made && c.done == c.Writes+1 {
		_ = write() // the result is lost with the process
	}
	return c.Die()
}
