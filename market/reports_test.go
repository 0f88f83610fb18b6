package market_test

import (
	"slices"
	"testing"

	"secondring/market"
)

func TestReportsOncePerPhoneAndReporter(t *testing.T) {
	e := newEnv(t)
	admin, buyer := e.admin(), e.buyer()
	seller := e.seller()
	p := e.phone(seller)
	e.drain()
	in := market.ReportRequest{ProductID: p.ID, Reason: "Not a 3310"}
	r, err := e.AddReport(e.ctx, buyer, in)
	e.must(err)
	_, err = e.AddReport(e.ctx, buyer, in)
	e.wantCode(err, market.CodeReported)
	_, err = e.AddReport(e.ctx, buyer, market.ReportRequest{ProductID: p.ID})
	e.wantCode(err, market.CodeInvalid)
	_, err = e.AddReport(e.ctx, buyer, market.ReportRequest{ProductID: "nope", Reason: "x"})
	e.wantCode(err, market.CodeNotFound)
	_, err = e.Reports(e.ctx, buyer, market.Page{Limit: 10})
	e.wantCode(err, market.CodeForbidden)
	list, err := e.Reports(e.ctx, admin, market.Page{Limit: 10})
	if e.must(err); len(list.Items) != 1 || list.Items[0].Reason != "Not a 3310" || list.Items[0].SellerID != seller.User.ID {
		t.Errorf("the reports are %+v", list)
	}
	n, err := e.RemoveReport(e.ctx, admin, r.ID)
	if e.must(err); n != 1 {
		t.Errorf("removed %d, want 1", n)
	}
	if got := e.publishedEvents(); !slices.Equal(got, []string{
		"me:" + admin.User.UID + " notification.added", "admin case.changed", "admin report.created",
		"admin case.changed", "admin report.removed", "admin audit.added",
	}) {
		t.Errorf("published %q", got)
	}
}

func TestReportsHaveSellerAndRemoval(t *testing.T) {
	e := newEnv(t)
	admin, seller := e.admin(), e.seller()
	p := e.phone(seller)
	r, err := e.AddReport(e.ctx, e.buyer(), market.ReportRequest{ProductID: p.ID, Reason: "Stolen"})
	e.must(err)
	reports := func() []market.ReportView {
		list, err := e.Reports(e.ctx, admin, market.Page{Limit: 10})
		e.must(err)
		return list.Items
	}
	for _, v := range reports() {
		if v.SellerID != seller.User.ID || v.PhoneRemoved || v.Version != 1 {
			t.Errorf("the report of a listed phone is %+v", v)
		}
	}
	e.drain()
	_, err = e.RemoveProduct(e.ctx, seller, p.ID, market.RemovalReason{})
	e.must(err)
	if publishedEvents := e.publishedEvents(); !slices.Contains(publishedEvents, "admin product.removed") {
		t.Errorf("no event for the admins: %q", publishedEvents)
	}
	for _, v := range reports() {
		if !v.PhoneRemoved || v.Version != 2 || v.SellerID != seller.User.ID {
			t.Errorf("the report of a removed phone is %+v", v)
		}
	}
	_, err = e.RemoveReport(e.ctx, admin, r.ID)
	e.must(err)
	for _, event := range e.drain() {
		if event.Type == market.TypeReportRemoved && event.Version <= 2 {
			t.Errorf("the report is removed at version %d, after version 2", event.Version)
		}
	}
}
