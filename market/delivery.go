package market

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// The seller says whether the two sides can meet, whether the phone can be sent, and what the postage
// is. The buyer chooses before paying. Postage is paid with the price and goes where the price goes.
//
// The address is not a part of the booking, because a booking is in lists, events and exports. It is a
// record of its own, which the booking names. A record never changes: another address is another record,
// so the address of a paid order is the one that the buyer paid for.

// Delivery is how a buyer wants to get a phone, or how a seller delivers it.
type Delivery string

// The kinds of delivery. A phone without one offers both.
const (
	DeliveryMeet Delivery = "meet" // the two sides meet
	DeliverySend Delivery = "send" // the seller sends the phone
	DeliveryBoth Delivery = "both" // of a phone: the buyer chooses
)

// Limits of postage, in whole US dollars, and of an address, in characters.
const (
	MaxPostage = 200
	maxAddress = 300
)

// Address is where a phone is sent to.
type Address struct {
	Name     string `json:"name" maxLength:"300"`
	Street   string `json:"street" maxLength:"300" doc:"Street and number"`
	Postcode string `json:"postcode" maxLength:"300"`
	Town     string `json:"town" maxLength:"300" doc:"Town, and country if it is another"`
}

// addressKind is the kind of the records of addresses. The ID of a record begins with the booking's.
const addressKind = "address"

// addressKeptFor is how long after the end of an order its address is kept, and addressLook is how often
// the order of an address is looked at until it has ended.
const (
	addressKeptFor = 14 * 24 * time.Hour
	addressLook    = 24 * time.Hour
)

// offers returns whether the delivery of a phone allows the buyer's choice.
func (d Delivery) offers(choice Delivery) bool { return d == "" || d == DeliveryBoth || d == choice }

// usual returns the buyer's delivery until they choose.
func (d Delivery) usual() Delivery {
	if d == DeliverySend {
		return DeliverySend
	}
	return DeliveryMeet
}

// postage returns what the buyer pays beside the price, in whole US dollars.
func (b Booking) postage() int {
	if b.Delivery == DeliverySend {
		return b.SendPostage
	}
	return 0
}

// DeliveryRequest is the payload of PUT /bookings/{id}/delivery.
type DeliveryRequest struct {
	Delivery Delivery
	Address  *Address // nil keeps the booking's address
	Remember *bool    // whether the account remembers the address; nil changes nothing
	Wrong    Fields
}

// ChooseDelivery stores how the buyer of an unpaid booking wants to get the phone. It returns 0 if that
// is stored already. If the total changes, a payment that was begun is cancelled first: it returns
// CodePaid or CodeProcessing if that is too late.
func (m *Market) ChooseDelivery(ctx context.Context, who Actor, id string, in DeliveryRequest) (int, error) {
	b, err := m.booking(ctx, id)
	if err != nil {
		return 0, err
	}
	if !b.isBuyer(who) {
		return 0, forbidden("Only the buyer can choose the delivery")
	}
	if err := in.check(b); err != nil {
		return 0, err
	}
	changed, err := m.chooseDelivery(ctx, b, in)
	if err != nil {
		return 0, err
	}
	return changed, m.rememberAddress(ctx, who.User.UID, in)
}

func (in DeliveryRequest) check(b Booking) error {
	f := FieldsOf(in.Wrong)
	f.oneOf("delivery", string(in.Delivery), string(DeliveryMeet), string(DeliverySend))
	if (in.Delivery == DeliveryMeet || in.Delivery == DeliverySend) && !b.Delivers.offers(in.Delivery) {
		f.Add("delivery", "is not offered by the seller of this phone")
	}
	switch {
	case in.Address != nil:
		f.address(*in.Address)
	case in.Delivery == DeliverySend && b.Address == "":
		f.Add("address", "is required, so that the seller can send the phone")
	}
	return f.Err()
}

// address requires the parts of an address.
func (f Fields) address(a Address) {
	length := 0
	for name, value := range map[string]string{"name": a.Name, "street": a.Street, "postcode": a.Postcode, "town": a.Town} {
		f.text("address."+name, value, maxAddress)
		length += utf8.RuneCountInString(value)
	}
	if length > maxAddress {
		f.Add("address", fmt.Sprintf("is longer than %d characters", maxAddress))
	}
}

// chooseDelivery stores the choice in one write of the booking. A new address is stored before it.
func (m *Market) chooseDelivery(ctx context.Context, b Booking, in DeliveryRequest) (int, error) {
	var before, after Booking
	added := "" // the ID of the new address; after a conflict it is not stored again
	changed, err := m.changeBooking(ctx, b, func(b *Booking, now time.Time) (bool, []Effect, error) {
		before = *b
		if err := payableAt(before, now); err != nil {
			return false, nil, err
		}
		b.Delivery = in.Delivery
		if err := m.setAddress(ctx, b, in, &added); err != nil {
			return false, nil, err
		}
		if b.Delivery == before.Delivery && b.Address == before.Address {
			return false, nil, nil
		}
		if b.cents() != before.cents() {
			if err := m.cancelIntentOf(ctx, before); err != nil {
				return false, nil, err
			}
			b.withoutIntent()
		}
		after = *b
		return true, m.bookingEvents(*b, now), nil
	})
	if err != nil || changed == 0 {
		return 0, err
	}
	return changed, m.eraseReplaced(ctx, before, after)
}

// setAddress sets the address of a booking: none to meet, and otherwise that of the request, if it
// has one.
func (m *Market) setAddress(ctx context.Context, b *Booking, in DeliveryRequest, added *string) error {
	switch {
	case in.Delivery == DeliveryMeet:
		b.Address = ""
		return nil
	case in.Address == nil:
		return nil
	}
	isSame, err := m.hasAddress(ctx, *b, *in.Address)
	if err != nil || isSame {
		return err
	}
	if *added == "" {
		if *added, err = m.addAddress(ctx, b.ID, *in.Address); err != nil {
			return err
		}
	}
	b.Address = *added
	return nil
}

// eraseReplaced erases the address that the booking had before. After a kill eraseAddress does.
func (m *Market) eraseReplaced(ctx context.Context, before, b Booking) error {
	if before.Address == "" || before.Address == b.Address {
		return nil
	}
	return m.store.RemoveRecords(ctx, addressKind, []string{before.Address})
}

// withoutIntent makes the next payment of the booking begin with another intent.
func (b *Booking) withoutIntent() {
	b.Intent, b.IntentAt, b.Due = "", time.Time{}, b.HoldUntil
	b.Attempt++
}

// cancelIntentOf cancels a payment that was begun and not completed.
func (m *Market) cancelIntentOf(ctx context.Context, b Booking) error {
	if b.Intent == "" {
		return nil
	}
	in, err := m.payments.CancelIntent(ctx, b.Intent)
	switch {
	case errors.Is(err, ErrNoIntent):
		return nil
	case err != nil:
		return unavailable(err)
	case in.Status == IntentCancelled:
		return nil
	case in.Status == IntentSucceeded:
		if _, err := m.applyPayment(ctx, in); err != nil {
			return err
		}
		return refuse(CodePaid, "This booking is paid already")
	}
	return refuse(CodeProcessing, "Your payment is being processed. If it fails, you can change the delivery")
}

// hasAddress returns whether the booking has this address.
func (m *Market) hasAddress(ctx context.Context, b Booking, a Address) (bool, error) {
	stored, err := m.addressOf(ctx, b)
	return stored != nil && *stored == a, err
}

// addAddress stores an address for a booking, and returns the record's ID.
func (m *Market) addAddress(ctx context.Context, bookingID string, a Address) (string, error) {
	now := m.clock.Now()
	r := Record{Kind: addressKind, ID: bookingID + " " + NewID(now), Data: encode(a), Due: now.Add(addressLook), Version: 1}
	return r.ID, m.store.AddRecord(ctx, r, nil)
}

// addressOf returns the address of a booking; nil if it has none, or it was erased.
func (m *Market) addressOf(ctx context.Context, b Booking) (*Address, error) {
	if b.Address == "" {
		return nil, nil
	}
	r, err := m.store.Record(ctx, addressKind, b.Address)
	if err != nil {
		return nil, ignoreNotFound(err)
	}
	var a Address
	return &a, json.Unmarshal(r.Data, &a)
}

// endedAt returns when a booking was over: its order was settled, or it ended without a settlement; zero
// while it is not. An order that was not settled when its money went back is not over as long as the
// money may come back: the market may win the dispute, or the refund may fail.
func (b Booking) endedAt() time.Time {
	f := b.Fulfilment
	switch {
	case f != nil && f.State == FulfilmentSettled:
		return f.SettledAt
	case b.Status == BookingHeld, b.Status == BookingPaid, f != nil && !b.Due.IsZero():
		return time.Time{}
	}
	return b.EndedAt
}

// addressUntil returns when the address of a booking is erased; zero while the booking may need it.
func (b Booking) addressUntil() time.Time {
	end := b.endedAt()
	if end.IsZero() {
		return end
	}
	return end.Add(addressKeptFor)
}

// mustEraseAddress returns whether an address of the booking is to be erased, and if not, when to look
// again.
func (b Booking) mustEraseAddress(record string, now time.Time) (must bool, again time.Time) {
	until := b.addressUntil()
	switch {
	case b.Address != record: // the buyer has chosen another
		return true, until
	case until.IsZero():
		return false, now.Add(addressLook)
	}
	return !now.Before(until), until
}

// eraseAddress erases the address of a record if its order does not need it any more.
func (m *Market) eraseAddress(ctx context.Context, r Record) error {
	id, _, _ := strings.Cut(r.ID, " ")
	b, err := m.store.Booking(ctx, id)
	if ignoreNotFound(err) != nil {
		return err
	}
	must, again := b.mustEraseAddress(r.ID, m.clock.Now()) // true also if there is no booking
	if must {
		return m.store.RemoveRecords(ctx, addressKind, []string{r.ID})
	}
	r.Due, r.Version = again, r.Version+1
	return ignoreConflict(m.store.SaveRecord(ctx, r))
}

// BookingView returns one booking to those who may see it, as Booking does. Its buyer and, after the
// payment, its seller see the address.
func (m *Market) BookingView(ctx context.Context, who Actor, id string) (BookingView, error) {
	b, err := m.Booking(ctx, who, id)
	if err != nil {
		return BookingView{}, err
	}
	v := m.ViewFor(who, b)
	if !b.showsAddress(who, m.clock.Now()) {
		return v, nil
	}
	v.Address, err = m.addressOf(ctx, b)
	return v, err
}

// showsAddress returns whether a person may see the address of a booking.
func (b Booking) showsAddress(who Actor, now time.Time) bool {
	isSeller := b.SellerUID == who.User.UID && b.Status == BookingPaid && !b.isRefundDecided()
	until := b.addressUntil()
	return (b.isBuyer(who) || isSeller) && (until.IsZero() || now.Before(until))
}

// rememberAddress stores the address with the buyer's account, or forgets the stored one.
func (m *Market) rememberAddress(ctx context.Context, uid string, in DeliveryRequest) error {
	if in.Remember == nil || *in.Remember && in.Address == nil {
		return nil
	}
	address := in.Address
	if !*in.Remember {
		address = nil
	}
	for {
		a, err := m.store.Account(ctx, uid)
		if err != nil || a.Removed || address == nil && a.Address == nil || address != nil && a.Address != nil && *a.Address == *address {
			return err
		}
		a.Address = address
		a.Version++
		if err = m.store.SaveAccount(ctx, a, nil); !errors.Is(err, ErrConflict) {
			return err
		}
	}
}
