package identity_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"secondring/api/identity"
	"secondring/market"
)

func (b *browser) sessions() []identity.DeviceSession {
	b.t.Helper()
	a := b.do("GET", "/identity/sessions", nil)
	if a.Status != 200 {
		b.t.Fatalf("status %d: %s", a.Status, a.Body)
	}
	var all []identity.DeviceSession
	must(b.t, json.Unmarshal([]byte(a.Body), &all))
	return all
}

func TestSessionsShowTheirDevices(t *testing.T) {
	e := newEnv(t)
	e.member(ada)
	e.clock.Pass(time.Hour)
	b := e.from("203.0.113.7")
	b.do("POST", "/identity/sign-in", fields{"email": ada, "password": adaPass}, userAgent(safari)).wantStatus(200)
	signedIn := e.clock.Now()
	e.clock.Pass(2 * time.Hour)
	b.do("GET", "/identity/me", nil).wantStatus(200)

	all := b.sessions()
	if len(all) != 2 || !all[0].Current || all[1].Current {
		t.Fatalf("sessions %+v", all)
	}
	if s := all[0]; s.Device != "Safari on iOS" || s.Network != "203.0.113.7" || !s.CreatedAt.Equal(signedIn) || !s.SeenAt.Equal(e.clock.Now()) {
		t.Errorf("this session is %+v", s)
	}
	if s := all[1]; !s.SeenAt.Equal(s.CreatedAt) || s.Network != "192.0.2.1" {
		t.Errorf("the other session is %+v", s)
	}
	e.browser().do("GET", "/identity/sessions", nil).wantStatus(401)
}

func TestSessionIsEndedFromAnother(t *testing.T) {
	e := newEnv(t)
	current, other := e.member(ada), e.browser()
	other.signIn(ada, adaPass).wantStatus(200)
	token := other.token(ada)
	stranger := e.member("bob@example.com")
	ended := current.sessions()[1]
	e.controlEvents()

	stranger.do("DELETE", "/identity/sessions/"+ended.ID, nil).wantError(404, market.CodeNotFound, "")
	current.do("DELETE", "/identity/sessions/"+ended.ID, nil).wantStatus(204)
	other.do("GET", "/identity/me", nil).wantStatus(401)
	e.wantTokenRefused(token)
	e.wantControl(market.Control{UID: e.account(ada).UID, Session: ended.ID, Reason: market.ReasonSignedOutElsewhere})
	current.do("DELETE", "/identity/sessions/"+ended.ID, nil).wantError(404, market.CodeNotFound, "")
	current.do("DELETE", "/identity/sessions/"+current.sessions()[0].ID, nil).wantStatus(204)
	current.do("GET", "/identity/me", nil).wantStatus(401)
}

func TestAllOtherSessionsEnd(t *testing.T) {
	e := newEnv(t)
	current, bob := e.member(ada), e.member("bob@example.com")
	others := []*browser{e.browser(), e.browser()}
	for _, b := range others {
		b.signIn(ada, adaPass).wantStatus(200)
	}
	current.do("DELETE", "/identity/sessions", nil).wantStatus(204)
	for _, b := range others {
		b.do("GET", "/identity/me", nil).wantStatus(401)
	}
	bob.do("GET", "/identity/me", nil).wantStatus(200)
	if all := current.sessions(); len(all) != 1 || !all[0].Current {
		t.Errorf("sessions %+v", all)
	}
}

// The owner gets an email about a new browser, but not about the first one, and only once
// for each.
func TestNewDeviceSendsEmailToOwner(t *testing.T) {
	e := newEmailEnv(t)
	b := e.confirmedMember(ada)
	count := func() int { return strings.Count(e.subjects(ada), "New sign-in") }
	b.do("POST", "/identity/sign-out", nil).wantStatus(204)
	b.signIn(ada, adaPass).wantStatus(200)
	if n := count(); n != 0 {
		t.Errorf("%d emails about the browser that signed up, want none", n)
	}
	other := e.browser()
	other.do("POST", "/identity/sign-in", fields{"email": ada, "password": "a guess"}, userAgent(firefox)).wantStatus(401)
	if n := count(); n != 0 {
		t.Errorf("%d emails about a wrong password, want none", n)
	}
	for range 2 {
		other.do("POST", "/identity/sign-in", fields{"email": ada, "password": adaPass}, userAgent(firefox)).wantStatus(200)
	}
	if n := count(); n != 1 {
		t.Errorf("%d emails about another browser, want 1", n)
	}
	if m := e.last(ada, "New sign-in"); !strings.Contains(m.Text, ": Firefox on Windows, network 192.0.2.1, ") {
		t.Errorf("the email is\n%s", m.Text)
	}
}

func TestTenEmailsAboutNewDevicesADay(t *testing.T) {
	e := newEmailEnv(t)
	identity.HashCheaply(e.service)
	e.confirmedMember(ada)
	count := func() int { return strings.Count(e.subjects(ada), "New sign-in") }
	for range 12 {
		e.browser().signIn(ada, adaPass).wantStatus(200)
	}
	if n := count(); n != 10 {
		t.Errorf("%d emails about 12 browsers, want 10", n)
	}
	e.clock.Pass(24 * time.Hour)
	e.browser().signIn(ada, adaPass).wantStatus(200)
	if n := count(); n != 11 {
		t.Errorf("%d emails after a day, want 11", n)
	}
}

func TestDevicesOfAnAccountAreBounded(t *testing.T) {
	e := newEnv(t)
	e.member(ada)
	for range 25 {
		e.browser().signIn(ada, adaPass).wantStatus(200)
	}
	if n := len(e.account(ada).Devices); n != 20 {
		t.Errorf("%d devices are stored, want 20", n)
	}
}

func TestDeviceIsReadFromUserAgent(t *testing.T) {
	e := newEnv(t)
	e.member(ada)
	for agent, want := range map[string]string{
		firefox: "Firefox on Windows", safari: "Safari on iOS", "": "", strings.Repeat("x", 500): strings.Repeat("x", 60),
		"<script>alert(1)</script>/1": "<",
	} {
		b := e.browser()
		b.do("POST", "/identity/sign-in", fields{"email": ada, "password": adaPass}, userAgent(agent)).wantStatus(200)
		if got := b.sessions()[0].Device; got != want {
			t.Errorf("%q is shown as %q, want %q", agent, got, want)
		}
	}
}
