package identity_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"secondring/market"
)

func TestForgottenPasswordIsReset(t *testing.T) {
	e := newEmailEnv(t)
	current, other := e.member(ada), e.browser()
	other.signIn(ada, adaPass).wantStatus(200)
	token := current.token(ada)
	e.controlEvents()

	e.browser().forgot("ADA@example.com ")
	m := e.last(ada, "Reset")
	if m.Subject != "Reset your SecondRing password" || !strings.Contains(m.Text, e.server.URL+"/reset#token="+m.Token()+"\n") {
		t.Fatalf("the email is %q\n%s", m.Subject, m.Text)
	}
	e.browser().reset(m.Token(), "battery staple").wantStatus(204)

	for _, b := range []*browser{current, other} {
		b.do("GET", "/identity/me", nil).wantStatus(401)
	}
	e.wantTokenRefused(token)
	e.wantControl(market.Control{UID: e.account(ada).UID, Reason: market.ReasonPasswordChanged, CredentialsVersion: 1})
	e.browser().signIn(ada, adaPass).wantStatus(401)
	b := e.browser()
	b.signIn(ada, "battery staple").wantStatus(200)
	if !b.isConfirmed() {
		t.Error("the reset link has not confirmed the address")
	}
	if got := e.subjects(ada); !strings.Contains(got, "Your SecondRing password was changed") {
		t.Errorf("the owner got the emails %s", got)
	}
}

func TestResetLinkWorksOnce(t *testing.T) {
	e := newEmailEnv(t)
	e.member(ada)
	e.browser().forgot(ada)
	first := e.last(ada, "Reset").Token()
	e.clock.Pass(time.Minute)
	e.browser().forgot(ada)
	second := e.last(ada, "Reset").Token()
	wantGone := func(token string) {
		t.Helper()
		e.browser().reset(token, "battery staple").wantError(410, market.CodeGone, "")
	}
	wantGone(first) // replaced by the second link
	e.browser().reset(second, "battery staple").wantStatus(204)
	wantGone(second)
	for _, token := range []string{"nobody.x", "x", ".", second + "x", strings.ToUpper(second)} {
		wantGone(token)
	}
	e.browser().reset("", "battery staple").wantFieldError("token", "The link is not complete")
}

func TestResetLinkExpires(t *testing.T) {
	for name, expire := range map[string]func(e *emailEnv){
		"after half an hour": func(e *emailEnv) { e.clock.Pass(30 * time.Minute) },
		"when the user is removed": func(e *emailEnv) {
			e.removeUser(ada)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEmailEnv(t)
			e.member(ada)
			e.browser().forgot(ada)
			token := e.last(ada, "Reset").Token()
			expire(e)
			e.browser().reset(token, "battery staple").wantError(410, market.CodeGone, "")
		})
	}
}

func TestResetRefusesWeakPasswordAndKeepsLink(t *testing.T) {
	e := newEmailEnv(t)
	e.member(ada)
	e.browser().forgot(ada)
	token := e.last(ada, "Reset").Token()
	e.browser().reset(token, "short").wantFieldError("password", "Password must be atleast 6 characters or longer")
	e.browser().reset(token, "battery staple").wantStatus(204)
}

func TestConcurrentResetsWithOneLinkSucceedOnce(t *testing.T) {
	e := newEmailEnv(t)
	e.member(ada)
	e.browser().forgot(ada)
	token := e.last(ada, "Reset").Token()
	var all sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		b := e.browser()
		all.Go(func() { statuses[i] = b.reset(token, fmt.Sprint("battery ", i)).Status })
	}
	all.Wait()
	succeeded := 0
	for i, status := range statuses {
		if status == 204 {
			succeeded++
			e.browser().signIn(ada, fmt.Sprint("battery ", i)).wantStatus(200)
		} else if status != 410 {
			t.Errorf("status %d, want 204 or 410", status)
		}
	}
	if succeeded != 1 {
		t.Errorf("statuses %v, want one 204", statuses)
	}
}

func TestResponseDoesNotRevealAccounts(t *testing.T) {
	e := newEmailEnv(t)
	e.member(ada)
	member := e.browser().do("POST", "/identity/forgot", fields{"email": ada})
	stranger := e.browser().do("POST", "/identity/forgot", fields{"email": "eve@example.com"})
	if member.Status != stranger.Status || member.Body != stranger.Body || len(member.Header) != len(stranger.Header) || len(stranger.Cookie) > 0 {
		t.Errorf("the response for a member is %v, for a stranger %v", member, stranger)
	}
	if got := e.emails("eve@example.com"); len(got) > 0 {
		t.Errorf("emails to a stranger: %v", got)
	}
	for _, wrong := range []string{"", "eve", "eve@example.com\r\nBcc: ada@example.com", "eve@example.com\u2028Cc: ada@example.com"} {
		e.browser().do("POST", "/identity/forgot", fields{"email": wrong}).wantError(422, market.CodeInvalid, "")
	}
}

func TestThreeResetEmailsAnHour(t *testing.T) {
	e := newEmailEnv(t)
	e.member(ada)
	e.emails(ada)
	for range 5 {
		e.browser().forgot(ada)
		e.emails(ada)
		e.clock.Pass(time.Minute)
	}
	count := func() int { return strings.Count(e.subjects(ada), "Reset your") }
	if n := count(); n != 3 {
		t.Errorf("%d reset emails in an hour, want 3", n)
	}
	e.clock.Pass(time.Hour)
	e.browser().forgot(ada)
	if n := count(); n != 4 {
		t.Errorf("%d reset emails after an hour, want 4", n)
	}
}

// One address cannot fill the store with other people's addresses. The response does not
// reveal the limit.
func TestForgotFromOneAddressIsLimited(t *testing.T) {
	e := newEmailEnv(t)
	for i := range 110 {
		e.browser().forgot(fmt.Sprintf("a%d@example.com", i))
	}
	e.wantWaiting(100)
}

func TestAddressIsConfirmedByEmail(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada)
	m := e.last(ada, "Confirm")
	if m.Subject != "Confirm your email address for SecondRing" || b.isConfirmed() {
		t.Fatalf("the email is %q, the address confirmed: %v", m.Subject, b.isConfirmed())
	}
	e.browser().reset(m.Token(), "battery staple").wantError(410, market.CodeGone, "") // a link with another purpose
	e.browser().openLink(m.Token()).wantStatus(204)
	if !b.isConfirmed() {
		t.Error("the address is not confirmed")
	}
	b.do("POST", "/identity/verify/send", nil).wantStatus(204)
	if n := len(e.emails(ada)); n != 1 {
		t.Errorf("%d emails, want 1: the address is already confirmed", n)
	}
}

func TestConfirmationLinkIsSentAgain(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada)
	first := e.last(ada, "Confirm").Token()
	for range 5 {
		b.do("POST", "/identity/verify/send", nil).wantStatus(204)
		e.emails(ada)
		e.clock.Pass(time.Minute)
	}
	if n := len(e.emails(ada)); n != 1+3 {
		t.Errorf("%d emails, want the first and 3 repetitions", n)
	}
	e.browser().openLink(first).wantError(410, market.CodeGone, "")
	e.browser().openLink(e.last(ada, "Confirm").Token()).wantStatus(204)
}

func TestConfirmationLinkExpiresAfterADay(t *testing.T) {
	e := newEmailEnv(t)
	e.member(ada)
	token := e.last(ada, "Confirm").Token()
	e.clock.Pass(24 * time.Hour)
	e.browser().openLink(token).wantError(410, market.CodeGone, "")
}

// If somebody signs up with an existing address, its owner gets an email, at most once a
// day.
func TestRepeatedSignUpSendsEmailToOwner(t *testing.T) {
	e := newEmailEnv(t)
	e.member(ada)
	e.emails(ada)
	for range 3 {
		e.browser().signUp(ada, "another password").wantError(409, market.CodeExists, "Email is already in use")
		e.emails(ada)
	}
	if n := strings.Count(e.subjects(ada), "You already have a SecondRing account"); n != 1 {
		t.Errorf("%d emails, want 1", n)
	}
}

func TestChangedPasswordSendsEmailToOwner(t *testing.T) {
	e := newEmailEnv(t)
	b := e.confirmedMember(ada)
	e.emails(ada)
	b.do("POST", "/identity/password", fields{"current": adaPass, "new": "battery staple"}, userAgent(firefox)).wantStatus(204)
	m := e.last(ada, "password was changed")
	if m.Subject != "Your SecondRing password was changed" || !strings.Contains(m.Text, "Firefox on Windows, network 192.0.2.1, ") {
		t.Errorf("the email is %q\n%s", m.Subject, m.Text)
	}
}

func TestOperatorPrintsResetLink(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	link, err := e.service.ResetLink(t.Context(), "ADA@example.com")
	must(t, err)
	token, ok := strings.CutPrefix(link, e.server.URL+"/reset#token=")
	if !ok {
		t.Fatalf("the link is %q", link)
	}
	e.browser().reset(token, "battery staple").wantStatus(204)
	b.do("GET", "/identity/me", nil).wantStatus(401)
	e.browser().signIn(ada, "battery staple").wantStatus(200)
	if _, err := e.service.ResetLink(t.Context(), "eve@example.com"); market.CodeOf(err) != market.CodeNotFound {
		t.Errorf("the link of an unknown address: %v", err)
	}
}
