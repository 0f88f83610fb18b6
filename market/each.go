package market

import (
	"context"
	"errors"
	"iter"
	"sync"
)

// eachPage yields a list page by page. After an error it yields nothing more.
func eachPage[T any](limit int, read func(Page) ([]T, error), id func(T) string) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		page := Page{Limit: limit}
		for {
			batch, err := read(page)
			if !yield(batch, err) || err != nil || len(batch) < limit {
				return
			}
			page.After = id(batch[len(batch)-1])
		}
	}
}

// each visits all items of a list, newest first. It reads them page by page.
func each[T any](read func(Page) ([]T, error), id func(T) string, visit func(T) error) error {
	for batch, err := range eachPage(sweepPage, read, id) {
		if err != nil {
			return err
		}
		for _, v := range batch {
			if err := visit(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// items returns the items of a page without the size of the list.
func items[T any](list List[T], err error) ([]T, error) { return list.Items, err }

func bookingID(b Booking) string { return b.ID }

func paymentID(p Payment) string { return p.ID }

// eachProductOf visits every phone of a seller, newest first.
func (m *Market) eachProductOf(ctx context.Context, uid string, visit func(Product) error) error {
	return each(func(page Page) ([]Product, error) { return items(m.store.ProductsOfSeller(ctx, uid, page)) },
		func(p Product) string { return p.ID }, visit)
}

func (m *Market) eachBookingOf(ctx context.Context, uid string, visit func(Booking) error) error {
	return each(func(page Page) ([]Booking, error) { return items(m.store.BookingsOf(ctx, uid, page)) }, bookingID, visit)
}

func (m *Market) eachBookingOfSeller(ctx context.Context, uid string, visit func(Booking) error) error {
	return each(func(page Page) ([]Booking, error) { return m.store.BookingsOfSeller(ctx, uid, page) }, bookingID, visit)
}

func (m *Market) eachSaleOf(ctx context.Context, uid string, visit func(Earning) error) error {
	return each(func(page Page) ([]Earning, error) { return items(m.sales(ctx, uid, page)) },
		func(e Earning) string { return e.Booking.ID }, visit)
}

func (m *Market) eachPaymentOf(ctx context.Context, uid string, visit func(Payment) error) error {
	return each(func(page Page) ([]Payment, error) { return m.store.PaymentsOf(ctx, uid, page) }, paymentID, visit)
}

func (m *Market) eachReportBy(ctx context.Context, uid string, visit func(Report) error) error {
	return each(func(page Page) ([]Report, error) { return m.store.ReportsBy(ctx, uid, page) },
		func(r Report) string { return r.ID }, visit)
}

func (m *Market) eachAuditEntryAbout(ctx context.Context, id string, visit func(AuditEntry) error) error {
	if id == "" {
		return nil
	}
	return each(func(page Page) ([]AuditEntry, error) { return m.store.AuditEntriesAbout(ctx, id, page) },
		func(entry AuditEntry) string { return entry.ID }, visit)
}

func (m *Market) eachNotificationOf(ctx context.Context, uid string, visit func(Notification) error) error {
	return each(func(page Page) ([]Notification, error) { return items(m.store.NotificationsOf(ctx, uid, page)) },
		func(n Notification) string { return n.ID }, visit)
}

// concurrently calls do for each item, up to limit of them at the same time. It returns the
// joined errors of all calls.
func concurrently[T any](limit int, items []T, do func(T) error) error {
	errs := make([]error, len(items))
	running := make(chan struct{}, limit)
	var wg sync.WaitGroup
	for i, item := range items {
		running <- struct{}{}
		wg.Go(func() {
			defer func() { <-running }()
			errs[i] = do(item)
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
