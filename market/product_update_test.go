package market_test

import (
	"testing"

	"secondring/market"
)

// An edit names the version that the seller saw. Only another edit since is a conflict: what
// happens to the phone otherwise is none of its texts, prices and photos.
func TestEditAfterAnotherChange(t *testing.T) {
	name, text, condition, price, used, place := "Another", "Scratched", "Fair", 99, "9 years", "Khulna"
	edit := func(c market.ProductChange) func(*env, market.Actor, market.Product) {
		return func(e *env, seller market.Actor, p market.Product) {
			_, err := e.ChangeProduct(e.ctx, seller, p.ID, c)
			e.must(err)
		}
	}
	verify := func(e *env, seller market.Actor) {
		_, err := e.VerifySeller(e.ctx, e.admin(), seller.User.ID, market.VerifyRequest{})
		e.must(err)
	}
	for happened, c := range map[string]struct {
		change func(e *env, seller market.Actor, p market.Product)
		code   market.Code
	}{
		"nothing": {func(*env, market.Actor, market.Product) {}, ""},
		"advertised": {func(e *env, seller market.Actor, p market.Product) {
			verify(e, seller)
			u, err := e.store.User(e.ctx, seller.User.UID)
			e.must(err)
			_, err = e.Advertise(e.ctx, market.Actor{User: u}, p.ID)
			e.must(err)
		}, ""},
		"verified": {func(e *env, seller market.Actor, _ market.Product) { verify(e, seller) }, ""},
		"booked and cancelled": {func(e *env, _ market.Actor, p market.Product) {
			buyer := e.buyer()
			_, err := e.CancelBooking(e.ctx, buyer, e.mustBook(buyer, p).ID)
			e.must(err)
		}, ""},
		"the price":       {edit(market.ProductChange{ResalePrice: &price}), market.CodeConflict},
		"the name":        {edit(market.ProductChange{Name: &name}), market.CodeConflict},
		"the description": {edit(market.ProductChange{Description: &text}), market.CodeConflict},
		"the condition":   {edit(market.ProductChange{Condition: &condition}), market.CodeConflict},
		"the used time":   {edit(market.ProductChange{UsedTime: &used}), market.CodeConflict},
		"the location":    {edit(market.ProductChange{Location: &place}), market.CodeConflict},
	} {
		t.Run(happened, func(t *testing.T) {
			e := newEnv(t)
			seller := e.seller()
			p := e.phone(seller)
			seen, number := int(p.Version), "01999 000000"
			c.change(e, seller, p)
			_, err := e.ChangeProduct(e.ctx, seller, p.ID, market.ProductChange{Version: &seen, Phone: &number})
			if market.CodeOf(err) != c.code {
				t.Errorf("the edit returned %v, want code %q", err, c.code)
			}
		})
	}
}
