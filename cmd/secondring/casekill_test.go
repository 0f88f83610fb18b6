package main

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

const caseWords = "The photos show another phone than the one that is sold."

// storedCase is a case as an admin sees it.
type storedCase struct {
	ID      string `json:"_id"`
	Version int64
	State   string
}

// onlyCase returns the only case in a state.
func (e *orderEnv) onlyCase(state string) storedCase {
	e.t.Helper()
	var all []storedCase
	e.callWithRestart(http.MethodGet, "/cases?state="+state, e.admin, nil, &all)
	if len(all) != 1 {
		e.t.Fatalf("%d cases are %s, want 1", len(all), state)
	}
	return all[0]
}

// waitForCase waits until what a case decides is carried out: a call has this status, at the second node if there is
// one. A node that has begun the work of an older decision may undo it for some seconds.
func (e *orderEnv) waitForCase(method, path string, body any, want int) {
	e.t.Helper()
	e.onSecond(func() {
		got := 0
		for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); <-time.After(50 * time.Millisecond) {
			if got = e.callWithRestart(method, path, "", body, nil); got == want {
				return
			}
		}
		e.t.Fatalf("%s %s has status %d, want %d", method, path, got, want)
	})
}

// runCase takes a case from its report to a granted appeal. The server is killed after the n-th write of each step.
func (e *orderEnv) runCase(decision string, n int) {
	e.t.Helper()
	name := fmt.Sprint(decision, n)
	mail, seller := e.signUp(name, "Seller")
	credentials := map[string]string{"email": mail, "password": testPassword}
	phone := e.phones(mail, seller, 1)[0]
	do := func(step string, call func() int) {
		e.killDuringStep(fmt.Sprintf("%s-%s %d after", name, step, n), call)
	}
	send := func(method, path, token string, body any) func() int {
		return func() int { return e.callWithRestart(method, path, token, body, nil) }
	}
	do("report", send(http.MethodPost, "/reports", e.buyer, map[string]string{"kind": "product", "id": phone, "rule": "stolen", "reason": "It is mine.", "key": name}))

	open := e.onlyCase("open")
	do("decide", send(http.MethodPut, "/cases/"+open.ID, e.admin, map[string]any{
		"version": open.Version, "decision": decision, "days": 7, "rule": "stolen", "words": caseWords,
	}))
	e.waitForCase(http.MethodGet, "/products/"+phone, nil, http.StatusNotFound)

	appeal := send(http.MethodPost, "/decisions/"+open.ID+"/appeal", seller, map[string]string{"text": "I have the bill."})
	if decision == "close" {
		var closed struct{ Token string }
		if status := e.callWithRestart(http.MethodPost, "/identity/sign-in", "", credentials, &closed); status != http.StatusForbidden {
			e.t.Fatalf("the sign-in of a closed account has status %d", status)
		}
		appeal = func() int { // a repeated call finds that the token was used
			status := e.callWithRestart(http.MethodPost, "/decisions/appeal", "", map[string]string{"token": closed.Token, "text": "I have the bill."}, nil)
			if status == http.StatusGone {
				return http.StatusConflict
			}
			return status
		}
	}
	do("appeal", appeal)
	appealed := e.onlyCase("appealed")
	do("answer", send(http.MethodPut, "/cases/"+open.ID+"/appeal", e.admin, map[string]any{
		"version": appealed.Version, "outcome": "reversed", "words": caseWords,
	}))
	e.waitForCase(http.MethodGet, "/products/"+phone, nil, http.StatusOK)
	e.waitForCase(http.MethodPost, "/identity/sign-in", credentials, http.StatusOK)
}

func TestServerKilledInEachStepOfACase(t *testing.T) {
	for name, open := range orderEnvs {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it waits for processes most of the time
			e := open(t)
			for _, decision := range []string{"remove", "suspend", "close"} {
				for n := 1; n <= 3; n++ {
					e.runCase(decision, n)
				}
			}
			if e.killCount < 18 {
				t.Errorf("the server was killed %d times, want at least 18: the killer does not count all writes", e.killCount)
			}
		})
	}
}
