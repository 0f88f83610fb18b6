package market_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

func (e *env) addEvidence(who market.Actor, b market.Booking) market.Evidence {
	e.t.Helper()
	e.must(e.MayAddEvidence(e.ctx, who, b.ID))
	added, err := e.AddEvidence(e.ctx, who, b.ID)
	e.must(err)
	return added
}

// anotherOrder returns another paid order of the buyer with the seller.
func (e *env) anotherOrder(seller, buyer market.Actor) market.Booking {
	e.t.Helper()
	b := e.mustBook(buyer, e.phone(seller))
	e.mustPay(buyer, b)
	return b
}

func TestOnlyOwnEvidenceOfTheOrderIsAccepted(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	own := make([]string, 7)
	for i := range own {
		own[i] = e.addEvidence(buyer, b).Address()
	}
	other := e.addEvidence(buyer, e.anotherOrder(seller, buyer)).Address()
	sellers := e.addEvidence(seller, b).Address()
	e.must(e.MustBeEvidence(e.ctx, b, buyer.User.UID))
	e.must(e.MustBeEvidence(e.ctx, b, buyer.User.UID, own[:6]...))
	e.must(e.MustBeEvidence(e.ctx, b, seller.User.UID, sellers))
	const foreign = "Photos must be photographs that you have added to this order"
	for name, c := range map[string]struct {
		addresses []string
		want      string
	}{
		"too many":                {own, "Photos must have at most 6"},
		"one twice":               {[]string{own[0], own[1], own[0]}, "Photos must have each photograph once"},
		"of the other side":       {[]string{own[0], sellers}, foreign},
		"of another order":        {[]string{other}, foreign},
		"unknown":                 {[]string{market.EvidencePath + strings.Repeat("0", 32)}, foreign},
		"a picture":               {[]string{"/images/" + strings.Repeat("0", 64) + ".jpg"}, foreign},
		"of another site":         {[]string{"https://evil.example" + own[0]}, foreign},
		"another name of a known": {[]string{strings.ToUpper(own[0])}, foreign},
		"empty":                   {[]string{""}, foreign},
	} {
		err := e.MustBeEvidence(e.ctx, b, buyer.User.UID, c.addresses...)
		refused, ok := errors.AsType[*market.Error](err)
		if !ok || refused.Fields["photos"] != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// 180 days after the settlement the pictures of an order are deleted, and never before, however late it
// is settled. Pictures of other orders stay.
func TestEvidenceIsKeptUntil180DaysAfterSettlement(t *testing.T) {
	const day = 24 * time.Hour
	e, seller, buyer, _, b := paidOrder(t)
	open := e.anotherOrder(seller, buyer)
	for _, id := range []string{b.ID, open.ID} { // a problem has no deadline that settles the order
		_, err := e.Fulfil(e.ctx, buyer, id, market.FulfilmentRequest{Action: "problem", Reason: "It is broken."})
		e.must(err)
	}
	photo, kept := e.addEvidence(buyer, b), e.addEvidence(seller, open)
	var deleted []string
	failing := false
	work := markettest.Runner(e.clock, func(r *market.Runner) {
		e.AddEvidenceDeletion(r, func(_ context.Context, v market.Evidence) error {
			if failing {
				return errors.New("the disk is full")
			}
			deleted = append(deleted, v.ID)
			return nil
		})
	})
	wantDeleted := func(after time.Duration, want ...string) {
		t.Helper()
		e.clock.Pass(after)
		e.must(work.Step(e.ctx))
		if !slices.Equal(deleted, want) {
			t.Fatalf("deleted are %v, want %v", deleted, want)
		}
	}
	for range 5 { // longer than 180 days in all
		wantDeleted(50 * day)
	}
	_, err := e.Fulfil(e.ctx, e.admin(), b.ID, market.FulfilmentRequest{Action: "settle", Outcome: "release", Reason: "It is as described."})
	e.must(err)
	wantDeleted(180*day - time.Minute)
	failing = true
	e.clock.Pass(2 * time.Minute)
	if work.Step(e.ctx) == nil {
		t.Error("an error of the host is not reported")
	}
	e.must(e.MustBeEvidence(e.ctx, b, buyer.User.UID, photo.Address())) // stays until its picture is deleted
	failing = false
	wantDeleted(0, photo.ID)
	wantDeleted(400*day, photo.ID)
	if _, err := e.Evidence(e.ctx, buyer, photo.ID); market.CodeOf(err) != market.CodeNotFound {
		t.Errorf("the photograph is still stored: %v", err)
	}
	_, err = e.Evidence(e.ctx, buyer, kept.ID)
	e.must(err)
}

// If the process is killed after the picture was deleted, the next one deletes the rest.
func TestDeletionOfEvidenceIsRepeated(t *testing.T) {
	e, _, buyer, _, b := paidOrder(t)
	photo := e.addEvidence(buyer, b)
	_, err := e.Fulfil(e.ctx, buyer, b.ID, market.FulfilmentRequest{Action: "received"})
	e.must(err)
	e.passAndStep(e.rules.SettleAfter)
	e.clock.Pass(market.EvidenceRetention)
	deletions, killed := 0, true
	store := e.store.Hooked(func(_ context.Context, call market.StoreCall, write func() error) error {
		if killed && call.Op == market.OpRemove {
			return market.ErrUnavailable
		}
		return write()
	})
	m := market.New(store, e.clock, e.rules, e.bank)
	work := markettest.Runner(e.clock, func(r *market.Runner) {
		m.AddEvidenceDeletion(r, func(context.Context, market.Evidence) error { deletions++; return nil })
	})
	if err := work.Step(e.ctx); err == nil {
		t.Fatal("the first deletion is not interrupted")
	}
	killed = false
	e.must(work.Step(e.ctx))
	e.must(work.Step(e.ctx))
	if _, err := e.Evidence(e.ctx, buyer, photo.ID); market.CodeOf(err) != market.CodeNotFound || deletions != 2 {
		t.Errorf("after %d deletions of the picture: %v", deletions, err)
	}
}

func TestEvidenceIsAddedWhileTheOrderIsOpen(t *testing.T) {
	e, seller, buyer, p, b := paidOrder(t)
	e.wantCode(e.MayAddEvidence(e.ctx, e.buyer(), b.ID), market.CodeForbidden)
	e.wantCode(e.MayAddEvidence(e.ctx, e.admin(), b.ID), market.CodeForbidden)
	e.wantCode(e.MayAddEvidence(e.ctx, buyer, p.ID), market.CodeNotFound)
	held := e.mustBook(buyer, e.phone(seller))
	e.wantCode(e.MayAddEvidence(e.ctx, buyer, held.ID), market.CodeConflict)
	for range 12 {
		e.addEvidence(buyer, b)
	}
	_, err := e.AddEvidence(e.ctx, buyer, b.ID)
	e.wantCode(err, market.CodeTooMany)
	e.addEvidence(seller, b)
	e.addEvidence(buyer, e.anotherOrder(seller, buyer))
	_, err = e.Fulfil(e.ctx, e.admin(), b.ID, market.FulfilmentRequest{Action: "settle", Outcome: "refund", Reason: "It is broken."})
	e.must(err)
	e.wantCode(e.MayAddEvidence(e.ctx, seller, b.ID), market.CodeConflict)
}

// The photographs of an order stay with it when a side leaves.
func TestEvidenceStaysWhenASideLeaves(t *testing.T) {
	e, seller, buyer, _, b := paidOrder(t)
	photo := e.addEvidence(buyer, b)
	_, err := e.Fulfil(e.ctx, buyer, b.ID, market.FulfilmentRequest{Action: "received"})
	e.must(err)
	e.passAndStep(e.rules.SettleAfter)
	e.must(e.deleteAccount(buyer))
	e.step()
	_, err = e.Evidence(e.ctx, seller, photo.ID)
	e.must(err)
}
