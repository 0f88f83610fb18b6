package market

import "iter"

// eachPage yields a list page by page. After an error it yields nothing more.
func eachPage[T any](limit int, read func(Page) ([]T, error), id func(T) string) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		page := Page{Limit: limit}
		for {
			some, err := read(page)
			if !yield(some, err) || err != nil || len(some) < limit {
				return
			}
			page.After = id(some[len(some)-1])
		}
	}
}

// each visits all items of a list, newest first. It reads them page by page.
func each[T any](read func(Page) ([]T, error), id func(T) string, visit func(T) error) error {
	for some, err := range eachPage(sweepPage, read, id) {
		if err != nil {
			return err
		}
		for _, v := range some {
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
