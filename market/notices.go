package market

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"secondring/market/search"
)

// Each function here returns the notifications of one kind of change, as events that are
// stored with that change (see notify). The notifications of those who watch a phone or have
// a saved search are in announcement.go, because they are made some time after the change.

// maxAdminsNotified is how many admins are notified of a report or an order, of the first maxAdminsRead.
const (
	maxAdminsNotified = 50
	maxAdminsRead     = 500
)

// Screens of the client that notifications link to.
const (
	linkMyProducts = "/dashboard/myProducts"
	linkMyOrders   = "/dashboard/myOrders"
	linkEarnings   = "/dashboard/earnings"
	linkCase       = "/dashboard/cases/" // followed by the case's ID
	linkDecisions  = "/dashboard/decisions"
	linkPayment    = "/dashboard/payment/" // followed by the booking's ID
	linkOrder      = "/dashboard/order/"   // followed by the booking's ID, once it is paid
	linkPhone      = "/phone/"             // followed by the phone's ID
	linkSearch     = "/search?"            // followed by Query.Encode
	linkWatching   = "/dashboard/watching"
	linkThread     = "/dashboard/messages/" // followed by the thread's ID
)

// title returns the name of a phone for a text: "Nokia 3310".
func title(brand, name string) string {
	if brand == "" || strings.HasPrefix(strings.ToLower(name), strings.ToLower(brand)) {
		return name
	}
	return brand + " " + name
}

func (p Product) title() string { return title(p.Brand, p.Name) }
func (b Booking) title() string { return title(b.Brand, b.ProductName) }

// bookedNotices notify the seller that their phone is booked, and a buyer from the waitlist
// that it is their turn. They are stored with the booking.
func bookedNotices(h Hold, b Booking, at time.Time) []Effect {
	switch {
	case h.Offer != nil: // the offer's own notices tell it
		return nil
	case !h.Turn:
		return []Effect{notify(b.SellerUID, NotifyBooked, b.ProductID, "Your "+b.title()+" was booked.", linkMyProducts, at)}
	}
	return []Effect{
		notify(b.SellerUID, NotifyBooked, b.ProductID, "Your "+b.title()+" was booked by the next person in line.", linkMyProducts, at),
		notify(b.BuyerUID, NotifyTurn, b.ProductID, fmt.Sprintf("It is your turn: %s is held for you for %s. Pay in time to keep it.",
			b.title(), inWords(h.Until.Sub(h.At))), linkPayment+b.ID, at),
	}
}

// inWords returns a duration in its largest whole unit: "15 minutes".
func inWords(d time.Duration) string {
	n, unit := int64(d/time.Second), "second"
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		n, unit = int64(d/time.Hour), "hour"
	case d >= time.Minute && d%time.Minute == 0:
		n, unit = int64(d/time.Minute), "minute"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprint(n, " ", unit)
}

// releasedNotice notifies the seller that the booking of their phone has ended. If the next
// buyer on the waitlist got the phone, bookedNotices are sent instead.
func releasedNotice(_, after Product, at time.Time) []Effect {
	if after.Hold != nil {
		return nil
	}
	return []Effect{notify(after.SellerUID, NotifyReleased, after.ID,
		"The booking of your "+after.title()+" has ended without a payment. The phone is available again.", linkMyProducts, at)}
}

// returnedNotice notifies the seller that the payment for their phone was refunded or
// disputed.
func returnedNotice(before, after Product, at time.Time) []Effect {
	if !before.Sold {
		return releasedNotice(before, after, at)
	}
	return []Effect{notify(after.SellerUID, NotifyReleased, after.ID,
		"The payment for your "+after.title()+" went back to the buyer. The phone is available again.", linkMyProducts, at)}
}

// refusedNotice notifies a buyer from the waitlist that they reached the limit of bookings
// at the moment of their turn. It also notifies the seller of the end of the earlier
// booking, because the seller was not notified of that turn.
func refusedNotice(before, after Product, at time.Time) []Effect {
	if before.Hold == nil || !before.Hold.Turn {
		return nil
	}
	return append(releasedNotice(before, after, at), notify(before.Hold.BuyerUID, NotifyTurn, after.ID, "It was your turn for "+after.title()+
		", but you have reached the limit of unpaid bookings. You are no longer in line for it.", linkPhone+after.ID, at))
}

// passedNotices notify the buyers who were passed over at their turn, with the reason.
func passedNotices(p Product, passed []passedWaiter, at time.Time) []Effect {
	var effects []Effect
	for _, w := range passed {
		if p.Hold == nil {
			effects = append(effects, notify(w.UID, NotifyAvailable, p.ID,
				fmt.Sprintf("It was your turn for %s, but %s. Now everyone can book it.", p.title(), w.reason), linkPhone+p.ID, at))
			continue
		}
		effects = append(effects, notify(w.UID, NotifyTurn, p.ID,
			fmt.Sprintf("It was your turn for %s, but %s. It went to someone after you, and you keep your place in line.", p.title(), w.reason),
			linkPhone+p.ID, at))
	}
	return effects
}

// soldNotices notify the seller that their phone is paid, and those who waited for it that
// it is sold.
func soldNotices(before, p Product, at time.Time) []Effect {
	effects := []Effect{notify(p.SellerUID, NotifyPaid, p.ID, "Your "+p.title()+" is sold: the buyer has paid.", linkOrder+p.Hold.BookingID, at)}
	for _, w := range before.Waitlist {
		effects = append(effects, notify(w.UID, NotifySold, p.ID, "The "+p.title()+" that you waited for is sold.", linkPhone+p.ID, at))
	}
	return effects
}

// withdrawnNotices notify those who waited for a phone that it was removed. They link to
// phones of the same name.
func withdrawnNotices(p Product, at time.Time) []Effect {
	var effects []Effect
	others := linkSearch + search.Query{Text: p.Name, Brands: []string{p.BrandID}}.Encode()
	for _, w := range p.Waitlist {
		effects = append(effects, notify(w.UID, NotifyAvailable, p.ID, "The "+p.title()+" that you waited for is no longer for sale.", others, at))
	}
	return effects
}

// endedNotice notifies the buyer that their booking has ended, unless they cancelled it.
func endedNotice(b Booking, isWithdrawn bool, at time.Time) []Effect {
	switch {
	case b.Status == BookingExpired:
		return []Effect{notify(b.BuyerUID, NotifyReleased, b.ProductID, "Your booking of "+b.title()+" has expired.", linkMyOrders, at)}
	case isWithdrawn:
		return []Effect{notify(b.BuyerUID, NotifyReleased, b.ProductID,
			b.title()+" is no longer for sale, so your booking of it has ended.", linkMyOrders, at)}
	}
	return nil
}

// orderNotice notifies the buyer of the result of their payment.
func orderNotice(before BookingStatus, b Booking, at time.Time) []Effect {
	switch {
	case before == b.Status, b.Status == BookingPaid && b.isRefundDecided(): // the refund is made again
		return nil
	case b.Dispute != nil && (b.Status == BookingRefunded) == (b.Dispute.State != DisputeWon) && !b.isRefundDecided():
		return nil // disputeNotices notify them
	case b.Status == BookingPaid:
		return []Effect{notify(b.BuyerUID, NotifyOrder, b.ProductID, "Your payment for "+b.title()+" has arrived. Now get your phone from the seller.", linkOrder+b.ID, at)}
	case b.Status == BookingRefunded:
		return []Effect{notify(b.BuyerUID, NotifyOrder, b.ProductID, "Your payment for "+b.title()+" was refunded.", linkOrder+b.ID, at)}
	}
	return nil
}

// disputeNotices returns the notifications of a dispute's state for both sides and the
// admins.
func (m *Market) disputeNotices(ctx context.Context, b Booking, isPartTaken bool, at time.Time) ([]Effect, error) {
	var admins, seller, buyer string
	switch b.Dispute.State {
	case DisputeOpen:
		admins = "The buyer of %s disputes the payment at their bank, which has not asked for an answer."
		if !b.Dispute.AnswerBy.IsZero() {
			admins = "The buyer of %s disputes the payment. Please answer it before " + inFull(b.Dispute.AnswerBy) + "."
		}
		seller = "The buyer of your %s disputes the payment at their bank. The money waits until that is decided."
		buyer = "Your payment for %s is disputed at your bank. The order waits until that is decided."
	case DisputeWon:
		admins = "The dispute about the payment for %s was won. The order goes on."
		seller = "The dispute about the payment for your %s was decided in your favour. The order goes on."
		buyer = "The dispute about your payment for %s was decided in the seller's favour. The order goes on."
	case DisputeLost:
		admins = "The dispute about the payment for %s was lost. The money went back to the buyer."
		seller = "The dispute about the payment for your %s was decided in the buyer's favour. The money went back to the buyer."
		buyer = "The dispute about your payment for %s was decided in your favour. Your bank has returned the money."
		if isPartTaken {
			admins = "The dispute about part of the payment for %s was lost. Please decide about the order."
			seller = "The dispute about part of the payment for your %s was decided in the buyer's favour. An admin decides about the order."
			buyer = "The dispute about part of your payment for %s was decided in your favour. An admin decides about the order."
			if b.Fulfilment.State == FulfilmentSettled {
				admins = "The dispute about part of the payment for %s was lost. The order stays completed."
				seller = "The dispute about part of the payment for your %s was decided in the buyer's favour. You keep the money."
				buyer = "The dispute about part of your payment for %s was decided in your favour. Your bank has returned that part."
			}
		}
	}
	link := linkOrder + b.ID
	effects, err := m.notifyAdmins(ctx, NotifyOrder, b.ProductID, fmt.Sprintf(admins, b.title()), link, at)
	return slices.Concat(effects, []Effect{
		notify(b.SellerUID, NotifyOrder, b.ProductID, fmt.Sprintf(seller, b.title()), link, at),
		notify(b.BuyerUID, NotifyOrder, b.ProductID, fmt.Sprintf(buyer, b.title()), link, at),
	}), err
}

// paidOutNotice notifies the seller that they were paid out.
func paidOutNotice(b Booking, at time.Time) Notification {
	text := "The money for your " + b.title() + " was paid out."
	if !b.Payout.IsTransfer {
		text += " Reference: " + b.Payout.Reference
	}
	return notify(b.SellerUID, NotifyPaid, b.ProductID, text, linkEarnings, at)
}

// takenBackNotice notifies the seller that a transfer to them was reversed.
func takenBackNotice(b Booking, at time.Time) Notification {
	return notify(b.SellerUID, NotifyPaid, b.ProductID, "The money for your "+b.title()+" was taken back: the buyer was refunded.", linkEarnings, at)
}

// debtNotice notifies the seller that a transfer to them could not be reversed.
func debtNotice(b Booking, at time.Time) Notification {
	return notify(b.SellerUID, NotifyPaid, b.ProductID, "The buyer of your "+b.title()+
		" was refunded, but your payout account has too little money to return it. We will try again.", linkEarnings, at)
}

// repaidNotice notifies the seller that what they have paid back was recorded.
func repaidNotice(b Booking, at time.Time) Notification {
	return notify(b.SellerUID, NotifyPaid, b.ProductID, "We have received "+Money(b.Payout.Cents, Currency)+" back for your "+b.title()+
		". You owe nothing for it any more. Reference: "+b.Payout.Repayment, linkEarnings, at)
}

// payoutAccountNotice notifies the seller that their account can receive money now, or no
// longer.
func payoutAccountNotice(u User, at time.Time) []Effect {
	text := "Your payout account is ready. We can pay you."
	if !u.PayoutAccount.IsReady {
		text = "We cannot pay you at the moment: your payout account needs your attention."
	}
	return []Effect{notify(u.UID, NotifyPaid, "", text, linkEarnings, at)}
}

// verifiedNotice notifies a seller that an admin has verified them, or has taken the badge
// back.
func verifiedNotice(u User, at time.Time) Notification {
	text := "You are now a verified seller. Your phones carry a Verified badge."
	if !u.IsVerified() {
		text = "An admin has taken your Verified badge back. Your phones no longer carry it."
	}
	return notify(u.UID, NotifyVerified, "", text, linkMyProducts, at)
}

// notifyAdmins notifies the admins; of orders only those who handle money.
func (m *Market) notifyAdmins(ctx context.Context, kind NotificationKind, productID, text, link string, at time.Time) ([]Effect, error) {
	admins, err := m.store.Admins(ctx, maxAdminsRead)
	admins = slices.DeleteFunc(admins, func(u User) bool { return kind == NotifyOrder && !u.HandlesMoney() })
	var effects []Effect
	for _, admin := range admins[:min(len(admins), maxAdminsNotified)] {
		effects = append(effects, notify(admin.UID, kind, productID, text, link, at))
	}
	return effects, err
}
