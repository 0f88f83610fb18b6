package market

import "context"

// The two sides of a paid order know each other's contact data. When the money goes back to the
// buyer, or an admin has decided that, they do not any more: the seller's phone loses the buyer's data, and the order is shown
// to each side without the other's. If the market gets the money again, both are restored.

// ViewForSeller returns the view for the seller.
func (b Booking) ViewForSeller() BookingView {
	v := b.View()
	v.Side = SideSeller
	if b.Status != BookingPaid || b.isRefundDecided() {
		v.UserName, v.Email, v.Phone, v.Location = "", "", "", ""
	}
	return v
}

// ViewFor returns the view for a person who may see the booking.
func (b Booking) ViewFor(who Actor) BookingView {
	switch {
	case who.User.Admin:
		return b.ViewForAdmin()
	case b.BuyerUID != who.User.UID:
		return b.ViewForSeller()
	}
	return b.View()
}

// buyer returns the buyer's contact data; zero if the buyer has deleted their account.
func (b Booking) buyer() Contact {
	return Contact{Name: b.UserName, Email: b.Email, Phone: b.Phone, Location: b.Location}
}

// showSale stores with the phone that a transaction bought, for its seller, whether the sale is
// refunded, and if not, the buyer's contact data.
func (m *Market) showSale(ctx context.Context, b Booking, transaction string, refunded bool) error {
	buyer := b.buyer()
	if refunded {
		buyer = Contact{}
	}
	return m.changeHold(ctx, b.ProductID, func(p Product) bool {
		return p.HeldBy(b.ID) && p.Sold && p.Hold.Transaction == transaction
	}, func(h *Hold) {
		h.setBuyer(buyer)
		h.Refunded = refunded
	})
}

// changeHold changes the hold of a phone, if the phone is as expected, and sends the seller an event.
func (m *Market) changeHold(ctx context.Context, productID string, isExpected func(Product) bool, change func(*Hold)) error {
	return m.changeIfExists(ctx, productID, func(p *Product) (string, error) {
		if !isExpected(*p) {
			return "", nil
		}
		hold := *p.Hold
		change(&hold)
		if hold == *p.Hold {
			return "", nil
		}
		p.Hold = &hold
		return TypeProductChanged, nil
	})
}

func (h *Hold) setBuyer(buyer Contact) {
	h.Name, h.Email, h.Phone, h.Location = buyer.Name, buyer.Email, buyer.Phone, buyer.Location
}

// buyer returns the buyer's contact data; zero if the seller must not see them.
func (h Hold) buyer() Contact {
	return Contact{Name: h.Name, Email: h.Email, Phone: h.Phone, Location: h.Location}
}
