package market

import (
	"fmt"
	"time"
)

// messageNotice notifies a person of the first message of a thread that they have not read. first is its ID.
func messageNotice(t Thread, uid, first string, at time.Time) Notification {
	n := NewNotification(uid, NotifyMessage, "You have a new message about "+t.Phone.Name+".", linkThread+t.ID, messageCause(first), at)
	n.ProductID = t.ProductID
	return n
}

// messageCause is the cause of the notification of unread messages: there is one until they are read.
func messageCause(first string) string { return "message:" + first }

// notice notifies the seller of a new offer.
func (o Offer) notice(uid string, at time.Time) Notification {
	return o.notify(uid, fmt.Sprintf("You have an offer of $%d for your %s. You can answer it within a day.", o.Price, o.Name), at)
}

func (o Offer) notify(uid, text string, at time.Time) Notification {
	return notify(uid, NotifyOffer, o.ProductID, text, linkThread+o.ThreadID, at)
}

// notices notify the sides of an offer of its new status, but not the one who has set it.
func (o Offer) notices(by string, at time.Time) []Effect {
	var effects []Effect
	tell := func(uid, text string) {
		if uid != by {
			effects = append(effects, o.notify(uid, text, at))
		}
	}
	switch o.Status {
	case OfferCountered:
		tell(o.BuyerUID, fmt.Sprintf("The seller asks $%d for %s instead of your $%d. You can answer within a day.", o.Counter, o.Name, o.Price))
	case OfferAccepted:
		if by != o.BuyerUID {
			effects = append(effects, notify(o.BuyerUID, NotifyOffer, o.ProductID,
				fmt.Sprintf("Your offer of $%d for %s is accepted. It is held for you for %s. Pay in time to keep it.",
					o.price(), o.Name, inWords(o.ExpiresAt.Sub(at).Round(time.Minute))), linkPayment+o.BookingID, at))
		}
		tell(o.SellerUID, fmt.Sprintf("%s is booked for $%d: the buyer has agreed.", o.Name, o.price()))
	case OfferDeclined:
		if by == o.BuyerUID {
			tell(o.SellerUID, fmt.Sprintf("The buyer does not take %s for $%d.", o.Name, o.price()))
		} else {
			tell(o.BuyerUID, fmt.Sprintf("Your offer of $%d for %s is declined.", o.Price, o.Name))
		}
	case OfferWithdrawn:
		tell(o.SellerUID, fmt.Sprintf("The offer of $%d for your %s is withdrawn.", o.Price, o.Name))
	case OfferExpired, OfferGone:
		tell(o.BuyerUID, fmt.Sprintf("Your offer of $%d for %s has ended.", o.Price, o.Name))
	case OfferOpen, OfferLapsed: // the end of a booking has its own notice
	}
	return effects
}
