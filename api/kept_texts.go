package api

import (
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

// newTexts is the body of PUT /texts.
type newTexts struct {
	Texts   []string `json:"texts" maxItems:"50" doc:"All texts: at most 50, each one line of at most 500 characters"`
	Version *int     `json:"version" doc:"The version of the texts that you have changed. If another admin has changed them since, the status is 409"`
}

// keptTexts returns the routes of the texts that admins keep and use again.
func (h handlers) keptTexts() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/texts", ID: "getTexts", Tag: "texts",
			Summary: "Get the texts that admins keep for use in reasons (admins only)", Access: rest.Bearer,
			Response: market.KeptTextsView{}, ErrorStatuses: []int{http.StatusForbidden}, Handle: h.getTexts,
		},
		{
			Method: http.MethodPut, Path: "/texts", ID: "keepTexts", Tag: "texts",
			Summary: "Replace the texts that admins keep (admins only)", Access: rest.Bearer,
			Body: newTexts{}, Response: Modified{}, ErrorStatuses: []int{http.StatusForbidden, http.StatusConflict}, Handle: h.keepTexts,
		},
	}
}

func (h handlers) getTexts(w http.ResponseWriter, r *http.Request) error {
	texts, err := h.market.KeptTexts(r.Context(), actor(r))
	if err != nil {
		return err
	}
	return rest.SendJSON(w, r, readerKind(r), texts)
}

func (h handlers) keepTexts(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[newTexts](w, r)
	if err != nil {
		return err
	}
	n, err := h.market.KeepTexts(r.Context(), actor(r), market.KeptTextsRequest{Texts: in.Texts, Version: in.Version, Wrong: wrong})
	return modified(w, n, err)
}
