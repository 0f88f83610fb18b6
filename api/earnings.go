package api

import (
	"context"
	"net/http"
	"strconv"

	"secondring/api/rest"
	"secondring/market"
)

func (h handlers) earnings() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/earnings", ID: "getEarnings", Tag: "orders",
			Summary: "Get your earnings and a page of your sales (sellers only). Each event booking.changed of the topic me, about a phone that you sold, may change them. The header Live-Position of the response is for this topic", Access: rest.Bearer,
			IsList: true, Response: market.EarningsView{}, ErrorStatuses: []int{http.StatusForbidden}, Handle: h.getEarnings,
			CallsProvider: hasPendingAccount,
		},
		{
			Method: http.MethodGet, Path: "/earnings.csv", ID: "getEarningsFile", Tag: "orders",
			Summary: "Download all your sales as a CSV file, newest first (sellers only): a line for each, with the fields of lines of GET /earnings, money in US dollars. A cell that a spreadsheet would read as a formula begins with an apostrophe",
			Access:  rest.Bearer, MediaType: "text/csv", ErrorStatuses: []int{http.StatusForbidden}, Handle: h.getEarningsFile,
		},
	}
}

// hasPendingAccount returns whether the person has a payout account about which the provider is
// asked.
func hasPendingAccount(who market.Actor) bool {
	return who.User.PayoutAccount != nil && !who.User.PayoutAccount.IsReady
}

func (h handlers) getEarnings(w http.ResponseWriter, r *http.Request) error {
	who := actor(r)
	page, err := rest.ByID.ReadPage(h.cursorKey, r)
	if err != nil {
		return err
	}
	return readLive(h, w, r, topicMe(who.User.UID), func(ctx context.Context) (market.EarningsView, error) {
		earnings, err := h.market.Earnings(ctx, who, page)
		sales := earnings.Lines
		w.Header().Set("X-Total-Count", strconv.Itoa(sales.Total))
		if sales.More {
			last := sales.Items[len(sales.Items)-1].Booking.ID
			w.Header().Set("Link", rest.ByID.Next(h.cursorKey, r, page, last))
		}
		return earnings.View(), err
	})
}
