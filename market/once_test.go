package market_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/market"
	"secondring/market/markettest"
)

func (e *env) countPhones(seller market.Actor) int {
	e.t.Helper()
	list, err := e.store.ProductsOfSeller(e.ctx, seller.User.UID, market.Page{Limit: 100})
	e.must(err)
	return len(list.Items)
}

// The answer was lost, and the person sends the form again, to any node.
func TestSameKeyCreatesOnce(t *testing.T) {
	e := newEnv(t)
	seller, buyer := e.seller(), e.buyer()
	in := e.productRequest(seller)
	in.Key = "form 1"
	first, err := e.AddProduct(e.ctx, seller, in)
	e.must(err)
	again, err := market.New(e.store, e.clock, e.rules, e.bank).AddProduct(e.ctx, seller, in)
	e.must(err)
	if again.ID != first.ID || e.countPhones(seller) != 1 {
		t.Errorf("the phones are %s and %s, the seller has %d", first.ID, again.ID, e.countPhones(seller))
	}
	report := market.ReportRequest{ProductID: first.ID, Reason: "It is stolen.", Key: "form 1"}
	r, err := e.AddReport(e.ctx, buyer, report)
	e.must(err)
	repeated, err := e.AddReport(e.ctx, buyer, report)
	e.must(err)
	if repeated.ID != r.ID {
		t.Errorf("the reports are %s and %s", r.ID, repeated.ID)
	}
	report.Key = "form 2"
	_, err = e.AddReport(e.ctx, buyer, report)
	e.wantCode(err, market.CodeReported)
}

// What was created was removed before the form was sent again.
func TestSameKeyBringsNothingBack(t *testing.T) {
	e := newEnv(t)
	seller, buyer, admin := e.seller(), e.buyer(), e.admin()
	in := e.productRequest(seller)
	in.Key = "form 1"
	p, err := e.AddProduct(e.ctx, seller, in)
	e.must(err)
	report := market.ReportRequest{ProductID: p.ID, Reason: "It is stolen.", Key: "form 1"}
	r, err := e.AddReport(e.ctx, buyer, report)
	e.must(err)
	if _, err := e.RemoveReport(e.ctx, admin, r.ID); err != nil {
		t.Fatal(err)
	}
	repeated, err := e.AddReport(e.ctx, buyer, report)
	e.must(err)
	if _, err := e.store.Report(e.ctx, r.ID); repeated.ID != r.ID || !errors.Is(err, market.ErrNotFound) {
		t.Errorf("the report is %s, was %s, read: %v", repeated.ID, r.ID, err)
	}
	if _, err := e.RemoveProduct(e.ctx, admin, p.ID, market.RemovalReason{}); err != nil {
		t.Fatal(err)
	}
	again, err := e.AddProduct(e.ctx, seller, in)
	e.must(err)
	if again.ID != p.ID || e.countPhones(seller) != 0 {
		t.Errorf("the phone is %s, was %s, the seller has %d", again.ID, p.ID, e.countPhones(seller))
	}
}

// A key belongs to a person, and lasts a day. Calls without one create something each time.
func TestOtherKeysCreateAgain(t *testing.T) {
	e := newEnv(t)
	seller, other := e.seller(), e.seller()
	add := func(who market.Actor, key string) {
		t.Helper()
		in := e.productRequest(who)
		in.Key = key
		_, err := e.AddProduct(e.ctx, who, in)
		e.must(err)
	}
	add(seller, "form 1")
	add(other, "form 1")
	add(seller, "form 2")
	add(seller, "")
	add(seller, "")
	e.clock.Pass(day)
	add(seller, "form 1")
	if n, others := e.countPhones(seller), e.countPhones(other); n != 5 || others != 1 {
		t.Errorf("the sellers have %d and %d phones, want 5 and 1", n, others)
	}
	in := e.productRequest(seller)
	in.Key = strings.Repeat("k", 65)
	_, err := e.AddProduct(e.ctx, seller, in)
	e.wantInvalid(err, "key")
}

func TestSameKeyAtTheSameTimeCreatesOnce(t *testing.T) {
	e := newEnv(t)
	seller := e.seller()
	in := e.productRequest(seller)
	in.Key = "form 1"
	ids := make([]string, 8)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			p, err := e.AddProduct(e.ctx, seller, in)
			if err != nil {
				t.Error(err)
			}
			ids[i] = p.ID
		})
	}
	all.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("the calls answer %v", ids)
			break
		}
	}
	if n := e.countPhones(seller); n != 1 {
		t.Errorf("the seller has %d phones, want 1", n)
	}
}

// The process is killed before or after each write of the first call.
func TestSameKeyCreatesOnceDespiteAKill(t *testing.T) {
	for n := range 4 {
		e := newEnv(t)
		seller := e.seller()
		in := e.productRequest(seller)
		in.Key = "form 1"
		crash := &markettest.Crash{Writes: n / 2, Made: n%2 == 1, Die: func() error { return errCrash }}
		killed := market.New(markettest.Guarded(e.store, crash.Guard), e.clock, e.rules, e.bank)
		_, _ = killed.AddProduct(e.ctx, seller, in)
		e.clock.Pass(time.Minute)
		p, err := e.AddProduct(e.ctx, seller, in)
		e.must(err)
		again, err := e.AddProduct(e.ctx, seller, in)
		e.must(err)
		if again.ID != p.ID || e.countPhones(seller) != 1 {
			t.Errorf("after a kill at write %d the seller has %d phones", n/2, e.countPhones(seller))
		}
	}
}
