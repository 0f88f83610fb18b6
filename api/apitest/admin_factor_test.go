package apitest_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/pquerna/otp/totp"

	"secondring/hub"
	"secondring/market"
)

// With ADMIN_2FA an admin switches off the second factor. The token and the socket lose their access
// at once, and get it back with a new factor.
func TestAdminWithoutSecondFactorLosesAccessAtOnce(t *testing.T) {
	e := newEnv(t, func(s *setup) { s.rules.AdminFactor = true })
	admin := e.account("Root")
	admin.enableSecondFactor()
	must(t, e.market.MakeAdmin(t.Context(), market.Account{UID: admin.user.UID, Email: admin.user.Email, DisplayName: "Root"}))
	admin.refreshToken()
	live := admin.connect(t)
	live.subscribe(admin.get("/users/buyers").wantStatus(http.StatusOK))

	admin.withCookie(http.MethodPost, "/identity/second-factor/stop", fields{}).wantStatus(http.StatusNoContent)
	admin.get("/users/buyers").wantError(http.StatusForbidden, market.CodeNeedsFactor)
	e.runDueWork() // publishes the event
	must(t, live.conn.SetReadDeadline(time.Now().Add(3*time.Minute)))
	var err error
	for err == nil { // until the socket closes
		_, _, err = live.conn.ReadMessage()
	}
	if closed := (*websocket.CloseError)(nil); !errors.As(err, &closed) || closed.Code != hub.CloseTokenExpired {
		t.Errorf("the socket ends with %v, want close code %d", err, hub.CloseTokenExpired)
	}
	if _, res, err := admin.dial(); err == nil || res.StatusCode == http.StatusSwitchingProtocols {
		t.Errorf("a new socket is accepted: %v", err)
	} else {
		must(t, res.Body.Close())
	}
	admin.enableSecondFactor()
	admin.get("/users/buyers").wantStatus(http.StatusOK)
}

// enableSecondFactor switches the second factor of the person's account on.
func (p *person) enableSecondFactor() {
	p.t.Helper()
	var started struct{ Secret string }
	p.withCookie(http.MethodPost, "/identity/second-factor/start", fields{}).wantStatus(http.StatusOK).decode(&started)
	code, err := totp.GenerateCode(started.Secret, p.clock.Now())
	must(p.t, err)
	p.withCookie(http.MethodPost, "/identity/second-factor/confirm", fields{"code": code}).wantStatus(http.StatusOK)
}
