package market_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

// disputedOrder returns an order that was sent, and whose payment the buyer disputes at their bank.
func disputedOrder(t *testing.T) (e *env, seller, buyer, admin market.Actor, b market.Booking) {
	t.Helper()
	e, seller, buyer, _, b = paidOrder(t)
	admin = e.admin()
	e.fulfil(seller, b, sent)
	e.dispute(b)
	return e, seller, buyer, admin, b
}

func (e *env) dispute(b market.Booking) {
	e.t.Helper()
	intent := e.storedBooking(b).Intent
	e.bank.Dispute(intent, e.clock.Now())
	e.must(e.ApplyPayment(e.ctx, intent))
}

// wantAnswers fails the test unless the bank has this many answers.
func (e *env) wantAnswers(want int) {
	e.t.Helper()
	if got := len(e.bank.Answers()); got != want {
		e.t.Fatalf("the bank has %d answers, want %d", got, want)
	}
}

func (e *env) disputeForAdmin(b market.Booking) *market.DisputeView {
	e.t.Helper()
	return e.ViewForAdmin(e.storedBooking(b)).Dispute
}

func TestAdminAnswersADisputeOnce(t *testing.T) {
	e, seller, _, admin, b := disputedOrder(t)
	if d := e.disputeForAdmin(b); d.AnswerBy == nil || d.AnsweredAt != nil || !slices.Contains(e.storedBooking(b).Tabs(), market.TabDispute) {
		t.Errorf("admins see the open dispute as %+v, in the tabs %q", d, e.storedBooking(b).Tabs())
	}
	n, err := e.AnswerDispute(e.ctx, admin, b.ID)
	e.must(err)
	if n != 1 {
		t.Errorf("%d orders were changed", n)
	}
	e.wantAnswers(1)
	if d := e.disputeForAdmin(b); d.AnsweredAt == nil || d.Answering || slices.Contains(e.storedBooking(b).Tabs(), market.TabDispute) {
		t.Errorf("admins see the answered dispute as %+v, in the tabs %q", d, e.storedBooking(b).Tabs())
	}
	_, err = e.AnswerDispute(e.ctx, admin, b.ID)
	e.wantCode(err, market.CodeConflict)
	e.stepEvery(25*time.Hour, 3)
	e.wantAnswers(1)
	if entry := e.auditEntry(admin, market.ActionAnswerDispute); entry.TargetID != b.ID || entry.ConcernID != seller.User.ID {
		t.Errorf("the audit entry is %+v", entry)
	}
	intent := e.storedBooking(b).Intent
	e.bank.EndDispute(intent, market.DisputeWon)
	e.must(e.ApplyPayment(e.ctx, intent))
	e.wantDispute(b, market.BookingPaid, market.DisputeWon)
	if e.disputeForAdmin(b).AnsweredAt == nil {
		t.Error("the end of the dispute has removed when it was answered")
	}
}

func TestDisputeAnswerIsForAdminsOnly(t *testing.T) {
	e, seller, buyer, admin, b := disputedOrder(t)
	for _, who := range []market.Actor{seller, buyer} {
		_, err := e.AnswerDispute(e.ctx, who, b.ID)
		e.wantCode(err, market.CodeForbidden)
	}
	stored := e.storedBooking(b)
	for _, v := range []*market.DisputeView{stored.View().Dispute, stored.ViewForSeller().Dispute} {
		if v != nil && (v.AnswerBy != nil || v.AnsweredAt != nil || v.Answering) {
			t.Errorf("a side sees %+v", v)
		}
	}
	_, err := e.AnswerDispute(e.ctx, admin, "unknown")
	e.wantCode(err, market.CodeNotFound)
	stored.BuyerUID = admin.User.UID
	stored.Version++
	e.must(e.store.SaveBooking(e.ctx, stored, nil))
	_, err = e.AnswerDispute(e.ctx, admin, b.ID)
	e.wantCode(err, market.CodeForbidden)
	e.wantAnswers(0)
}

func TestDisputeThatCannotBeAnswered(t *testing.T) {
	for name, change := range map[string]func(*market.Intent, time.Time){
		"decided by the bank": func(in *market.Intent, _ time.Time) { in.Dispute, in.Returned = market.DisputeWon, false },
		"takes no answer":     func(in *market.Intent, _ time.Time) { in.AnswerBy = time.Time{} },
		"its time is over":    func(in *market.Intent, now time.Time) { in.AnswerBy = now },
		"answered in the provider's dashboard": func(in *market.Intent, _ time.Time) {
			in.IsAnswered = true
		},
	} {
		t.Run(name, func(t *testing.T) {
			e, _, _, admin, b := disputedOrder(t)
			// The market learns of it only when it is about to answer.
			e.bank.Change(e.storedBooking(b).Intent, func(in *market.Intent) { change(in, e.clock.Now()) })
			_, err := e.AnswerDispute(e.ctx, admin, b.ID)
			e.wantCode(err, market.CodeConflict)
			e.wantAnswers(0)
			if strings.HasPrefix(name, "answered") && e.disputeForAdmin(b).AnsweredAt == nil {
				t.Error("admins do not see that it is answered")
			}
		})
	}
	e, _, _, _, b := paidOrder(t)
	_, err := e.AnswerDispute(e.ctx, e.admin(), b.ID)
	e.wantCode(err, market.CodeConflict)
}

func TestDisputeAnswerWhileTheProviderIsAway(t *testing.T) {
	e, _, _, admin, b := disputedOrder(t)
	e.bank.SetUnavailable(true)
	_, err := e.AnswerDispute(e.ctx, admin, b.ID)
	e.wantCode(err, market.CodeUnavailable)
	e.bank.SetUnavailable(false)
	e.stepEvery(time.Hour, 2)
	e.wantAnswers(0)
	_, err = e.AnswerDispute(e.ctx, admin, b.ID)
	e.must(err)
	e.wantAnswers(1)
}

// crashingAnswers is the provider of a node that is killed while it sends an answer.
type crashingAnswers struct {
	*markettest.Bank
	isSent bool
}

// AnswerDispute implements market.Payments.
func (c crashingAnswers) AnswerDispute(ctx context.Context, a market.DisputeAnswer) error {
	if c.isSent {
		if err := c.Bank.AnswerDispute(ctx, a); err != nil {
			return err
		}
	}
	return market.ErrPaymentsUnavailable
}

func TestDisputeAnswerIsFinishedAfterACrash(t *testing.T) {
	for name, isSent := range map[string]bool{"before the provider has it": false, "before it is stored": true} {
		t.Run(name, func(t *testing.T) {
			e, _, _, admin, b := disputedOrder(t)
			killed := market.New(e.store, e.clock, e.rules, crashingAnswers{e.bank, isSent})
			if n, err := killed.AnswerDispute(e.ctx, admin, b.ID); n != 1 || err != nil {
				t.Fatalf("the answer returned %d, %v", n, err)
			}
			if d := e.disputeForAdmin(b); !d.Answering || d.AnsweredAt != nil {
				t.Errorf("admins see the begun answer as %+v", d)
			}
			_, err := e.AnswerDispute(e.ctx, admin, b.ID) // pressed again
			e.wantCode(err, market.CodeConflict)
			e.stepEvery(5*time.Minute, 3)
			e.wantAnswers(1)
			if d := e.disputeForAdmin(b); d.Answering || d.AnsweredAt == nil {
				t.Errorf("admins see the sent answer as %+v", d)
			}
			e.auditEntry(admin, market.ActionAnswerDispute)
		})
	}
}

// An answer that could not be sent in time is not sent late.
func TestDisputeAnswerIsNotSentAfterItsTime(t *testing.T) {
	e, _, _, admin, b := disputedOrder(t)
	killed := market.New(e.store, e.clock, e.rules, crashingAnswers{Bank: e.bank})
	_, err := killed.AnswerDispute(e.ctx, admin, b.ID)
	e.must(err)
	e.clock.Pass(markettest.AnswerTime)
	e.stepEvery(25*time.Hour, 2)
	e.wantAnswers(0)
}

func TestTwoAdminsAnswerADisputeAtTheSameTime(t *testing.T) {
	e, _, _, admin, b := disputedOrder(t)
	results := make(chan error, 8)
	for range cap(results) {
		go func() {
			_, err := e.AnswerDispute(e.ctx, admin, b.ID)
			results <- err
		}()
	}
	answered := 0
	for range cap(results) {
		if err := <-results; err == nil {
			answered++
		} else {
			e.wantCode(err, market.CodeConflict)
		}
	}
	e.stepEvery(time.Minute, 2)
	if e.wantAnswers(1); answered != 1 {
		t.Errorf("%d calls have answered", answered)
	}
}

// sheets records which pictures were wanted.
type sheets struct{ ids []string }

// ContactSheet implements market.EvidencePictures.
func (s *sheets) ContactSheet(_ context.Context, photos []market.Evidence, _ int) ([]byte, error) {
	for _, photo := range photos {
		s.ids = append(s.ids, photo.Address())
	}
	return []byte("sheet"), nil
}

func TestDisputeAnswerHasWhatTheMarketKnows(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	pictures := &sheets{}
	e.UseEvidencePictures(pictures)
	thread, err := e.StartThread(e.ctx, buyer, market.MessageRequest{ProductID: b.ProductID, Text: "When do you send it?"})
	e.must(err)
	_, err = e.SendMessage(e.ctx, seller, thread.ID, market.MessageRequest{Text: "Tomorrow."})
	e.must(err)
	photo := func(who market.Actor) string {
		added, err := e.AddEvidence(e.ctx, who, b.ID)
		e.must(err)
		return added.Address()
	}
	e.fulfil(seller, b, sent)
	ofBuyer, ofSeller := photo(buyer), photo(seller)
	told, answered := problem, answer
	told.Photos, answered.Photos = []string{ofBuyer}, []string{ofSeller}
	e.fulfil(buyer, b, told)
	e.fulfil(seller, b, answered)
	e.clock.Pass(time.Hour)
	e.dispute(b)
	_, err = e.AnswerDispute(e.ctx, e.admin(), b.ID)
	e.must(err)
	e.wantAnswers(1)
	got := e.bank.Answers()[0]
	if got.BuyerName != buyer.User.Name || got.BuyerEmail != b.Email || got.Carrier != sent.Carrier || got.Tracking != sent.Tracking || got.SentOn == "" {
		t.Errorf("the answer is %+v", got)
	}
	for _, part := range []string{
		"Used phone: Nokia 3310. Price: $40", "with " + sent.Carrier + ", tracking number " + sent.Tracking, problem.Reason, answer.Text,
		"buyer: When do you send it?", "seller: Tomorrow.", "1 of the buyer, with the problem; 2 of the seller, with the answer.",
	} {
		if !strings.Contains(got.Facts, part) {
			t.Errorf("the answer lacks %q: %s", part, got.Facts)
		}
	}
	if string(got.Photos) != "sheet" || !slices.Equal(pictures.ids, []string{ofBuyer, ofSeller}) {
		t.Errorf("the photographs are %q of %q", got.Photos, pictures.ids)
	}
}

func TestDisputeAnswerTellsOfTheHandover(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	code, err := e.OpenHandover(e.ctx, buyer, b.ID)
	e.must(err)
	e.fulfil(seller, b, market.FulfilmentRequest{Action: "handed", Code: code.Code})
	e.dispute(b)
	_, err = e.AnswerDispute(e.ctx, e.admin(), b.ID)
	e.must(err)
	e.wantAnswers(1)
	if facts := e.bank.Answers()[0].Facts; !strings.Contains(facts, "Handed over in person on "+e.clock.Now().UTC().Format("2006-01-02")) {
		t.Errorf("the answer does not tell of the handover: %s", facts)
	}
}

// The bank takes 20,000 characters. The newest lines say most about the order.
func TestDisputeAnswerLeavesOutTheOldestLines(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	thread, err := e.StartThread(e.ctx, buyer, market.MessageRequest{ProductID: b.ProductID, Text: "first line"})
	e.must(err)
	for i := range 15 {
		e.clock.Pass(time.Hour)
		_, err = e.SendMessage(e.ctx, seller, thread.ID, market.MessageRequest{Text: fmt.Sprint("line ", i, " ", strings.Repeat("é ", 900))})
		e.must(err)
	}
	e.dispute(b)
	_, err = e.AnswerDispute(e.ctx, e.admin(), b.ID)
	e.must(err)
	e.wantAnswers(1)
	facts := e.bank.Answers()[0].Facts
	if n := len([]rune(facts)); n > 20_000 || n < 17_000 {
		t.Errorf("the text has %d characters", n)
	}
	if strings.Contains(facts, "first line") || !strings.Contains(facts, "(Older lines are left out.)\n") || !strings.Contains(facts, "line 14") {
		t.Errorf("the text is %s", facts)
	}
}

// A repeated call has to send the same.
func TestDisputeAnswerHasNoLineAfterItWasBegun(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	thread, err := e.StartThread(e.ctx, buyer, market.MessageRequest{ProductID: b.ProductID, Text: "before"})
	e.must(err)
	e.clock.Pass(time.Hour)
	e.dispute(b)
	killed := market.New(e.store, e.clock, e.rules, crashingAnswers{Bank: e.bank})
	_, err = killed.AnswerDispute(e.ctx, e.admin(), b.ID)
	e.must(err)
	e.clock.Pass(time.Minute)
	_, err = e.SendMessage(e.ctx, seller, thread.ID, market.MessageRequest{Text: "after"})
	e.must(err)
	e.stepEvery(5*time.Minute, 3)
	e.wantAnswers(1)
	if facts := e.bank.Answers()[0].Facts; !strings.Contains(facts, "buyer: before") || strings.Contains(facts, "seller: after") {
		t.Errorf("the answer is %s", facts)
	}
}
