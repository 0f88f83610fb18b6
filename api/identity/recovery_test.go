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
	here, there := e.member(ada), e.browser()
	there.signIn(ada, adaPass).is(200)
	token := here.token(ada)
	e.control()

	e.browser().forgot("ADA@example.com ")
	m := e.last(ada, "Reset")
	if m.Subject != "Reset your SecondRing password" || !strings.Contains(m.Text, e.server.URL+"/reset#token="+m.Token()+"\n") {
		t.Fatalf("the email %q says\n%s", m.Subject, m.Text)
	}
	e.browser().reset(m.Token(), "battery staple").is(204)

	for _, b := range []*browser{here, there} {
		b.do("GET", "/identity/me", nil).is(401)
	}
	if _, _, err := e.service.Bearer(t.Context(), token); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("an old token: %v", err)
	}
	if controls := e.control(); len(controls) != 1 || controls[0] != (market.Control{UID: e.account(ada).UID, Reason: market.ReasonPasswordChanged}) {
		t.Errorf("told the nodes %v", controls)
	}
	e.browser().signIn(ada, adaPass).is(401)
	back := e.browser()
	back.signIn(ada, "battery staple").is(200)
	if !back.isConfirmed() {
		t.Error("who opened a link in an email has confirmed the address")
	}
	if m := e.emails(ada); !strings.Contains(e.subjects(ada), "Your SecondRing password was changed") {
		t.Errorf("%d emails", len(m))
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
	gone := func(token string) {
		t.Helper()
		e.browser().reset(token, "battery staple").refused(410, market.CodeGone, "")
	}
	gone(first) // replaced by the second link
	e.browser().reset(second, "battery staple").is(204)
	gone(second)
	for _, token := range []string{"nobody.x", "x", ".", second + "x", strings.ToUpper(second)} {
		gone(token)
	}
	e.browser().reset("", "battery staple").field("token", "The link is not complete")
}

func TestResetLinkEnds(t *testing.T) {
	for name, ends := range map[string]func(e *emailEnv){
		"after half an hour": func(e *emailEnv) { e.clock.Pass(30 * time.Minute) },
		"with a changed password": func(e *emailEnv) {
			b := e.browser()
			b.signIn(ada, adaPass).is(200)
			b.do("POST", "/identity/password", fields{"current": adaPass, "new": "other words"}).is(204)
		},
		"with the account": func(e *emailEnv) {
			user, err := e.store.UserByEmail(t.Context(), ada)
			must(t, err)
			_, err = e.market.RemoveUser(t.Context(), market.Actor{User: market.User{Admin: true}}, user.ID)
			must(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEmailEnv(t)
			e.member(ada)
			e.browser().forgot(ada)
			token := e.last(ada, "Reset").Token()
			ends(e)
			e.browser().reset(token, "battery staple").refused(410, market.CodeGone, "")
		})
	}
}

func TestResetRefusesWeakPasswordAndKeepsLink(t *testing.T) {
	e := newEmailEnv(t)
	e.member(ada)
	e.browser().forgot(ada)
	token := e.last(ada, "Reset").Token()
	e.browser().reset(token, "short").field("password", "Password must be atleast 6 characters or longer")
	e.browser().reset(token, "battery staple").is(204)
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
	won := 0
	for i, status := range statuses {
		if status == 204 {
			won++
			e.browser().signIn(ada, fmt.Sprint("battery ", i)).is(200)
		} else if status != 410 {
			t.Errorf("status %d", status)
		}
	}
	if won != 1 {
		t.Errorf("statuses %v", statuses)
	}
}

func TestResponseDoesNotRevealAccounts(t *testing.T) {
	e := newEmailEnv(t)
	e.member(ada)
	member := e.browser().do("POST", "/identity/forgot", fields{"email": ada})
	stranger := e.browser().do("POST", "/identity/forgot", fields{"email": "eve@example.com"})
	if member.Status != stranger.Status || member.Body != stranger.Body || len(member.Header) != len(stranger.Header) || len(stranger.Cookie) > 0 {
		t.Errorf("a member gets %v, a stranger %v", member, stranger)
	}
	if got := e.emails("eve@example.com"); len(got) > 0 {
		t.Errorf("emails to a stranger: %v", got)
	}
	for _, wrong := range []string{"", "eve", "eve@example.com\r\nBcc: ada@example.com", "eve@example.com\n"} {
		e.browser().do("POST", "/identity/forgot", fields{"email": wrong}).refused(422, market.CodeInvalid, "")
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
		t.Errorf("%d emails", n)
	}
	e.clock.Pass(time.Hour)
	e.browser().forgot(ada)
	if n := count(); n != 4 {
		t.Errorf("%d emails", n)
	}
}

// One address cannot fill the store with other people's addresses. The response does not
// reveal the limit.
func TestForgotFromOneAddressIsLimited(t *testing.T) {
	e := newEmailEnv(t)
	for i := range 110 {
		e.browser().forgot(fmt.Sprintf("a%d@example.com", i))
	}
	records, err := e.store.RecordsOf(t.Context(), "letter", market.Page{Limit: 200})
	must(t, err)
	if len(records) != 100 {
		t.Errorf("%d emails are asked for", len(records))
	}
}

func TestAddressIsConfirmedByEmail(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada)
	m := e.last(ada, "Confirm")
	if m.Subject != "Confirm your email address for SecondRing" || b.isConfirmed() {
		t.Fatalf("the email is %q, the address confirmed: %v", m.Subject, b.isConfirmed())
	}
	e.browser().reset(m.Token(), "battery staple").refused(410, market.CodeGone, "") // a link with another purpose
	e.browser().openLink(m.Token()).is(204)
	if !b.isConfirmed() {
		t.Error("the address is not confirmed")
	}
	e.browser().openLink(m.Token()).refused(410, market.CodeGone, "")
	b.do("POST", "/identity/verify/send", nil).is(204)
	if n := len(e.emails(ada)); n != 1 {
		t.Errorf("%d emails, and nothing was left to confirm", n)
	}
}

func TestConfirmationLinkIsSentAgain(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada)
	first := e.last(ada, "Confirm").Token()
	for range 5 {
		b.do("POST", "/identity/verify/send", nil).is(204)
		e.emails(ada)
		e.clock.Pass(time.Minute)
	}
	if n := len(e.emails(ada)); n != 1+3 {
		t.Errorf("%d emails", n)
	}
	e.browser().openLink(first).refused(410, market.CodeGone, "")
	e.browser().openLink(e.last(ada, "Confirm").Token()).is(204)
}

func TestConfirmationLinkEndsAfterADay(t *testing.T) {
	e := newEmailEnv(t)
	e.member(ada)
	token := e.last(ada, "Confirm").Token()
	e.clock.Pass(24 * time.Hour)
	e.browser().openLink(token).refused(410, market.CodeGone, "")
}

// If somebody signs up with an existing address, its owner gets an email, at most once a
// day.
func TestRepeatedSignUpSendsEmailToOwner(t *testing.T) {
	e := newEmailEnv(t)
	e.member(ada)
	e.emails(ada)
	for range 3 {
		e.browser().signUp(ada, "another password").refused(409, market.CodeExists, "Email is already in use")
		e.emails(ada)
	}
	if n := strings.Count(e.subjects(ada), "You already have a SecondRing account"); n != 1 {
		t.Errorf("%d emails", n)
	}
}

func TestChangedPasswordSendsEmailToOwner(t *testing.T) {
	e := newEmailEnv(t)
	b := e.member(ada)
	e.emails(ada)
	b.do("POST", "/identity/password", fields{"current": adaPass, "new": "battery staple"}, as(firefox)).is(204)
	m := e.last(ada, "password was changed")
	if m.Subject != "Your SecondRing password was changed" || !strings.Contains(m.Text, "Firefox on Windows, network 192.0.2.1, ") {
		t.Errorf("the email %q says\n%s", m.Subject, m.Text)
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
	e.browser().reset(token, "battery staple").is(204)
	b.do("GET", "/identity/me", nil).is(401)
	e.browser().signIn(ada, "battery staple").is(200)
	if _, err := e.service.ResetLink(t.Context(), "eve@example.com"); market.CodeOf(err) != market.CodeNotFound {
		t.Errorf("for a stranger: %v", err)
	}
}
