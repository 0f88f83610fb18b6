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

// enableSecondFactor switches the second factor of a browser's account on. It returns the app's
// secret and the recovery codes.
func (b *browser) enableSecondFactor() (secret string, recovery []string) {
	b.t.Helper()
	started := b.do("POST", "/identity/second-factor/start", fields{"password": adaPass}).wantStatus(200)
	secret, _ = started["secret"].(string)
	confirmed := b.do("POST", "/identity/second-factor/confirm", fields{"code": b.totp(secret)}).wantStatus(200)
	codes, _ := confirmed["recoveryCodes"].([]any)
	for _, code := range codes {
		recovery = append(recovery, code.(string))
	}
	b.clock.Pass(30 * time.Second) // the next code is different
	return secret, recovery
}

// totp returns the app's current code.
func (b *browser) totp(secret string) string {
	b.t.Helper()
	code, err := totp.GenerateCode(secret, b.clock.Now())
	must(b.t, err)
	return code
}

// submitCode sends the code after the password.
func (b *browser) submitCode(code string) response {
	b.t.Helper()
	return b.do("POST", "/identity/second-factor", fields{"code": code})
}

func TestSignInRequiresSecondFactor(t *testing.T) {
	e := newEmailEnv(t)
	current, other := e.confirmedMember(ada), e.browser()
	other.signIn(ada, adaPass).wantStatus(200)
	secret, _ := current.enableSecondFactor()
	if current.do("GET", "/identity/me", nil).wantStatus(200)["secondFactor"] != true {
		t.Error("the second factor is not on")
	}
	other.do("GET", "/identity/me", nil).wantStatus(401)

	b := e.browser()
	b.submitCode("123456").wantStatus(401) // before the password
	b.signIn(ada, "a guess").wantError(401, market.CodeNoToken, "Wrong email or password")
	first := b.signIn(ada, adaPass)
	first.wantError(401, market.CodeSecondFactor, "")
	if first.Cookie["sr_session"] != nil {
		t.Error("the password alone started a session")
	}
	b.do("GET", "/identity/me", nil).wantStatus(401)
	b.submitCode("123456").wantFieldError("code", "This code is not right, or was used before")
	b.submitCode("").wantFieldError("code", "The code is required")
	code := b.totp(secret)
	if me := b.submitCode(code[:3] + " " + code[3:]).wantStatus(200); me["email"] != ada {
		t.Errorf("signed in as %v", me)
	}
	b.do("GET", "/identity/me", nil).wantStatus(200)

	second := e.browser()
	second.signIn(ada, adaPass).wantStatus(401)
	second.submitCode(code).wantFieldError("code", "This code is not right, or was used before")
	if got := e.subjects(ada); !strings.Contains(got, "Two-step login is on") {
		t.Errorf("the owner got the emails %s", got)
	}
}

func TestRecoveryCodesWorkOnce(t *testing.T) {
	e := newEnv(t)
	_, recovery := e.member(ada).enableSecondFactor()
	if len(recovery) != 10 {
		t.Fatalf("recovery codes %v", recovery)
	}
	signIn := func(code string) response {
		b := e.browser()
		b.signIn(ada, adaPass).wantError(401, market.CodeSecondFactor, "")
		return b.submitCode(code)
	}
	signIn(strings.ToLower(strings.ReplaceAll(recovery[0], "-", ""))).wantStatus(200)
	signIn(recovery[0]).wantStatus(422)
	signIn(recovery[1]).wantStatus(200)
	if stored := e.account(ada).SecondFactor; len(stored.Recovery) != 8 || strings.Contains(strings.Join(stored.Recovery, " "), recovery[2]) {
		t.Errorf("stored %+v, want the hashes of 8 unused codes", stored)
	}
}

func TestSecretIsStoredEncrypted(t *testing.T) {
	e := newEnv(t)
	secret, _ := e.member(ada).enableSecondFactor()
	if stored := e.account(ada).SecondFactor.Secret; stored == "" || strings.Contains(stored, secret) {
		t.Errorf("the secret %q is stored as %q", secret, stored)
	}
}

// The cookie between password and code expires with time and with a new password.
func TestFirstFactorExpires(t *testing.T) {
	for name, expire := range map[string]func(e *env, owner *browser){
		"after ten minutes": func(e *env, _ *browser) { e.clock.Pass(10 * time.Minute) },
		"when the password changes": func(_ *env, owner *browser) {
			owner.do("POST", "/identity/password", fields{"current": adaPass, "new": "battery staple"}).wantStatus(204)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t)
			owner := e.member(ada)
			secret, _ := owner.enableSecondFactor()
			b := e.browser()
			b.signIn(ada, adaPass).wantError(401, market.CodeSecondFactor, "")
			expire(e, owner)
			b.submitCode(b.totp(secret)).wantError(401, market.CodeNoToken, "Please log in again")
		})
	}
}

func TestGuessedCodesAreLimited(t *testing.T) {
	e := newEnv(t)
	secret, _ := e.member(ada).enableSecondFactor()
	b := e.browser()
	b.signIn(ada, adaPass).wantStatus(401)
	for range 10 {
		b.submitCode("000000").wantStatus(422)
	}
	b.submitCode(b.totp(secret)).wantStatus(429)
}

func TestSecondFactorIsSetUpWithPassword(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	b.do("POST", "/identity/second-factor/start", fields{"password": "a guess"}).wantFieldError("password", "This is not your password")
	b.do("POST", "/identity/second-factor/confirm", fields{"code": "123456"}).wantError(409, market.CodeConflict, "")
	started := b.do("POST", "/identity/second-factor/start", fields{"password": adaPass}).wantStatus(200)
	secret, _ := started["secret"].(string)
	if link, _ := started["url"].(string); !strings.HasPrefix(link, "otpauth://totp/") || !strings.Contains(link, secret) {
		t.Errorf("the otpauth URL is %v", started["url"])
	}
	qr, _ := started["qr"].(string)
	data, ok := strings.CutPrefix(qr, "data:image/png;base64,")
	if picture, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data))); !ok || err != nil || picture.Bounds().Dx() != 240 {
		t.Errorf("the QR code %.40q is no PNG of 240 pixels: %v", qr, err)
	}
	b.do("POST", "/identity/second-factor/confirm", fields{"code": "000000"}).wantStatus(422)
	e.browser().signIn(ada, adaPass).wantStatus(200) // the second factor is not confirmed yet
	b.do("POST", "/identity/second-factor/confirm", fields{"code": b.totp(secret)}).wantStatus(200)
	b.do("POST", "/identity/second-factor/start", fields{"password": adaPass}).wantError(409, market.CodeConflict, "")
	b.do("POST", "/identity/second-factor/stop", fields{"password": "a guess"}).wantFieldError("password", "This is not your password")
	b.do("POST", "/identity/second-factor/stop", fields{"password": adaPass}).wantStatus(204)
	e.browser().signIn(ada, adaPass).wantStatus(200)
}

// A new password by email does not replace the code.
func TestResetKeepsSecondFactor(t *testing.T) {
	e := newEmailEnv(t)
	e.confirmedMember(ada).enableSecondFactor()
	e.browser().forgot(ada)
	e.browser().reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
	e.browser().signIn(ada, "battery staple").wantError(401, market.CodeSecondFactor, "")
}

// Without emails no address is confirmed. The operator's link does not replace the code.
func TestResetByOperatorKeepsSecondFactor(t *testing.T) {
	e := newEnv(t)
	e.member(ada).enableSecondFactor()
	link, err := e.service.ResetLink(t.Context(), ada)
	must(t, err)
	_, token, _ := strings.Cut(link, "#token=")
	e.browser().reset(token, "battery staple").wantStatus(204)
	e.browser().signIn(ada, "battery staple").wantError(401, market.CodeSecondFactor, "")
}

// Somebody signed up with another person's address and set up a second factor.
func TestResetOfUnconfirmedAddressRemovesSecondFactor(t *testing.T) {
	e := newEmailEnv(t)
	e.member(ada).enableSecondFactor()
	e.browser().forgot(ada)
	e.browser().reset(e.last(ada, "Reset").Token(), "battery staple").wantStatus(204)
	e.browser().signIn(ada, "battery staple").wantStatus(200)
}

func TestOperatorRemovesLostSecondFactor(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	b.enableSecondFactor()
	e.allow("ADA@example.com", true)
	b.do("GET", "/identity/me", nil).wantStatus(401)
	e.browser().signIn(ada, adaPass).wantStatus(200)
	e.wantAuditEntry(market.ActionResetFactor, e.account(ada))
	if _, err := e.service.Allow(t.Context(), ada); market.CodeOf(err) != market.CodeNotFound {
		t.Errorf("without a second factor: %v", err)
	}
}

func TestGoogleSignInRequiresSecondFactor(t *testing.T) {
	e := newGoogleEnv(t)
	grace := googleUser{Subject: "1", Email: "grace@example.com", Name: "Grace", Verified: true}
	b := e.browser()
	e.google.QueueUser(grace)
	b.signInWithGoogle("/").wantRedirect("/")
	started := b.do("POST", "/identity/second-factor/start", fields{}).wantStatus(200)
	secret, _ := started["secret"].(string)
	b.do("POST", "/identity/second-factor/confirm", fields{"code": b.totp(secret)}).wantStatus(200)
	e.clock.Pass(30 * time.Second)
	other := e.browser()
	e.google.QueueUser(grace)
	other.signInWithGoogle("/dashboard/myOrders").wantRedirect("/login?code=1&returnTo=%2Fdashboard%2FmyOrders")
	other.do("GET", "/identity/me", nil).wantStatus(401)
	other.submitCode(other.totp(secret)).wantStatus(200)
	other.do("GET", "/identity/me", nil).wantStatus(200)
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
	b.do("GET", "/jwt?email=ada@example.com", nil).wantError(403, market.CodeNeedsFactor, "")
	b.do("GET", "/identity/me", nil).wantStatus(200)
	b.enableSecondFactor()
	if _, _, err := e.service.Bearer(t.Context(), b.token(ada)); err != nil {
		t.Errorf("with a second factor the token is refused: %v", err)
	}
	b.do("POST", "/identity/second-factor/stop", fields{"password": adaPass}).wantStatus(204)
	b.do("GET", "/jwt?email=ada@example.com", nil).wantError(403, market.CodeNeedsFactor, "")
}

// The keys of second factors do not depend on TOKEN_SECRET, and an earlier key still decrypts. Without
// it people are told the truth, and can use a recovery code.
func TestSecondFactorSurvivesNewKeys(t *testing.T) {
	first, second := []byte(strings.Repeat("1", 32)), []byte(strings.Repeat("2", 32))
	var store market.Store
	e := newEnv(t, func(c *identity.Config) {
		c.FactorKeys = [][]byte{first}
		store = c.Store.(market.Store)
	})
	factor, recovery := e.member(ada).enableSecondFactor()
	restarted := func(keys ...[]byte) *browser {
		other := newEnv(t, func(c *identity.Config) {
			c.Store, c.Market = store, e.market
			c.Clock, c.Secret, c.FactorKeys = e.clock, []byte(strings.Repeat("t", 32)), keys
		})
		other.clock = e.clock
		b := other.browser()
		b.signIn(ada, adaPass).wantStatus(401)
		return b
	}
	b := restarted(second, first)
	b.submitCode(b.totp(factor)).wantStatus(200)
	e.clock.Pass(30 * time.Second)
	b = restarted(second)
	b.submitCode(b.totp(factor)).wantError(503, market.CodeUnavailable, "")
	b.submitCode(recovery[0]).wantStatus(200)
}
