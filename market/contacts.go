package market

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"secondring/market/contact"
)

// With ContactAfterPayment nobody but its seller and admins sees a phone's number and email address, and
// its texts have none. ViewForVisitor never has them.

// ViewForBuyers returns the view for signed-in users, and for admins in lists.
func (m *Market) ViewForBuyers(p Product) ProductView {
	v := p.ViewWithContact()
	if m.rules.Contact == ContactAfterPayment {
		v.Email, v.Phone = "", ""
	}
	return v
}

// SellerKey returns a text that is the same for all phones of a seller, for people who do not see the
// seller's email address. It is a hash, so nobody can compute the UID from it.
func SellerKey(uid string) string {
	hash := sha256.Sum256([]byte("seller " + uid))
	return hex.EncodeToString(hash[:8])
}

// OrderView returns the view for admins. It also has the seller before the payment and of a refunded
// order, unless the seller has deleted their account. With ContactAfterPayment it has only the seller's
// name and location before the payment.
func (m *Market) OrderView(o Order) BookingView {
	v := o.View()
	if m.rules.Contact == ContactAfterPayment && o.Fulfilment == nil && v.Seller != nil {
		v.Seller.Email, v.Seller.Phone = "", ""
	}
	return v
}

// ViewForAdmin is OrderView for a booking without a sum of the ledger.
func (m *Market) ViewForAdmin(b Booking) BookingView {
	return m.OrderView(Order{Booking: b, Balance: b.Balance()})
}

// withoutContact returns the events without the contact data of phones. They may have been stored
// before a start with ContactAfterPayment, and their topics have other readers than the seller.
func (m *Market) withoutContact(events []Event) []Event {
	if m.rules.Contact != ContactAfterPayment {
		return events
	}
	events = slices.Clone(events)
	for i, e := range events {
		var v ProductView
		if _, isBrand := BrandOfTopic(e.Topic); isBrand && bytes.Contains(e.Data, []byte(`"phone":`)) && json.Unmarshal(e.Data, &v) == nil {
			v.Email, v.Phone = "", ""
			events[i].Data = encode(v)
		}
	}
	return events
}

// contactReasons are the reasons why a text of a phone is refused. No text of a phone is confirmed, so
// what a message may have after a warning is refused here, too.
var contactReasons = map[contact.Finding]string{
	contact.Address: "must not contain an email address: the buyer gets yours with the paid order",
	contact.Link:    "must not contain a link to another site. Put a blank behind every full stop",
	contact.Warning: "must not contain a telephone number or the name of a messenger: the buyer gets your number with the paid order",
}

// mustHideContact returns an error if a text of a phone that is new or changed has contact data, with
// ContactAfterPayment.
func (m *Market) mustHideContact(before, p Product) error {
	if m.rules.Contact != ContactAfterPayment {
		return nil
	}
	f := Fields{}
	check := func(field, before, text string) {
		found := contact.Check(text, contact.Options{Origin: m.rules.PublicURL})
		if text != before && found != contact.None {
			f.Add(field, contactReasons[found])
		}
	}
	check("name", before.Name, p.Name)
	check("colour", before.Colour, p.Colour)
	check("usedTime", before.UsedTime, p.UsedTime)
	check("description", before.Description, p.Description)
	check("location", before.Location, p.Location)
	for i, photo := range p.Photos {
		known := ""
		if i < len(before.Photos) {
			known = before.Photos[i].Alt
		}
		check(fmt.Sprintf("photos[%d].alt", i), known, photo.Alt)
	}
	return f.Err()
}

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

// ViewFor returns the view of a booking for a person who may see it.
func (m *Market) ViewFor(who Actor, b Booking) BookingView {
	switch {
	case who.User.Admin:
		return m.ViewForAdmin(b)
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
