package identity_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

// firstAdminToken returns the token of a new link for the first admin; "" if there is none.
func (e *env) firstAdminToken() string {
	e.t.Helper()
	link, err := e.service.FirstAdminLink(e.t.Context())
	must(e.t, err)
	if link == "" {
		return ""
	}
	token, ok := strings.CutPrefix(link, e.server.URL+"/setup#token=")
	if !ok {
		e.t.Fatalf("the link is %q", link)
	}
	return token
}

func (b *browser) createFirstAdmin(token, email, password string) response {
	b.t.Helper()
	return b.do("POST", "/identity/first-admin", fields{"token": token, "email": email, "password": password, "displayName": "Ada"})
}

func TestLinkCreatesFirstAdmin(t *testing.T) {
	e := newEnv(t)
	first, second := e.firstAdminToken(), e.firstAdminToken() // of two starts, or of two nodes
	b := e.browser()
	b.createFirstAdmin(first, ada, "short").wantFieldError("password", "Password must be atleast 6 characters or longer")
	me := b.createFirstAdmin(first, ada, adaPass).wantStatus(201)
	if me["emailVerified"] != true {
		t.Errorf("the admin is %v", me)
	}
	u, err := e.store.UserByEmail(t.Context(), ada)
	if err != nil || !u.Admin {
		t.Errorf("the user is %+v, %v", u, err)
	}
	b.token(ada)
	e.wantAuditEntry(market.ActionMakeAdmin, e.account(ada))
	for _, token := range []string{first, second, "", "guess"} {
		if status := e.browser().createFirstAdmin(token, "eve@example.com", adaPass).Status; status != 410 && (token != "" || status != 422) {
			t.Errorf("a second admin with the token %q: status %d, want 410, or 422 without a token", token, status)
		}
	}
	if token := e.firstAdminToken(); token != "" {
		t.Error("there is a new link after the first admin was created")
	}
}

func TestFirstAdminLinkExpires(t *testing.T) {
	e := newEnv(t)
	token := e.firstAdminToken()
	e.clock.Pass(time.Hour)
	e.browser().createFirstAdmin(token, ada, adaPass).wantError(410, market.CodeGone, "")
	token = e.firstAdminToken()
	e.member("bob@example.com") // signed up before the link was used
	e.browser().createFirstAdmin(token, ada, adaPass).wantError(410, market.CodeGone, "")
}

// After a crash the same person can continue with the same link, but nobody else.
func TestFirstAdminContinuesAfterCrash(t *testing.T) {
	e := newEnv(t)
	token := e.firstAdminToken()
	must(t, e.store.SetMeta(t.Context(), "first-admin", "ada@example.com"))
	_, err := e.service.CreateAccount(t.Context(), ada, adaPass, "Ada")
	must(t, err)
	e.browser().createFirstAdmin(token, "eve@example.com", adaPass).wantError(410, market.CodeGone, "")
	e.browser().createFirstAdmin(token, ada, "a guess").wantError(409, market.CodeExists, "")
	e.browser().createFirstAdmin(token, ada, adaPass).wantStatus(201)
	if u, err := e.store.UserByEmail(t.Context(), ada); err != nil || !u.Admin {
		t.Errorf("the user is %+v, %v", u, err)
	}
}

func TestConcurrentRequestsCreateOneFirstAdmin(t *testing.T) {
	e := newEnv(t)
	tokens := []string{e.firstAdminToken(), e.firstAdminToken()}
	var all sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		b := e.browser()
		all.Go(func() {
			statuses[i] = b.createFirstAdmin(tokens[i%2], fmt.Sprintf("a%d@example.com", i), adaPass).Status
		})
	}
	all.Wait()
	created := 0
	for _, status := range statuses {
		switch status {
		case 201:
			created++
		case 410:
		default:
			t.Errorf("status %d, want 201 or 410", status)
		}
	}
	if created != 1 {
		t.Errorf("statuses %v, want one 201", statuses)
	}
}
