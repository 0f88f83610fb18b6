package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"secondring/market"
)

// Orders lists the bookings that a filter finds, newest first.
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
		filter = append(filter, inState(f.State))
	}
	if f.Payout != "" {
		filter = append(filter, field("keys.payout", f.Payout))
	}
	return bookings.list(ctx, s, filter, page)
}

// inState finds the orders of a state; see market.Booking.AfterSale.
func inState(state market.FulfilmentState) bson.E {
	stored := field("entity.fulfilment.state", state)
	if state != market.FulfilmentSettled {
		return stored
	}
	before := bson.D{field("entity.status", market.BookingPaid), field("entity.fulfilment", nil)}
	return field("$or", bson.A{bson.D{stored}, before})
}
