package identity_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/api/identity"
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

// Once a link has made an admin, no printed link works again for anybody, whatever happens to
// the account.
func TestUsedLinkNeverWorksAgain(t *testing.T) {
	for name, happens := range map[string]func(e *env, admin *browser){
		"nothing":           func(*env, *browser) {},
		"the session ended": func(_ *env, admin *browser) { admin.do("POST", "/identity/sign-out", nil).wantStatus(204) },
		"a second factor":   func(_ *env, admin *browser) { admin.enableSecondFactor() },
		"a revocation":      func(e *env, _ *browser) { must(e.t, e.market.RevokeAdmin(e.t.Context(), ada)) },
		"the end of the account": func(e *env, _ *browser) {
			must(e.t, e.market.RevokeAdmin(e.t.Context(), ada))
			e.removeUser(ada)
			must(e.t, e.store.PurgeUser(e.t.Context(), e.account(ada).UID))
			must(e.t, e.store.PurgeAccount(e.t.Context(), e.account(ada).UID, nil))
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			tokens := []string{e.firstAdminToken(), e.firstAdminToken()}
			admin := e.browser()
			admin.createFirstAdmin(tokens[0], ada, adaPass).wantStatus(201)
			happens(e, admin)
			for _, token := range tokens {
				for _, email := range []string{ada, "eve@example.com"} {
					b := e.browser()
					b.createFirstAdmin(token, email, adaPass).wantError(410, market.CodeGone, "")
					b.do("GET", "/identity/me", nil).wantStatus(401)
				}
			}
			if token := e.firstAdminToken(); token != "" {
				t.Error("a start prints another link")
			}
		})
	}
}

// A command that makes an admin invalidates the links, too, also for an address that had begun.
func TestCommandInvalidatesLinks(t *testing.T) {
	for name, command := range map[string]func(e *env) error{
		"a new account": func(e *env) error { return e.service.CreateAdmin(e.t.Context(), ada, adaPass, market.FullAdmin) },
		"an existing account": func(e *env) error {
			e.member(ada)
			return e.service.PromoteAdmin(e.t.Context(), ada, adaPass, market.FullAdmin)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			token := e.firstAdminToken()
			must(t, e.store.SetMeta(t.Context(), "first-admin", market.NormalEmail(ada)))
			must(t, command(e))
			must(t, e.market.RevokeAdmin(t.Context(), ada))
			e.browser().createFirstAdmin(token, ada, adaPass).wantError(410, market.CodeGone, "")
		})
	}
}

// A server is killed after each write in turn, or just before it. The same person continues
// with the same link, or signs in if they are the admin already.
func TestFirstAdminContinuesAfterEachWrite(t *testing.T) {
	for writes := 1; ; writes++ {
		for _, isMade := range []bool{true, false} {
			left, died := math.MaxInt, false
			e := newEnv(t, func(c *identity.Config) {
				store := c.Store.(market.Store).Hooked(func(_ context.Context, call market.StoreCall, do func() error) error {
					if call.Op == market.OpRead || died {
						return do()
					}
					if left--; left > 0 {
						return do()
					}
					died = true
					if isMade {
						must(t, do())
					}
					return errors.New("killed")
				})
				c.Store, c.Market = store, market.New(store, c.Clock, market.Rules{}, market.NoPayments{})
			})
			token := e.firstAdminToken()
			left = writes
			status := e.browser().createFirstAdmin(token, ada, adaPass).Status
			if !died {
				return
			}
			if status < 500 {
				t.Errorf("killed at write %d: status %d", writes, status)
			}
			b := e.browser()
			if again := b.createFirstAdmin(token, ada, adaPass).Status; again == 410 {
				b.do("POST", "/identity/sign-in", fields{"email": ada, "password": adaPass}).wantStatus(200)
			} else if again != 201 {
				t.Errorf("killed at write %d, made %t: the second attempt has status %d", writes, isMade, again)
			}
			if u, err := e.store.UserByEmail(t.Context(), ada); err != nil || !u.Admin {
				t.Errorf("killed at write %d, made %t: the user is %+v, %v", writes, isMade, u, err)
			}
			e.browser().createFirstAdmin(token, ada, adaPass).wantError(410, market.CodeGone, "")
		}
	}
}

// Somebody who began with a link, signed in after a crash and set up a second factor is not
// let in without it.
func TestFirstAdminLinkDoesNotReplaceSecondFactor(t *testing.T) {
	e := newEnv(t)
	token := e.firstAdminToken()
	must(t, e.store.SetMeta(t.Context(), "first-admin", market.NormalEmail(ada)))
	e.member(ada).enableSecondFactor()
	b := e.browser()
	b.createFirstAdmin(token, ada, adaPass).wantError(410, market.CodeGone, "")
	b.do("GET", "/identity/me", nil).wantStatus(401)
}
