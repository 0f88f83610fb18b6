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
	b := e.browser()
	b.address = "203.0.113.7"
	b.do("POST", "/identity/sign-in", fields{"email": ada, "password": adaPass}, as(safari)).is(200)
	signedIn := e.clock.Now()
	e.clock.Pass(2 * time.Hour)
	b.do("GET", "/identity/me", nil).is(200)

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
	e.browser().do("GET", "/identity/sessions", nil).is(401)
}

func TestSessionIsEndedFromAnother(t *testing.T) {
	e := newEnv(t)
	here, there := e.member(ada), e.browser()
	there.signIn(ada, adaPass).is(200)
	token := there.token(ada)
	stranger := e.member("bob@example.com")
	other := here.sessions()[1]
	e.control()

	stranger.do("DELETE", "/identity/sessions/"+other.ID, nil).refused(404, market.CodeNotFound, "")
	here.do("DELETE", "/identity/sessions/"+other.ID, nil).is(204)
	there.do("GET", "/identity/me", nil).is(401)
	if _, _, err := e.service.Bearer(t.Context(), token); market.CodeOf(err) != market.CodeNoToken {
		t.Errorf("the ended session's token: %v", err)
	}
	if controls := e.control(); len(controls) != 1 || controls[0] != (market.Control{UID: e.account(ada).UID, Session: other.ID, Reason: market.ReasonSignedOut}) {
		t.Errorf("told the nodes %v", controls)
	}
	here.do("DELETE", "/identity/sessions/"+other.ID, nil).refused(404, market.CodeNotFound, "")
	here.do("DELETE", "/identity/sessions/"+here.sessions()[0].ID, nil).is(204)
	here.do("GET", "/identity/me", nil).is(401)
}

func TestAllOtherSessionsEnd(t *testing.T) {
	e := newEnv(t)
	here, bob := e.member(ada), e.member("bob@example.com")
	others := []*browser{e.browser(), e.browser()}
	for _, b := range others {
		b.signIn(ada, adaPass).is(200)
	}
	here.do("DELETE", "/identity/sessions", nil).is(204)
	for _, b := range others {
		b.do("GET", "/identity/me", nil).is(401)
	}
	bob.do("GET", "/identity/me", nil).is(200)
	if all := here.sessions(); len(all) != 1 || !all[0].Current {
		t.Errorf("sessions %+v", all)
	}
}

// The owner gets an email about a new browser, but not about the first one, and only once
// for each.
func TestNewDeviceSendsEmailToOwner(t *testing.T) {
	e := newEmailEnv(t)
	mine := e.member(ada)
	count := func() int { return strings.Count(e.subjects(ada), "New sign-in") }
	mine.do("POST", "/identity/sign-out", nil).is(204)
	mine.signIn(ada, adaPass).is(200)
	if n := count(); n != 0 {
		t.Errorf("%d emails about the browser that signed up", n)
	}
	other := e.browser()
	other.do("POST", "/identity/sign-in", fields{"email": ada, "password": "a guess"}, as(firefox)).is(401)
	if n := count(); n != 0 {
		t.Errorf("%d emails about a wrong password", n)
	}
	for range 2 {
		other.do("POST", "/identity/sign-in", fields{"email": ada, "password": adaPass}, as(firefox)).is(200)
	}
	if n := count(); n != 1 {
		t.Errorf("%d emails about another browser", n)
	}
	if m := e.last(ada, "New sign-in"); !strings.Contains(m.Text, ": Firefox on Windows, network 192.0.2.1, ") {
		t.Errorf("the email says\n%s", m.Text)
	}
}

func TestDevicesOfAnAccountAreBounded(t *testing.T) {
	e := newEnv(t)
	e.member(ada)
	for range 25 {
		e.browser().signIn(ada, adaPass).is(200)
	}
	if n := len(e.account(ada).Devices); n != 20 {
		t.Errorf("%d devices are kept", n)
	}
}

func TestDeviceIsTakenFromUserAgent(t *testing.T) {
	e := newEnv(t)
	e.member(ada)
	for agent, want := range map[string]string{
		firefox: "Firefox on Windows", safari: "Safari on iOS", "": "", strings.Repeat("x", 500): strings.Repeat("x", 60),
		"<script>alert(1)</script>/1": "<",
	} {
		b := e.browser()
		b.do("POST", "/identity/sign-in", fields{"email": ada, "password": adaPass}, as(agent)).is(200)
		if got := b.sessions()[0].Device; got != want {
			t.Errorf("%q is shown as %q, want %q", agent, got, want)
		}
	}
}
