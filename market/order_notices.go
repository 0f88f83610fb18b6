package market

import (
	"context"
	"fmt"
	"time"

	"secondring/market/texts"
)

// stepNotices notify both sides of a step of a paid order, but not of their own steps, except those
// that begin to move money.
// Admins are notified of a problem too.
func (m *Market) stepNotices(ctx context.Context, b Booking, step fulfilmentStep, at time.Time) ([]Effect, error) {
	f := b.Fulfilment
	toBuyer := func(text string) Notification {
		return notify(b.BuyerUID, NotifyOrder, b.ProductID, text, linkOrder+b.ID, at)
	}
	toSeller := func(text string) Notification {
		return notify(b.SellerUID, NotifyOrder, b.ProductID, text, linkOrder+b.ID, at)
	}
	switch step {
	case stepSend:
		return []Effect{toBuyer(fmt.Sprintf("Your %s is on its way with %s, number %s.", b.title(), f.Carrier, f.Tracking))}, nil
	case stepHandOver:
		return []Effect{toBuyer("The seller has handed your " + b.title() + " over to you.")}, nil
	case stepReceive:
		return []Effect{
			toSeller("The buyer has received your " + b.title() + "."),
			toBuyer(fmt.Sprintf("You have received your %s. On %s the money goes to the seller, unless you report a problem.", b.title(), inFull(f.Deadline))),
		}, nil
	case stepReportProblem:
		admins, err := m.notifyAdmins(ctx, NotifyOrder, b.ProductID, "The buyer of "+b.title()+" has reported a problem. Please decide.", linkOrder+b.ID, at)
		return append(admins, toSeller("The buyer of your "+b.title()+" has reported a problem. An admin decides.")), err
	case stepWait:
		return []Effect{toSeller(fmt.Sprintf("The buyer gives you more time to send your %s, until %s.", b.title(), inFull(f.Deadline)))}, nil
	case stepSellerCancel:
		return []Effect{
			toBuyer("The seller cannot send your " + b.title() + ": " + texts.CleanLine(f.Problem) + " Your money is refunded."),
			toSeller("You have cancelled the sale of your " + b.title() + ". The buyer gets the money back."),
		}, nil
	case stepAnswer:
		admins, err := m.notifyAdmins(ctx, NotifyOrder, b.ProductID, "The seller of "+b.title()+" has answered the problem. Please decide.", linkOrder+b.ID, at)
		return append(admins, toBuyer("The seller has answered the problem with your "+b.title()+". An admin decides.")), err
	case stepAdminReturn:
		reason := " Reason: " + texts.CleanLine(f.Reason)
		return []Effect{
			toBuyer(fmt.Sprintf("An admin has decided: return your %s by %s, and you get your money back.%s", b.title(), inFull(f.Deadline), reason)),
			toSeller(fmt.Sprintf("An admin has decided: the buyer returns your %s by %s, and gets the money back.%s", b.title(), inFull(f.Deadline), reason)),
		}, nil
	case stepReturn:
		return []Effect{toSeller(fmt.Sprintf("Your %s is on its way back with %s, number %s. On %s the buyer gets the money back, unless you say what is wrong.",
			b.title(), f.Return.Carrier, f.Return.Tracking, inFull(f.Deadline)))}, nil
	case stepReturned, stepHandBack:
		return []Effect{
			toBuyer("Your " + b.title() + " is back with the seller. Your money is refunded."),
			toSeller("You have your " + b.title() + " back. The buyer gets the money back."),
		}, nil
	case stepObject:
		admins, err := m.notifyAdmins(ctx, NotifyOrder, b.ProductID, "The seller of "+b.title()+" objects to what was sent back. Please decide.", linkOrder+b.ID, at)
		return append(admins, toBuyer("The seller says that something is wrong with the "+b.title()+" that you have sent back. An admin decides.")), err
	case stepSideLeft:
		admins, err := m.notifyAdmins(ctx, NotifyOrder, b.ProductID, f.Problem+" Please decide about the order of "+b.title()+".", linkOrder+b.ID, at)
		return append(admins, toBuyer(f.Problem+" An admin decides about your "+b.title()+"."), toSeller(f.Problem+" An admin decides about your "+b.title()+".")), err
	case stepTimeout:
		buyer, seller := timeoutTexts(b)
		return []Effect{toBuyer(buyer), toSeller(seller)}, nil
	}
	buyer, seller := "the money goes to the seller", "the money is yours"
	if f.Outcome == OutcomeRefund {
		buyer, seller = "your money is refunded", "the money is refunded to the buyer"
	}
	return []Effect{
		toBuyer(fmt.Sprintf("An admin has decided about your order of %s: %s. Reason: %s", b.title(), buyer, texts.CleanLine(f.Reason))),
		toSeller(fmt.Sprintf("An admin has decided about your sale of %s: %s. Reason: %s", b.title(), seller, texts.CleanLine(f.Reason))),
	}, nil
}

// timeoutTexts returns what both sides are told of an order that is settled by time.
func timeoutTexts(b Booking) (buyer, seller string) {
	title := b.title()
	switch f := b.Fulfilment; {
	case f.Reason == ReasonNotSent:
		return "The seller has not sent your " + title + " in time. Your money is refunded.",
			"You have not sent your " + title + " in time. The buyer gets the money back."
	case f.Reason == ReasonNotReturned:
		return "You have not returned your " + title + " in time. The money goes to the seller.",
			"The buyer has not returned your " + title + " in time. The money is yours."
	case f.Outcome == OutcomeRefund:
		return "The time to check the " + title + " that you have sent back is over. Your money is refunded.",
			"The time to check the " + title + " that was sent back is over. The buyer gets the money back."
	}
	return "Your order of " + title + " is completed.", "Your sale of " + title + " is completed."
}
