package identity_test

import (
	"encoding/base64"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"secondring/api/identity"
	"secondring/market"
)

// enrolls switches the second factor of a browser's account on, and returns the app's
// secret and the recovery codes.
func (b *browser) enrolls() (secret string, recovery []string) {
	b.t.Helper()
	started := b.do("POST", "/identity/second-factor/start", fields{"password": adaPass}).is(200)
	secret, _ = started["secret"].(string)
	confirmed := b.do("POST", "/identity/second-factor/confirm", fields{"code": b.code(secret)}).is(200)
	codes, _ := confirmed["recoveryCodes"].([]any)
	for _, code := range codes {
		recovery = append(recovery, code.(string))
	}
	b.clock.Pass(30 * time.Second) // the next code is different
	return secret, recovery
}

// code returns the app's current code.
func (b *browser) code(secret string) string {
	b.t.Helper()
	code, err := totp.GenerateCode(secret, b.clock.Now())
	must(b.t, err)
	return code
}

func (b *browser) enter(code string) answer {
	b.t.Helper()
	return b.do("POST", "/identity/second-factor", fields{"code": code})
}

func TestSignInTakesCode(t *testing.T) {
	e := newEmailEnv(t)
	here, there := e.member(ada), e.browser()
	there.signIn(ada, adaPass).is(200)
	secret, _ := here.enrolls()
	if here.do("GET", "/identity/me", nil).is(200)["secondFactor"] != true {
		t.Error("the second factor is not on")
	}
	there.do("GET", "/identity/me", nil).is(401)

	b := e.browser()
	b.enter("123456").is(401) // before the password
	b.signIn(ada, "a guess").refused(401, market.CodeNoToken, "Wrong email or password")
	first := b.signIn(ada, adaPass)
	first.refused(401, market.CodeSecondFactor, "")
	if first.Cookie["sr_session"] != nil {
		t.Error("the password alone began a session")
	}
	b.do("GET", "/identity/me", nil).is(401)
	b.enter("123456").field("code", "This code is not right, or was used before")
	b.enter("").field("code", "The code is required")
	code := b.code(secret)
	if me := b.enter(code[:3] + " " + code[3:]).is(200); me["email"] != ada {
		t.Errorf("signed in as %v", me)
	}
	b.do("GET", "/identity/me", nil).is(200)

	again := e.browser()
	again.signIn(ada, adaPass).is(401)
	again.enter(code).field("code", "This code is not right, or was used before")
	if got := e.subjects(ada); !strings.Contains(got, "sign-in now takes a code") {
		t.Errorf("the owner got %s", got)
	}
}

func TestRecoveryCodesWorkOnce(t *testing.T) {
	e := newEnv(t)
	_, recovery := e.member(ada).enrolls()
	if len(recovery) != 10 {
		t.Fatalf("recovery codes %v", recovery)
	}
	sign := func(code string) answer {
		b := e.browser()
		b.signIn(ada, adaPass).refused(401, market.CodeSecondFactor, "")
		return b.enter(code)
	}
	sign(strings.ToLower(strings.ReplaceAll(recovery[0], "-", ""))).is(200)
	sign(recovery[0]).is(422)
	sign(recovery[1]).is(200)
	if stored := e.account(ada).SecondFactor; len(stored.Recovery) != 8 || strings.Contains(strings.Join(stored.Recovery, " "), recovery[2]) {
		t.Errorf("stored %+v", stored)
	}
}

func TestSecretIsStoredEncrypted(t *testing.T) {
	e := newEnv(t)
	secret, _ := e.member(ada).enrolls()
	if stored := e.account(ada).SecondFactor.Secret; stored == "" || strings.Contains(stored, secret) {
		t.Errorf("stored %q", stored)
	}
}

// The cookie between password and code expires with time and with a new password.
func TestFirstFactorEnds(t *testing.T) {
	for name, ends := range map[string]func(e *env, owner *browser){
		"after ten minutes": func(e *env, _ *browser) { e.clock.Pass(10 * time.Minute) },
		"with a new password": func(_ *env, owner *browser) {
			owner.do("POST", "/identity/password", fields{"current": adaPass, "new": "battery staple"}).is(204)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			owner := e.member(ada)
			secret, _ := owner.enrolls()
			b := e.browser()
			b.signIn(ada, adaPass).refused(401, market.CodeSecondFactor, "")
			ends(e, owner)
			b.enter(b.code(secret)).refused(401, market.CodeNoToken, "Please log in again")
		})
	}
}

func TestGuessedCodesAreLimited(t *testing.T) {
	e := newEnv(t)
	secret, _ := e.member(ada).enrolls()
	b := e.browser()
	b.signIn(ada, adaPass).is(401)
	for range 10 {
		b.enter("000000").is(422)
	}
	b.enter(b.code(secret)).is(429)
}

func TestSecondFactorIsSetUpWithPassword(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	b.do("POST", "/identity/second-factor/start", fields{"password": "a guess"}).field("password", "This is not your password")
	b.do("POST", "/identity/second-factor/confirm", fields{"code": "123456"}).refused(409, market.CodeConflict, "")
	started := b.do("POST", "/identity/second-factor/start", fields{"password": adaPass}).is(200)
	secret, _ := started["secret"].(string)
	if address, _ := started["url"].(string); !strings.HasPrefix(address, "otpauth://totp/") || !strings.Contains(address, secret) {
		t.Errorf("the address is %v", started["url"])
	}
	qr, _ := started["qr"].(string)
	data, ok := strings.CutPrefix(qr, "data:image/png;base64,")
	if picture, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data))); !ok || err != nil || picture.Bounds().Dx() != 240 {
		t.Errorf("the picture: %v", err)
	}
	b.do("POST", "/identity/second-factor/confirm", fields{"code": "000000"}).is(422)
	e.browser().signIn(ada, adaPass).is(200) // the second factor is not confirmed yet
	b.do("POST", "/identity/second-factor/confirm", fields{"code": b.code(secret)}).is(200)
	b.do("POST", "/identity/second-factor/start", fields{"password": adaPass}).refused(409, market.CodeConflict, "")
	b.do("POST", "/identity/second-factor/stop", fields{"password": "a guess"}).field("password", "This is not your password")
	b.do("POST", "/identity/second-factor/stop", fields{"password": adaPass}).is(204)
	e.browser().signIn(ada, adaPass).is(200)
}

// A new password by email does not replace the code.
func TestResetKeepsSecondFactor(t *testing.T) {
	e := newEmailEnv(t)
	e.member(ada).enrolls()
	e.browser().forgot(ada)
	e.browser().reset(e.last(ada, "Reset").Token(), "battery staple").is(204)
	e.browser().signIn(ada, "battery staple").refused(401, market.CodeSecondFactor, "")
}

func TestOperatorRemovesLostSecondFactor(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	b.enrolls()
	must(t, e.service.Allow(t.Context(), "ADA@example.com"))
	b.do("GET", "/identity/me", nil).is(401)
	e.browser().signIn(ada, adaPass).is(200)
	e.wantAuditEntry(market.ActionResetFactor, e.account(ada))
	if err := e.service.Allow(t.Context(), ada); market.CodeOf(err) != market.CodeNotFound {
		t.Errorf("once more: %v", err)
	}
}

func TestGoogleSignInTakesCode(t *testing.T) {
	e := newGoogleEnv(t)
	grace := googleUser{Subject: "1", Email: "grace@example.com", Name: "Grace", Verified: true}
	b := e.browser()
	e.google.QueueUser(grace)
	b.google("/").leadsTo("/")
	started := b.do("POST", "/identity/second-factor/start", fields{}).is(200)
	secret, _ := started["secret"].(string)
	b.do("POST", "/identity/second-factor/confirm", fields{"code": b.code(secret)}).is(200)
	e.clock.Pass(30 * time.Second)
	other := e.browser()
	e.google.QueueUser(grace)
	other.google("/dashboard/myOrders").leadsTo("/login?code=1&returnTo=%2Fdashboard%2FmyOrders")
	other.do("GET", "/identity/me", nil).is(401)
	other.enter(other.code(secret)).is(200)
	other.do("GET", "/identity/me", nil).is(200)
}

// With ADMIN_2FA an admin gets no token and may not act before the factor is on.
func TestAdminsNeedSecondFactor(t *testing.T) {
	rules := market.Rules{BookingHold: time.Hour, MaxHolds: 20, Advertise: market.AdvertiseAll, AdminFactor: true}
	var strict *market.Market
	e := newEnv(t, func(c *identity.Config) {
		strict = market.New(c.Store.(market.Store), c.Clock, rules, market.NoPayments{})
		c.Market = strict
	})
	b := e.member(ada)
	b.token(ada)
	must(t, strict.MakeAdmin(t.Context(), e.account(ada)))
	b.do("GET", "/jwt?email=ada@example.com", nil).refused(403, market.CodeNeedsFactor, "")
	b.do("GET", "/identity/me", nil).is(200)
	b.enrolls()
	if _, _, err := e.service.Bearer(t.Context(), b.token(ada)); err != nil {
		t.Errorf("then: %v", err)
	}
	b.do("POST", "/identity/second-factor/stop", fields{"password": adaPass}).is(204)
	b.do("GET", "/jwt?email=ada@example.com", nil).refused(403, market.CodeNeedsFactor, "")
}
