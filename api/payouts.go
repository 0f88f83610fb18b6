package api

import (
	"net/http"

	"secondring/api/rest"
)

// OnboardingLink is the response of POST /payouts/onboarding.
type OnboardingLink struct {
	URL string `json:"url" doc:"URL of the page at Stripe. It can be used once and expires after a few minutes"`
}

func (h handlers) payouts() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/payouts/onboarding", ID: "openOnboarding", Tag: "orders",
			Summary: "Get a link to the page at Stripe on which you set up your payout account (sellers only, with the setting PAYOUTS=stripe)",
			Access:  rest.Bearer, Response: OnboardingLink{}, Handle: h.openOnboarding, CallsProvider: rest.AllCalls,
			ErrorStatuses: []int{http.StatusForbidden, http.StatusConflict},
		},
	}
}

func (h handlers) openOnboarding(w http.ResponseWriter, r *http.Request) error {
	url, err := h.market.OpenOnboarding(r.Context(), actor(r))
	if err == nil {
		w.Header().Set("Cache-Control", "no-store")
		rest.JSON(w, http.StatusOK, OnboardingLink{URL: url})
	}
	return err
}
