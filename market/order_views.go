package market

import "time"

// FulfilmentView is what happens to an order after its payment, for both sides and admins.
// All times are UTC.
type FulfilmentView struct {
	State      FulfilmentState   `json:"state" enum:"waiting,sent,received,problem,settled"`
	Method     FulfilmentMethod  `json:"method,omitempty" enum:"met,posted"`
	Carrier    string            `json:"carrier,omitempty"`
	Tracking   string            `json:"tracking,omitempty" doc:"The carrier's number"`
	Problem    string            `json:"problem,omitempty" doc:"The buyer's words"`
	Reason     string            `json:"reason,omitempty" doc:"An admin's, for the decision"`
	Outcome    FulfilmentOutcome `json:"outcome,omitempty" enum:"release,refund" doc:"Once settled: the money goes to the seller, or back to the buyer"`
	PaidAt     *time.Time        `json:"paidAt,omitempty"`
	SentAt     *time.Time        `json:"sentAt,omitempty"`
	ReceivedAt *time.Time        `json:"receivedAt,omitempty"`
	ProblemAt  *time.Time        `json:"problemAt,omitempty"`
	SettledAt  *time.Time        `json:"settledAt,omitempty"`
	SettlesAt  *time.Time        `json:"settlesAt,omitempty" doc:"Once sent: when the order is settled if the buyer reports no problem"`
}

// EarningsView is what a seller has earned, for that seller. All money is in cents.
type EarningsView struct {
	Earned  int64         `json:"earned" doc:"Of released orders, without the commission"`
	Waiting int64         `json:"waiting" doc:"What the market has: not settled yet, or not paid out; less what the seller owes"`
	PaidOut int64         `json:"paidOut"`
	Lines   []EarningView `json:"lines" doc:"Newest first"`
}

// EarningView is one sale. All money is in cents.
type EarningView struct {
	BookingID   string       `json:"bookingID"`
	ProductName string       `json:"productName"`
	Price       int64        `json:"price"`
	Commission  int64        `json:"commission" doc:"As agreed when the phone was booked"`
	Net         int64        `json:"net" doc:"The price without the commission"`
	State       EarningState `json:"state" enum:"waiting,due,paidOut,refunded,debt" doc:"waiting: the order is not settled; due: not paid out yet; debt: the money went back to the buyer after it was paid out"`
	Reference   string       `json:"reference,omitempty" doc:"Of the payout"`
	At          time.Time    `json:"at" doc:"UTC; of the last change"`
}

// View is for both sides and admins. It leaves out the handover code.
func (f Fulfilment) View() FulfilmentView {
	return FulfilmentView{
		State: f.State, Method: f.Method, Carrier: f.Carrier, Tracking: f.Tracking, Problem: f.Problem, Reason: f.Reason,
		Outcome: f.Outcome, PaidAt: whenSet(f.PaidAt), SentAt: whenSet(f.SentAt), ReceivedAt: whenSet(f.ReceivedAt),
		ProblemAt: whenSet(f.ProblemAt), SettledAt: whenSet(f.SettledAt), SettlesAt: whenSet(f.SettlesAt),
	}
}

// View is for the seller.
func (all Earnings) View() EarningsView {
	v := EarningsView{Earned: all.Earned, Waiting: all.Waiting, PaidOut: all.PaidOut, Lines: []EarningView{}}
	for _, e := range all.Lines {
		commission := e.Booking.commission()
		line := EarningView{
			BookingID: e.Booking.ID, ProductName: e.Booking.ProductName, Price: e.Booking.cents(), Commission: commission,
			Net: e.Booking.cents() - commission, State: e.State, At: e.At,
		}
		if e.Booking.Payout != nil {
			line.Reference = e.Booking.Payout.Reference
		}
		v.Lines = append(v.Lines, line)
	}
	return v
}

// ViewForAdmin keeps the seller of an order that was refunded. The seller is known since the
// payment, unless they have left.
func (b Booking) ViewForAdmin() BookingView {
	v := b.View()
	if b.Seller != nil {
		v.Seller = new(OrderSellerView(*b.Seller))
	}
	return v
}
