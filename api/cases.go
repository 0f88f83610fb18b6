package api

import (
	"context"
	"net/http"

	"secondring/api/rest"
	"secondring/market"
)

// newCaseReport is the body of POST /reports.
type newCaseReport struct {
	Kind   string `json:"kind" enum:"product,person,picture"`
	ID     string `json:"id" doc:"The _id of the phone or the person, or the file name of the picture"`
	Rule   string `json:"rule" enum:"stolen,counterfeit,not_as_shown,fake_price,contact,insult,spam,forbidden,other"`
	Reason string `json:"reason" maxLength:"1000"`
	Key    string `json:"key,omitempty" maxLength:"64" doc:"Any text that you make with the form. For a day, the same call with the same key has the same response and creates nothing"`
}

// newDecision is the body of PUT /cases/{id}.
type newDecision struct {
	Version   *int   `json:"version" doc:"The version of the case that you have read. If it has changed since, the status is 409"`
	Decision  string `json:"decision" enum:"keep,warn,remove,suspend,close" doc:"remove: a phone, which is hidden, or a picture. The others but keep: the person concerned"`
	Unfounded bool   `json:"unfounded,omitempty" doc:"With keep: the reports were made up. After three such reports within 30 days a person cannot report for 30 days"`
	Days      int    `json:"days,omitempty" doc:"With suspend: 1, 7 or 30"`
	Rule      string `json:"rule,omitempty" doc:"stolen, counterfeit, not_as_shown, fake_price, contact, insult, spam, forbidden or other. Optional with keep"`
	Words     string `json:"words,omitempty" maxLength:"1000" doc:"What the person concerned reads, 20 characters at least. Optional with keep"`
}

// newAppeal is the body of POST /decisions/{id}/appeal.
type newAppeal struct {
	Text string `json:"text" maxLength:"2000"`
}

// newAppealByToken is the body of POST /decisions/appeal.
type newAppealByToken struct {
	Token string `json:"token" doc:"Of the link in the letter, or of the response to the sign-in"`
	Text  string `json:"text" maxLength:"2000"`
}

// appealAnswer is the body of PUT /cases/{id}/appeal.
type appealAnswer struct {
	Version *int   `json:"version" doc:"The version of the case that you have read. If it has changed since, the status is 409"`
	Outcome string `json:"outcome" enum:"upheld,reversed" doc:"reversed gives back what the decision has hidden"`
	Words   string `json:"words" maxLength:"1000" doc:"What the person concerned reads, 20 characters at least"`
}

var caseState = rest.Param{Name: "state", Description: "open, decided, appealed or closed; all cases without it"}

func (h handlers) cases() []rest.Route {
	notAllowed := []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict}
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/reports", ID: "reportTarget", Tag: "cases",
			Summary: "Report a phone, a person or a picture to the admins. You can report each once while its case is open", Access: rest.Bearer,
			Body: newCaseReport{}, Response: Inserted{}, Handle: h.reportTarget, ErrorStatuses: append(notAllowed, http.StatusTooManyRequests),
		},
		{
			Method: http.MethodGet, Path: "/cases", ID: "listCases", Tag: "cases",
			Summary: "List cases, the oldest first (admins only)", Access: rest.Bearer, IsList: true, Query: []rest.Param{caseState},
			Response: []market.CaseView{}, ErrorStatuses: []int{http.StatusForbidden, http.StatusUnprocessableEntity}, Handle: h.listCases,
		},
		{
			Method: http.MethodGet, Path: "/cases/{id}", ID: "getCase", Tag: "cases",
			Summary: "Get a case with what was reported (admins whom it does not concern). The audit log says who has read it", Access: rest.Bearer,
			Response: market.CaseDetail{}, ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound}, Handle: h.getCase,
		},
		{
			Method: http.MethodPut, Path: "/cases/{id}", ID: "decideCase", Tag: "cases",
			Summary: "Decide a case (admins whom it does not concern)", Access: rest.Bearer,
			Body: newDecision{}, Response: Modified{}, ErrorStatuses: notAllowed, Handle: h.decideCase,
		},
		{
			Method: http.MethodPut, Path: "/cases/{id}/appeal", ID: "answerAppeal", Tag: "cases",
			Summary: "Decide an appeal (another admin than the one who decided the case, where there is one)", Access: rest.Bearer,
			Body: appealAnswer{}, Response: Modified{}, ErrorStatuses: notAllowed, Handle: h.answerAppeal,
		},
		{
			Method: http.MethodGet, Path: "/decisions", ID: "listDecisions", Tag: "cases",
			Summary: "List the decisions against you, newest first", Access: rest.Bearer, IsList: true,
			Response: []market.DecisionView{}, Handle: h.listDecisions,
		},
		{
			Method: http.MethodPost, Path: "/decisions/{id}/appeal", ID: "appealDecision", Tag: "cases",
			Summary: "Ask another admin to look at a decision against you again, once, within 180 days", Access: rest.Bearer,
			Body: newAppeal{}, Response: Modified{}, ErrorStatuses: notAllowed, Handle: h.appealDecision,
		},
		{
			Method: http.MethodPost, Path: "/decisions/appeal", ID: "appealByToken", Tag: "cases",
			Summary: "The same without signing in, with the token of the letter", Access: rest.Anyone,
			Body: newAppealByToken{}, Response: Modified{}, ErrorStatuses: []int{http.StatusGone}, Handle: h.appealByToken,
		},
	}
}

func (h handlers) reportTarget(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[newCaseReport](w, r)
	if err != nil {
		return err
	}
	id, err := h.market.ReportTarget(r.Context(), actor(r), market.CaseReportRequest{
		Kind: in.Kind, ID: in.ID, Rule: in.Rule, Reason: in.Reason, Key: in.Key, Wrong: wrong,
	})
	if err == nil {
		rest.JSON(w, http.StatusOK, Inserted{Acknowledged: true, InsertedID: id})
	}
	return err
}

func (h handlers) listCases(w http.ResponseWriter, r *http.Request) error {
	who, state := actor(r), r.URL.Query().Get("state")
	return listing[market.Case]{
		topic: topicAdmin(r),
		read: func(ctx context.Context, page market.Page) (market.List[market.Case], error) {
			return h.market.Cases(ctx, who, state, page)
		},
		encode: viewed(market.Case.View),
		id:     func(c market.Case) string { return c.ID },
	}.serve(h, w, r)
}

func (h handlers) getCase(w http.ResponseWriter, r *http.Request) error {
	who, id := actor(r), rest.PathValue(r, "id")
	return readLive(h, w, r, topicAdmin(r), func(ctx context.Context) (market.CaseDetail, error) {
		return h.market.CaseDetail(ctx, who, id)
	})
}

func (h handlers) decideCase(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[newDecision](w, r)
	if err != nil {
		return err
	}
	n, err := h.market.Decide(r.Context(), actor(r), rest.PathValue(r, "id"), market.DecisionRequest{
		Version: in.Version, Decision: in.Decision, Unfounded: in.Unfounded, Days: in.Days, Rule: in.Rule, Words: in.Words, Wrong: wrong,
	})
	return modified(w, n, err)
}

func (h handlers) answerAppeal(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[appealAnswer](w, r)
	if err != nil {
		return err
	}
	n, err := h.market.AnswerAppeal(r.Context(), actor(r), rest.PathValue(r, "id"), market.AppealAnswer{
		Version: in.Version, Outcome: in.Outcome, Words: in.Words, Wrong: wrong,
	})
	return modified(w, n, err)
}

func (h handlers) listDecisions(w http.ResponseWriter, r *http.Request) error {
	who := actor(r)
	return listing[market.Case]{
		topic: topicMe(who.User.UID),
		read: func(ctx context.Context, page market.Page) (market.List[market.Case], error) {
			return h.market.Decisions(ctx, who, page)
		},
		encode: viewed(market.Case.DecisionView),
		id:     func(c market.Case) string { return c.ID },
	}.serve(h, w, r)
}

func (h handlers) appealDecision(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[newAppeal](w, r)
	if err != nil {
		return err
	}
	n, err := h.market.AppealDecision(r.Context(), actor(r), rest.PathValue(r, "id"), market.AppealRequest{Text: in.Text, Wrong: wrong})
	return modified(w, n, err)
}

func (h handlers) appealByToken(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[newAppealByToken](w, r)
	if err != nil {
		return err
	}
	n, err := h.market.AppealByToken(r.Context(), market.AppealRequest{Token: in.Token, Text: in.Text, Wrong: wrong})
	return modified(w, n, err)
}
