package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

// Orders returns a page of the bookings that match a filter, newest first, and the number of
// all.
func (s *Store) Orders(ctx context.Context, f market.OrderFilter, page market.Page) (market.List[market.Booking], error) {
	var filter bson.D
	if f.BuyerUID != "" {
		filter = append(filter, field("keys.buyer", f.BuyerUID))
	}
	if f.SellerUID != "" {
		filter = append(filter, field("entity.selleruid", f.SellerUID))
	}
	if f.Status != "" {
		filter = append(filter, field("entity.status", f.Status))
	}
	if f.State != "" {
		filter = append(filter, fulfilmentFilter(f.State))
	}
	if f.Payout != "" {
		filter = append(filter, field("keys.payout", f.Payout))
	}
	return bookings.list(ctx, s, filter, page)
}

// fulfilmentFilter matches the orders in a state. Earlier versions stored paid orders without a
// state, and they count as settled; see market.Booking.AfterSale.
func fulfilmentFilter(state market.FulfilmentState) bson.E {
	stored := field("entity.fulfilment.state", state)
	if state != market.FulfilmentSettled {
		return stored
	}
	withoutState := bson.D{field("entity.status", market.BookingPaid), field("entity.fulfilment", nil)}
	return field("$or", bson.A{bson.D{stored}, withoutState})
}
