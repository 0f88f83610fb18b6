package apitest_test

import (
	"encoding/csv"
	"net/http"
	"slices"
	"strings"
	"testing"

	"secondring/market"
)

func TestEarningsFile(t *testing.T) {
	e := newOrdersEnv(t)
	read := func() [][]string {
		t.Helper()
		got := e.seller.get("/earnings.csv").wantStatus(http.StatusOK)
		if got.Header.Get("Content-Type") != "text/csv; charset=utf-8" || got.Header.Get("Cache-Control") != "no-store" ||
			got.Header.Get("Content-Disposition") != `attachment; filename="earnings.csv"` {
			t.Errorf("the headers are %v", got.Header)
		}
		text, hasMark := strings.CutPrefix(string(got.body), "\uFEFF")
		lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || !hasMark || !strings.HasSuffix(text, "\r\n") {
			t.Fatalf("the file is %q, error %v", got.body, err)
		}
		return lines
	}
	if got := read(); len(got) != 1 || got[0][0] != "Paid on" {
		t.Errorf("without a sale the file has %v", got)
	}
	waiting, paidOut := e.paidOrder(e.seller, e.buyer), e.settledOrder(e.seller, e.buyer)
	e.admin.putPayout(paidOut, fields{"reference": "=1+1"}).wantCount("modifiedCount", 1)
	e.settledOrder(e.otherSeller, e.buyer)
	today := e.clock.Now().Format("2006-01-02")
	var earnings market.EarningsView
	e.seller.get("/earnings").decode(&earnings)
	want := [][]string{
		{today, paidOut, earnings.Lines[0].ProductName, "120.00", "0.00", "6.00", "114.00", "paidOut", "'=1+1", today},
		{today, waiting, earnings.Lines[1].ProductName, "120.00", "0.00", "6.00", "114.00", "waiting", "", ""},
	}
	if got := read()[1:]; !slices.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("the lines are %q, want %q", got, want)
	}
	e.buyer.get("/earnings.csv").wantError(http.StatusForbidden, market.CodeForbidden)
	e.admin.get("/earnings.csv").wantError(http.StatusForbidden, market.CodeForbidden)
}
