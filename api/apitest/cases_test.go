package apitest_test

import (
	"net/http"
	"testing"

	"secondring/market"
)

// A seller is reported twice, decided, appeals without signing in, and is given back.
func TestCaseFromReportsToAppeal(t *testing.T) {
	e := newEnv(t)
	seller, first, second := e.seller("Sue"), e.buyer("Bob"), e.buyer("Ann")
	admin, other := e.admin("Root"), e.admin("Rita")
	phone := seller.addPhone(e.brand("Nokia"))
	first.do(http.MethodPost, "/reports", fields{"kind": "product", "id": phone, "rule": "not_as_shown", "reason": "Not a Nokia"}).insertedID()
	second.do(http.MethodPost, "/reportedItems", fields{"productID": phone, "reason": "Stolen"}).insertedID()
	first.do(http.MethodPost, "/reports", fields{"kind": "product", "id": phone, "rule": "spam", "reason": "Again"}).wantError(http.StatusConflict, market.CodeReported)

	open := admin.get("/cases?state=open").items()
	if len(open) != 1 || open[0]["reportCount"] != 2.0 || open[0]["kind"] != "product" {
		t.Fatalf("the open cases are %v", open)
	}
	id := open[0]["_id"].(string)
	decide := func(p *person, body fields) response { return p.do(http.MethodPut, "/cases/"+id, body) }
	decision := fields{"version": open[0]["version"], "decision": "remove", "rule": "not_as_shown", "words": wordsOfDecision}
	t.Run("401, 404, 403, 422, 409 in this order", func(t *testing.T) {
		decide(e.visitor(), decision).wantError(http.StatusUnauthorized, market.CodeNoToken)
		admin.do(http.MethodPut, "/cases/none", decision).wantError(http.StatusNotFound, market.CodeNotFound)
		decide(seller, decision).wantError(http.StatusForbidden, market.CodeForbidden)
		decide(admin, decision.with("words", "Too short")).wantInvalid("words")
		decide(admin, decision.with("rule", "rude")).wantInvalid("rule")
		decide(admin, decision.with("version", nil)).wantInvalid("version")
		decide(admin, decision.with("version", 999)).wantError(http.StatusConflict, market.CodeConflict)
	})
	decide(admin, decision).wantCount("modifiedCount", 1)
	decided := admin.get("/cases/" + id).object()
	decide(other, decision.with("version", decided["version"])).wantError(http.StatusConflict, market.CodeDecided)
	first.get("/products/"+phone).wantError(http.StatusNotFound, market.CodeNotFound)
	for _, p := range []*person{seller, admin} {
		if got := p.get("/products/" + phone).object(); got["hidden"] != true {
			t.Errorf("the hidden phone is %v", got)
		}
	}
	if items := admin.get("/reportedItems").items(); len(items) != 0 {
		t.Errorf("the reported items are %v", items)
	}

	decisions := seller.get("/decisions").items()
	if len(decisions) != 1 || decisions[0]["words"] != wordsOfDecision || decisions[0]["automated"] != false {
		t.Fatalf("the decisions are %v", decisions)
	}
	first.do(http.MethodPost, "/decisions/"+id+"/appeal", fields{"text": "Why?"}).wantError(http.StatusForbidden, market.CodeForbidden)
	seller.do(http.MethodPost, "/decisions/"+id+"/appeal", fields{"text": "It is one."}).wantCount("modifiedCount", 1)
	seller.do(http.MethodPost, "/decisions/"+id+"/appeal", fields{"text": "Again"}).wantError(http.StatusConflict, market.CodeOver)
	answer := fields{"version": admin.get("/cases?state=appealed").items()[0]["version"], "outcome": "reversed", "words": wordsOfDecision}
	admin.do(http.MethodPut, "/cases/"+id+"/appeal", answer).wantError(http.StatusForbidden, market.CodeForbidden)
	other.do(http.MethodPut, "/cases/"+id+"/appeal", answer).wantCount("modifiedCount", 1)
	if got := first.get("/products/" + phone).wantStatus(http.StatusOK).object(); got["hidden"] != nil {
		t.Errorf("the phone is %v", got)
	}
}

func TestClosedAccountIsTold(t *testing.T) {
	e := newEnv(t)
	seller, admin, other := e.seller("Sue"), e.admin("Root"), e.admin("Rita")
	phone := seller.addPhone(e.brand("Nokia"))
	account, err := e.store.Account(t.Context(), seller.user.UID)
	must(t, err)
	account.PasswordHash = cheapHash()
	account.Version++
	must(t, e.store.SaveAccount(t.Context(), account, nil))
	admin.do(http.MethodDelete, "/users/"+seller.user.ID, fields{"rule": "stolen", "words": wordsOfDecision}).wantCount("deletedCount", 1)
	signIn := func(secret string) response {
		return e.visitor().do(http.MethodPost, "/identity/sign-in", fields{"email": seller.user.Email, "password": secret})
	}
	signIn("a wrong password").wantError(http.StatusUnauthorized, market.CodeNoToken)
	closed := signIn(password).wantStatus(http.StatusForbidden).object()
	decision, _ := closed["decision"].(map[string]any)
	if decision["words"] != wordsOfDecision || decision["rule"] != "stolen" || decision["decision"] != "close" || closed["code"] != "closed" {
		t.Errorf("the closed account reads %v", closed)
	}
	appeal := fields{"token": closed["token"], "text": "They are mine."}
	e.visitor().do(http.MethodPost, "/decisions/appeal", appeal.with("token", "x")).wantError(http.StatusGone, market.CodeGone)
	e.visitor().do(http.MethodPost, "/decisions/appeal", appeal.with("text", "")).wantInvalid("text")
	e.visitor().do(http.MethodPost, "/decisions/appeal", appeal).wantCount("modifiedCount", 1)
	e.visitor().do(http.MethodPost, "/decisions/appeal", appeal).wantError(http.StatusGone, market.CodeGone)
	c := other.get("/cases?state=appealed").items()[0]
	other.do(http.MethodPut, "/cases/"+c["_id"].(string)+"/appeal", fields{"version": c["version"], "outcome": "reversed", "words": wordsOfDecision}).
		wantCount("modifiedCount", 1)
	signIn(password).wantStatus(http.StatusOK)
	admin.get("/products/" + phone).wantStatus(http.StatusOK)
}

func TestListOfCasesIsChecked(t *testing.T) {
	e := newEnv(t)
	admin := e.admin("Root")
	admin.get("/cases?state=forgotten").wantInvalid("state")
	admin.get("/cases?cursor=x").wantError(http.StatusBadRequest, market.CodeBadRequest)
}
