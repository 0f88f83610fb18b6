package market

import "time"

// FulfilmentView is the fulfilment of an order, for both sides and admins. All times are
// UTC.
type FulfilmentView struct {
	State      FulfilmentState   `json:"state" enum:"waiting,sent,received,problem,returning,sentBack,settled" doc:"waiting: the seller has the phone; sent: it is on its way; received: the buyer has it; problem: the buyer has reported a problem, and an admin decides; returning: an admin has decided that the buyer returns it; sentBack: it is on its way back; settled: the order is finished"`
	Method     FulfilmentMethod  `json:"method,omitempty" enum:"met,posted" doc:"How the buyer gets the phone: from the seller in person (met) or by a carrier (posted)"`
	Carrier    string            `json:"carrier,omitempty"`
	Tracking   string            `json:"tracking,omitempty" doc:"The carrier's tracking number"`
	Problem    string            `json:"problem,omitempty" doc:"The problem, as the buyer described it, or the seller who cancelled"`
	Category   ProblemCategory   `json:"category,omitempty" enum:"not_arrived,not_as_described,damaged,locked,other" doc:"What the buyer's problem is about"`
	Photos     []string          `json:"photos,omitempty" doc:"Addresses of the buyer's photographs of the problem, from POST /orders/{id}/photos"`
	Answer     *StatementView    `json:"answer,omitempty" doc:"The seller's answer to the problem"`
	Return     *ReturnView       `json:"return,omitempty" doc:"How the buyer has sent the phone back"`
	Objection  *StatementView    `json:"objection,omitempty" doc:"What is wrong with the phone that was sent back, in the seller's words"`
	Reason     string            `json:"reason,omitempty" doc:"The admin's reason for the decision; not_sent, seller_cancelled or not_returned if no admin decided"`
	Outcome    FulfilmentOutcome `json:"outcome,omitempty" enum:"release,refund" doc:"Who gets the money: the seller (release) or the buyer (refund). Absent before the order is settled"`
	PaidAt     *time.Time        `json:"paidAt,omitempty" doc:"UTC"`
	SentAt     *time.Time        `json:"sentAt,omitempty" doc:"UTC. Absent until then"`
	ReceivedAt *time.Time        `json:"receivedAt,omitempty" doc:"UTC. Absent until then"`
	ProblemAt  *time.Time        `json:"problemAt,omitempty" doc:"UTC. Absent until then"`
	SettledAt  *time.Time        `json:"settledAt,omitempty" doc:"UTC. Absent until then"`
	SendBy     *time.Time        `json:"sendBy,omitempty" doc:"While waiting: when the buyer is refunded if the phone was not sent, UTC"`
	Waited     bool              `json:"waited,omitempty" doc:"While waiting: the buyer has given the seller more time, which is possible once"`
	SettlesAt  *time.Time        `json:"settlesAt,omitempty" doc:"While sent or received: when the seller gets the money if the buyer reports no problem, UTC"`
	DecideBy   *time.Time        `json:"decideBy,omitempty" doc:"While a problem: when an admin should have decided, UTC"`
	AnswerBy   *time.Time        `json:"answerBy,omitempty" doc:"While a problem that the seller has not answered: when they should have, UTC"`
	Late       bool              `json:"late,omitempty" doc:"The seller has not answered the problem in time"`
	ReturnBy   *time.Time        `json:"returnBy,omitempty" doc:"While returning: when the seller gets the money if the phone was not sent back, UTC"`
	RefundsAt  *time.Time        `json:"refundsAt,omitempty" doc:"While sent back: when the buyer is refunded if the seller does not object, UTC"`
}

// StatementView is what the seller says about a problem or a return, for both sides and admins.
type StatementView struct {
	Text   string    `json:"text"`
	Photos []string  `json:"photos,omitempty" doc:"Addresses of photographs, from POST /orders/{id}/photos"`
	At     time.Time `json:"at" doc:"UTC"`
}

// ReturnView is how the buyer has sent the phone back, for both sides and admins.
type ReturnView struct {
	Carrier  string    `json:"carrier"`
	Tracking string    `json:"tracking" doc:"The carrier's tracking number"`
	At       time.Time `json:"at" doc:"UTC"`
}

// MoneyView is the balance of an order, in cents, for admins.
type MoneyView struct {
	Charged    int64 `json:"charged" doc:"Paid by the buyer, in US cents"`
	Refunded   int64 `json:"refunded" doc:"Paid back to the buyer, in US cents"`
	Commission int64 `json:"commission" doc:"Kept by the market, in US cents"`
	PaidOut    int64 `json:"paidOut" doc:"Paid to the seller, in US cents"`
	Waiting    int64 `json:"waiting" doc:"charged minus refunded, commission and paidOut, in US cents. If it is negative, the seller owes it"`
}

// PayoutView is the payout of an order, for admins.
type PayoutView struct {
	State     EarningState `json:"state" enum:"due,paidOut,debt,repaid" doc:"due: not paid out yet; paidOut: paid out; debt: the buyer got the money back after the payout, and the seller owes it; repaid: the seller has paid it back"`
	Cents     int64        `json:"cents" doc:"What is due, was paid out, is owed by the seller or was paid back, in US cents"`
	Reference string       `json:"reference,omitempty" doc:"Reference of the payment to the seller or, if the seller has paid it back, of that payment. Absent before the payout"`
	At        *time.Time   `json:"at,omitempty" doc:"When the seller was paid or has paid it back, UTC. Absent until then"`
}

// DisputeView is the dispute of a payment at the buyer's bank, for both sides and admins. All
// times are UTC.
type DisputeView struct {
	State    DisputeState `json:"state" enum:"open,won,lost" doc:"open: the bank has not decided, and the order's money is frozen; won: the order continues; lost: the buyer has the money back, or the disputed part of it if the order is still paid"`
	OpenedAt time.Time    `json:"openedAt" doc:"UTC"`
	ClosedAt *time.Time   `json:"closedAt,omitempty" doc:"UTC. Absent while the dispute is open"`

	AnswerBy   *time.Time `json:"answerBy,omitempty" doc:"Until when the bank takes an answer, UTC. For admins only; absent if it takes none"`
	Answering  bool       `json:"answering,omitempty" doc:"An admin has answered, and the card provider does not have the answer yet. For admins only"`
	AnsweredAt *time.Time `json:"answeredAt,omitempty" doc:"When the card provider got an answer, UTC. For admins only; absent until then"`
}

// EarningsView is a seller's earnings, for that seller: the sums are of all sales, the lines are
// a page of them. All money is in cents.
type EarningsView struct {
	Earned   int64         `json:"earned" doc:"Earned with released orders, without commission, in US cents: due plus what was paid out for them"`
	Waiting  int64         `json:"waiting" doc:"Money that the market still has: handover plus due, plus refunds to buyers that are decided and not made yet, minus what the seller owes, in US cents"`
	Handover int64         `json:"handover" doc:"Prices and postage of paid orders that are not settled: the phone is to be handed over, on its way or being checked, or a problem is to be decided. The commission is still in it. In US cents"`
	Due      int64         `json:"due" doc:"Money of released orders that is the seller's and not paid out yet, without commission, in US cents"`
	PaidOut  int64         `json:"paidOut" doc:"Paid out to the seller, in US cents. It is more than earned minus due by what was paid out for orders that were refunded afterwards"`
	Lines    []EarningView `json:"lines" doc:"A page of the sales, newest first"`
	Payouts  string        `json:"payouts,omitempty" enum:"manual,stripe,off" doc:"How sellers are paid: by an admin (manual), by transfers at Stripe (stripe), or not by the server (off). Absent in the data of GET /identity/data"`
	Account  AccountState  `json:"account,omitempty" enum:"none,pending,ready" doc:"State of the payout account at Stripe: none, pending (it cannot receive money yet) or ready. Absent without the setting PAYOUTS=stripe"`
}

// EarningView is one sale. All money is in cents.
type EarningView struct {
	BookingID   string       `json:"bookingID"`
	ProductName string       `json:"productName"`
	Price       int64        `json:"price" doc:"In US cents"`
	Postage     int64        `json:"postage" doc:"Postage, in US cents"`
	Commission  int64        `json:"commission" doc:"Commission of the market, as it was when the phone was booked, in US cents"`
	Net         int64        `json:"net" doc:"price plus postage minus commission, in US cents"`
	State       EarningState `json:"state" enum:"waiting,due,paidOut,refunded,debt,repaid" doc:"waiting: the order is not settled; due: not paid out yet; paidOut: paid out; refunded: the buyer got the money back; debt: the buyer got the money back after the payout, and the seller owes it; repaid: the seller has paid it back"`
	Reference   string       `json:"reference,omitempty" doc:"Reference of the payment to the seller or, if the seller has paid it back, of that payment. Absent before the payout"`
	ReferenceAt *time.Time   `json:"referenceAt,omitempty" doc:"When the payment of the reference was recorded, UTC. Absent before the payout"`
	PaidAt      *time.Time   `json:"paidAt,omitempty" doc:"When the buyer paid, UTC. Absent for a payment that bought nothing and was refunded"`
	At          time.Time    `json:"at" doc:"When money of this sale was last moved, UTC"`
}

// View returns the view for both sides and admins. It leaves out the handover code.
func (f Fulfilment) View() FulfilmentView {
	v := FulfilmentView{
		State: f.State, Method: f.Method, Carrier: f.Carrier, Tracking: f.Tracking, Problem: f.Problem, Reason: f.Reason,
		Category: f.Category, Photos: f.Photos, Answer: (*StatementView)(f.Answer), Return: (*ReturnView)(f.Return), Objection: (*StatementView)(f.Objection),
		Outcome: f.Outcome, PaidAt: whenSet(f.PaidAt), SentAt: whenSet(f.SentAt), ReceivedAt: whenSet(f.ReceivedAt),
		ProblemAt: whenSet(f.ProblemAt), SettledAt: whenSet(f.SettledAt),
	}
	switch deadline := whenSet(f.Deadline); f.State {
	case FulfilmentWaiting:
		v.SendBy, v.Waited = deadline, f.Waited
	case FulfilmentSent, FulfilmentReceived:
		v.SettlesAt = deadline
	case FulfilmentProblem:
		v.DecideBy, v.AnswerBy, v.Late = deadline, whenSet(f.AnswerBy), f.Late
	case FulfilmentReturning:
		v.ReturnBy = deadline
	case FulfilmentSentBack:
		v.RefundsAt = deadline
	case FulfilmentSettled:
	}
	return v
}

// View returns the view for the seller.
func (all Earnings) View() EarningsView {
	v := EarningsView{Earned: all.Earned, Waiting: all.Waiting, Handover: all.Handover, Due: all.Due, PaidOut: all.PaidOut, Lines: []EarningView{}, Payouts: all.Payouts, Account: all.Account}
	for _, e := range all.Lines.Items {
		v.Lines = append(v.Lines, e.View())
	}
	return v
}

// View returns the view for the seller.
func (e Earning) View() EarningView {
	b, commission := e.Booking, e.Booking.commission()
	v := EarningView{
		BookingID: b.ID, ProductName: b.ProductName, Price: int64(b.Price) * centsPerDollar, Postage: int64(b.postage()) * centsPerDollar,
		Commission: commission, Net: b.cents() - commission, State: e.State, At: e.At,
	}
	if b.Fulfilment != nil {
		v.PaidAt = whenSet(b.Fulfilment.PaidAt)
	}
	switch {
	case b.IsPaidOut():
		v.Reference, v.ReferenceAt = b.Payout.Reference, &b.Payout.At
	case e.State == EarningRepaid:
		v.Reference, v.ReferenceAt = b.Payout.Repayment, &b.Payout.TakenBackAt
	}
	return v
}

// View returns the view for admins, with the money (see Market.OrderView).
func (o Order) View() BookingView {
	v := o.Booking.View()
	v.Side = ""
	if o.Seller != nil {
		v.Seller = new(OrderSellerView(*o.Seller))
	}
	balance := o.Balance
	v.Money = &MoneyView{
		Charged: balance.Charged, Refunded: balance.Refunded, Commission: balance.Commission, PaidOut: balance.PaidOut, Waiting: balance.Waiting(),
	}
	v.Payout, v.Tabs = o.payoutView(), o.Tabs()
	if d := o.Dispute; d != nil {
		v.Dispute.AnswerBy, v.Dispute.AnsweredAt = whenSet(d.AnswerBy), whenSet(d.AnsweredAt)
		v.Dispute.Answering = o.isDisputed() && !d.AnswerBegunAt.IsZero() && d.AnsweredAt.IsZero()
	}
	return v
}

// payoutView returns nil while the seller has no right to the money.
func (b Booking) payoutView() *PayoutView {
	v := PayoutView{State: b.PayoutState()}
	switch v.State {
	case EarningDue:
		_, v.Cents = b.earned()
	case EarningDebt:
		v.Cents = -b.Balance().Waiting()
	case EarningPaidOut:
		v.Cents = b.Payout.Cents
	case EarningRepaid:
		v.Cents, v.Reference, v.At = b.Payout.Cents, b.Payout.Repayment, &b.Payout.TakenBackAt
	default:
		return nil
	}
	if b.IsPaidOut() {
		v.Reference, v.At = b.Payout.Reference, &b.Payout.At
	}
	return &v
}
