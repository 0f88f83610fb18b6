package sqlite

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"secondring/market"
)

// orderFilters are the conditions of a market.OrderFilter. A statement contains only the
// conditions of the fields that are set, so that SQLite can use an index.
var orderFilters = []struct {
	condition string
	value     func(market.OrderFilter) string
}{
	{"status = ?", func(f market.OrderFilter) string { return string(f.Status) }},
	{"state = ?", func(f market.OrderFilter) string { return string(f.State) }},
	{"payout_state = ? AND payout_state <> ''", func(f market.OrderFilter) string { return string(f.Payout) }},
	{"seller_uid = ?", func(f market.OrderFilter) string { return f.SellerUID }},
	{"buyer_uid = ?", func(f market.OrderFilter) string { return f.BuyerUID }},
}

// orderStatements contains the statements for each combination of conditions. Bit i of the
// index means that the statements contain the condition of orderFilters[i].
var orderStatements = func() []struct{ page, count *statement } {
	all := make([]struct{ page, count *statement }, 1<<len(orderFilters))
	for mask := range all {
		conditions := []string{"id > ''"}
		for i, f := range orderFilters {
			if mask&(1<<i) != 0 {
				conditions = append(conditions, f.condition)
			}
		}
		where := " FROM bookings WHERE " + strings.Join(conditions, " AND ")
		all[mask].page = query("SELECT " + bookingColumns + where + " AND id < ? ORDER BY id DESC LIMIT 0 + ?")
		all[mask].count = query("SELECT count(*) FROM (SELECT 1" + where + " LIMIT 0 + ?)")
	}
	return all
}()

// Orders lists the bookings that match a filter, newest first. It counts them up to
// MaxOrdersCounted.
func (s *Store) Orders(ctx context.Context, f market.OrderFilter, page market.Page) (list market.List[market.Booking], err error) {
	var args []any
	mask := 0
	for i, filter := range orderFilters {
		if value := filter.value(f); value != "" {
			mask |= 1 << i
			args = append(args, value)
		}
	}
	limit := max(page.Limit, 1)
	err = s.read(ctx, "list orders", func(c *conn) error {
		return c.snapshot(func() (err error) {
			if err = c.row(orderStatements[mask].count, []any{&list.Total}, append(slices.Clip(args), market.MaxOrdersCounted)...); err != nil {
				return err
			}
			list.Items, err = many(c, orderStatements[mask].page, bookingFields, append(args, cmp.Or(page.After, newest), limit+1)...)
			return err
		})
	})
	endPage(&list, limit)
	return list, err
}
