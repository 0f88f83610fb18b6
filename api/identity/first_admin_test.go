package identity_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

// setup returns the token of a new link for the first admin; "" if there is none.
func (e *env) setup() string {
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

func (b *browser) becomesAdmin(token, email, password string) answer {
	b.t.Helper()
	return b.do("POST", "/identity/first-admin", fields{"token": token, "email": email, "password": password, "displayName": "Ada"})
}

func TestLinkMakesFirstAdmin(t *testing.T) {
	e := newEnv(t)
	first, second := e.setup(), e.setup() // of two starts, or of two nodes
	b := e.browser()
	b.becomesAdmin(first, ada, "short").field("password", "Password must be atleast 6 characters or longer")
	me := b.becomesAdmin(first, ada, adaPass).is(201)
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
		if status := e.browser().becomesAdmin(token, "eve@example.com", adaPass).Status; status != 410 && (token != "" || status != 422) {
			t.Errorf("another with %q: %d", token, status)
		}
	}
	if token := e.setup(); token != "" {
		t.Error("there is another link")
	}
}

func TestFirstAdminLinkEnds(t *testing.T) {
	e := newEnv(t)
	token := e.setup()
	e.clock.Pass(time.Hour)
	e.browser().becomesAdmin(token, ada, adaPass).refused(410, market.CodeGone, "")
	token = e.setup()
	e.member("bob@example.com") // signed up before the link was used
	e.browser().becomesAdmin(token, ada, adaPass).refused(410, market.CodeGone, "")
}

// After a crash the same person can continue with the same link, but nobody else.
func TestFirstAdminContinuesAfterCrash(t *testing.T) {
	e := newEnv(t)
	token := e.setup()
	must(t, e.store.SetMeta(t.Context(), "first-admin", "ada@example.com"))
	_, err := e.service.CreateAccount(t.Context(), ada, adaPass, "Ada")
	must(t, err)
	e.browser().becomesAdmin(token, "eve@example.com", adaPass).refused(410, market.CodeGone, "")
	e.browser().becomesAdmin(token, ada, "a guess").refused(409, market.CodeExists, "")
	e.browser().becomesAdmin(token, ada, adaPass).is(201)
	if u, err := e.store.UserByEmail(t.Context(), ada); err != nil || !u.Admin {
		t.Errorf("the user is %+v, %v", u, err)
	}
}

func TestOneOfManyBecomesFirstAdmin(t *testing.T) {
	e := newEnv(t)
	tokens := []string{e.setup(), e.setup()}
	var all sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		b := e.browser()
		all.Go(func() {
			statuses[i] = b.becomesAdmin(tokens[i%2], fmt.Sprintf("a%d@example.com", i), adaPass).Status
		})
	}
	all.Wait()
	won := 0
	for _, status := range statuses {
		switch status {
		case 201:
			won++
		case 410:
		default:
			t.Errorf("status %d", status)
		}
	}
	if won != 1 {
		t.Errorf("statuses %v", statuses)
	}
}
