package identity_test

import (
	"strings"
	"testing"
	"time"
)

// An address is taken out of what surrounds it, in every call that takes one.
func TestTypedAddressesAreCleaned(t *testing.T) {
	e := newEmailEnv(t)
	for i, typed := range []string{
		"ada%d@example.com\u200b", "Ada\u00a0Lovelace <ada%d@example.com>, ", "MAILTO:ada%d@example.com?subject=Hello", "\u202aada%d＠ｅｘａｍｐｌｅ.com.\u202c", "'ada%d@exam\u00adple.com'\r\n",
	} {
		number := string(rune('1' + i))
		typed, clean := strings.Replace(typed, "%d", number, 1), "ada"+number+"@example.com"
		signedUp := e.browser().do("POST", "/identity/sign-up", fields{"email": typed, "password": adaPass, "displayName": "\u2068Ada\u2069\u2028\u00adL"}).wantStatus(201)
		if signedUp["email"] != clean || signedUp["displayName"] != "Ada L" {
			t.Errorf("%+q signs up as %v", typed, signedUp)
		}
		b := e.browser()
		b.signIn(typed, adaPass).wantStatus(200)
		b.do("POST", "/identity/email", fields{"email": typed, "password": adaPass}).wantFieldError("email", "This is your email address already")
		e.browser().do("POST", "/identity/forgot", fields{"email": typed}).wantStatus(204)
		e.last(clean, "Reset")
	}
}

// A password is never changed.
func TestPasswordsAreAsTyped(t *testing.T) {
	e := newEnv(t)
	for i, password := range []string{" blanks at the ends ", "zero\u200bwidth word", "full-width １２３４", "no\u00a0break blank", "hyphen\u2011word\u2028x", "tab\tand\r\nlines"} {
		email := "ada" + string(rune('1'+i)) + "@example.com"
		e.browser().signUp(email, password).wantStatus(201)
		b := e.browser()
		b.signIn(email, password).wantStatus(200)
		b.do("POST", "/identity/password", fields{"current": password, "new": "\u200b" + password}).wantStatus(204)
		e.browser().signIn(email, password).wantStatus(401)
		e.browser().signIn(email, "\u200b"+password).wantStatus(200)
	}
}

// A code may be typed with blanks, hyphens and the digits of any script.
func TestTypedCodesAreCleaned(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	secret, recovery := b.enableSecondFactor()
	digits := func(zero rune) func(string) string {
		return func(code string) string {
			return strings.Map(func(c rune) rune { return zero + c - '0' }, code)
		}
	}
	for name, typed := range map[string]func(string) string{
		"blank":    func(code string) string { return code[:3] + " " + code[3:] },
		"no-break": func(code string) string { return "\u200e" + code[:3] + "\u202f" + code[3:] + "\n" },
		"hyphen":   func(code string) string { return code[:3] + "\u2011" + code[3:] },
		"Bengali":  digits('০'), "Arabic": digits('٠'), "full width": digits('０'),
	} {
		again := e.browser()
		again.signIn(ada, adaPass).wantStatus(401)
		if got := again.submitCode(typed(b.totp(secret))); got.Status != 200 {
			t.Errorf("%s: status %d", name, got.Status)
		}
		b.clock.Pass(30 * time.Second)
	}
	again := e.browser()
	again.signIn(ada, adaPass).wantStatus(401)
	again.submitCode(strings.ReplaceAll(strings.ToLower(recovery[0]), "-", "\u2013\u200b")).wantStatus(200)
}
