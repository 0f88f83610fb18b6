package market

import "time"

// FulfilmentView is the fulfilment of an order, for both sides and admins. All times are
// UTC.
type FulfilmentView struct {
	State      FulfilmentState   `json:"state" enum:"waiting,sent,received,problem,settled"`
	Method     FulfilmentMethod  `json:"method,omitempty" enum:"met,posted"`
	Carrier    string            `json:"carrier,omitempty"`
	Tracking   string            `json:"tracking,omitempty" doc:"The carrier's number"`
	Problem    string            `json:"problem,omitempty" doc:"The buyer's description"`
	Reason     string            `json:"reason,omitempty" doc:"The admin's reason for the decision"`
	Outcome    FulfilmentOutcome `json:"outcome,omitempty" enum:"release,refund" doc:"Once settled: the money goes to the seller, or back to the buyer"`
	PaidAt     *time.Time        `json:"paidAt,omitempty"`
	SentAt     *time.Time        `json:"sentAt,omitempty"`
	ReceivedAt *time.Time        `json:"receivedAt,omitempty"`
	ProblemAt  *time.Time        `json:"problemAt,omitempty"`
	SettledAt  *time.Time        `json:"settledAt,omitempty"`
	SettlesAt  *time.Time        `json:"settlesAt,omitempty" doc:"Once sent: when the order is settled if the buyer reports no problem"`
}

// MoneyView is the balance of an order, in cents, for admins.
type MoneyView struct {
	Charged    int64 `json:"charged"`
	Refunded   int64 `json:"refunded"`
	Commission int64 `json:"commission"`
	PaidOut    int64 `json:"paidOut"`
	Waiting    int64 `json:"waiting" doc:"charged less the other three; negative: the seller owes it"`
}

// PayoutView is the payout of an order, for admins.
type PayoutView struct {
	State     EarningState `json:"state" enum:"due,paidOut,debt" doc:"debt: the money went back to the buyer after it was paid out"`
	Cents     int64        `json:"cents" doc:"What is due, was paid out, or is owed by the seller"`
	Reference string       `json:"reference,omitempty" doc:"Of the payment to the seller"`
	At        *time.Time   `json:"at,omitempty" doc:"UTC; when it was paid out"`
}

// DisputeView is the dispute of a payment at the buyer's bank, for both sides and admins. All
// times are UTC.
type DisputeView struct {
	State    DisputeState `json:"state" enum:"open,won,lost" doc:"open: the order's money is frozen; won: the order goes on; lost: the buyer has the money back"`
	OpenedAt time.Time    `json:"openedAt"`
	ClosedAt *time.Time   `json:"closedAt,omitempty"`
}

// EarningsView is a seller's earnings, for that seller. All money is in cents.
type EarningsView struct {
	Earned  int64         `json:"earned" doc:"Of released orders, without the commission"`
	Waiting int64         `json:"waiting" doc:"What the market has: not settled yet, or not paid out; less what the seller owes"`
	PaidOut int64         `json:"paidOut"`
	Lines   []EarningView `json:"lines" doc:"Newest first"`
	Payouts string        `json:"payouts,omitempty" enum:"manual,stripe,off" doc:"How the market pays its sellers; see the setting PAYOUTS"`
	Account AccountState  `json:"account,omitempty" enum:"none,pending,ready" doc:"The payout account, with the setting PAYOUTS=stripe; pending: it cannot receive money yet"`
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

// View returns the view for both sides and admins. It leaves out the handover code.
func (f Fulfilment) View() FulfilmentView {
	return FulfilmentView{
		State: f.State, Method: f.Method, Carrier: f.Carrier, Tracking: f.Tracking, Problem: f.Problem, Reason: f.Reason,
		Outcome: f.Outcome, PaidAt: whenSet(f.PaidAt), SentAt: whenSet(f.SentAt), ReceivedAt: whenSet(f.ReceivedAt),
		ProblemAt: whenSet(f.ProblemAt), SettledAt: whenSet(f.SettledAt), SettlesAt: whenSet(f.SettlesAt),
	}
}

// View returns the view for the seller.
func (all Earnings) View() EarningsView {
	v := EarningsView{Earned: all.Earned, Waiting: all.Waiting, PaidOut: all.PaidOut, Lines: []EarningView{}, Payouts: all.Payouts, Account: all.Account}
	for _, e := range all.Lines {
		commission := e.Booking.commission()
		line := EarningView{
			BookingID: e.Booking.ID, ProductName: e.Booking.ProductName, Price: e.Booking.cents(), Commission: commission,
			Net: e.Booking.cents() - commission, State: e.State, At: e.At,
		}
		if e.Booking.IsPaidOut() {
			line.Reference = e.Booking.Payout.Reference
		}
		v.Lines = append(v.Lines, line)
	}
	return v
}

// ViewForAdmin returns the view with the money. It also has the seller of a refunded order.
// The seller is known since the payment, unless they have deleted their account.
func (b Booking) ViewForAdmin() BookingView {
	return Order{Booking: b, Balance: b.balance()}.View()
}

// View returns the view for admins.
func (o Order) View() BookingView {
	v := o.Booking.View()
	if o.Seller != nil {
		v.Seller = new(OrderSellerView(*o.Seller))
	}
	balance := o.Balance
	v.Money = &MoneyView{
		Charged: balance.Charged, Refunded: balance.Refunded, Commission: balance.Commission, PaidOut: balance.PaidOut, Waiting: balance.Waiting(),
	}
	v.Payout = o.payoutView()
	return v
}

// payoutView returns nil while the seller has no right to the money.
func (b Booking) payoutView() *PayoutView {
	v := PayoutView{State: b.PayoutState()}
	switch v.State {
	case EarningDue:
		_, v.Cents = b.earned()
	case EarningDebt:
		v.Cents = -b.balance().Waiting()
	case EarningPaidOut:
		v.Cents = b.Payout.Cents
	default:
		return nil
	}
	if b.IsPaidOut() {
		v.Reference, v.At = b.Payout.Reference, &b.Payout.At
	}
	return &v
}
