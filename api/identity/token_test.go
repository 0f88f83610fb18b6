package identity_test

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"secondring/api/identity"
	"secondring/market"
)

func TestTokenIsIssuedForOwnAddressOnly(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	e.member("bob@example.com")
	a := b.do("GET", "/jwt?email=ADA%40example.com", nil)
	token, _ := a.wantStatus(200)["accessToken"].(string)
	if a.Header.Get("Cache-Control") != "no-store" {
		t.Error("the response with a token may be cached")
	}
	actor, expires, err := e.service.Bearer(t.Context(), token)
	must(t, err)
	if actor.User.Email != ada || !expires.Equal(e.clock.Now().Add(time.Hour)) {
		t.Errorf("the token belongs to %s and expires at %s", actor.User.Email, expires)
	}
	e.browser().do("GET", "/jwt?email="+ada, nil).wantError(401, market.CodeNoToken, "")
	for _, other := range []string{"bob@example.com", "nobody@example.com", ada + ".evil.com", "Ada", "ada%FF@example.com"} {
		b.do("GET", "/jwt?email="+other, nil).wantStatus(map[bool]int{true: 422, false: 403}[other == "ada%FF@example.com"])
	}
	b.do("GET", "/jwt", nil).wantFieldError("email", "Email Address is required")
}

func TestNoTokenWithoutUser(t *testing.T) {
	e := newEnv(t)
	b := e.browser()
	b.signUp(ada, adaPass).wantStatus(201)
	b.do("GET", "/jwt?email="+ada, nil).wantError(403, market.CodeNoUser, "")
	_, err := e.market.AddUser(t.Context(), e.account(ada), market.UserRequest{Name: "Ada", Email: ada, AccountType: market.AccountSeller})
	must(t, err)
	b.token(ada)
}

func TestTokenLastsOneHourAndRenews(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	first := b.token(ada)
	e.clock.Pass(time.Hour - time.Second)
	_, _, err := e.service.Bearer(t.Context(), first)
	must(t, err)
	second := b.token(ada)
	e.clock.Pass(time.Second)
	e.wantTokenRefused(first)
	_, _, err = e.service.Bearer(t.Context(), second)
	must(t, err)
}

// signToken returns a token with these claims, signed with this method and key.
func signToken(t *testing.T, method jwt.SigningMethod, key any, header, claims map[string]any) string {
	t.Helper()
	token := jwt.NewWithClaims(method, jwt.MapClaims(claims))
	maps.Copy(token.Header, header)
	raw, err := token.SignedString(key)
	must(t, err)
	return raw
}

func TestForgedTokensAreRefused(t *testing.T) {
	e := newEnv(t)
	b := e.member(ada)
	valid := b.token(ada)
	actor, _, err := e.service.Bearer(t.Context(), valid)
	must(t, err)
	key, now := identity.TokenKey(e.service), e.clock.Now()
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	der, err := x509.MarshalPKIXPublicKey(&rsaKey.PublicKey)
	must(t, err)
	publicPEM := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	header := map[string]any{"typ": "at+jwt"}
	claims := func(change map[string]any) map[string]any {
		all := map[string]any{
			"iss": "secondring", "aud": "secondring", "sub": actor.User.UID, "sid": actor.Session,
			"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
		}
		for name, value := range change {
			if all[name] = value; value == nil {
				delete(all, name)
			}
		}
		return all
	}
	hs := func(change map[string]any) string {
		return signToken(t, jwt.SigningMethodHS256, key, header, claims(change))
	}
	if _, _, err := e.service.Bearer(t.Context(), hs(nil)); err != nil {
		t.Fatalf("a valid signed token is refused: %v", err)
	}
	issuedLater := hs(map[string]any{"iat": now.Add(time.Minute).Unix()})
	if _, _, err := e.service.Bearer(t.Context(), issuedLater); err != nil {
		t.Errorf("a token of a node whose clock is ahead is refused: %v", err)
	}
	parts := strings.Split(valid, ".")
	attackerKey := bytes.Repeat([]byte("m"), 32)
	// namingKey returns a token whose header names the attacker's key.
	namingKey := func(names map[string]any) string {
		return signToken(t, jwt.SigningMethodHS256, attackerKey, with(header, names), claims(nil))
	}
	for name, token := range map[string]string{
		"empty":             "",
		"no JWT":            "what is this?",
		"signature cut":     parts[0] + "." + parts[1] + ".",
		"two parts":         parts[0] + "." + parts[1],
		"other payload":     parts[0] + "." + payload(t, claims(map[string]any{"sub": "somebody"})) + "." + parts[2],
		"none":              signToken(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, header, claims(nil)),
		"RS256":             signToken(t, jwt.SigningMethodRS256, rsaKey, header, claims(nil)),
		"HS256 with RS key": signToken(t, jwt.SigningMethodHS256, publicPEM, header, claims(nil)),
		"HS512":             signToken(t, jwt.SigningMethodHS512, key, header, claims(nil)),
		"foreign secret":    signToken(t, jwt.SigningMethodHS256, bytes.Repeat([]byte("x"), 32), header, claims(nil)),
		"the secret itself": signToken(t, jwt.SigningMethodHS256, secret, header, claims(nil)),
		"empty secret":      signToken(t, jwt.SigningMethodHS256, []byte{}, header, claims(nil)),
		"other type":        signToken(t, jwt.SigningMethodHS256, key, map[string]any{"typ": "JWT"}, claims(nil)),
		"kid of a file":     namingKey(map[string]any{"kid": "../../../../dev/null"}),
		"kid of a query":    namingKey(map[string]any{"kid": "x' UNION SELECT 'mmmm"}),
		"kid of an address": namingKey(map[string]any{"kid": "http://127.0.0.1:1/key"}),
		"empty key's kid":   signToken(t, jwt.SigningMethodHS256, []byte{}, with(header, map[string]any{"kid": ""}), claims(nil)),
		"jku":               namingKey(map[string]any{"jku": "https://evil.example/jwks.json", "kid": "1"}),
		"x5u":               namingKey(map[string]any{"x5u": "https://evil.example/cert.pem"}),
		"x5c":               namingKey(map[string]any{"x5c": []string{encode(der)}}),
		"jwk":               namingKey(map[string]any{"jwk": map[string]string{"kty": "oct", "k": base64.RawURLEncoding.EncodeToString(attackerKey)}}),
		"crit":              namingKey(map[string]any{"crit": []string{"exp"}}),
		"nOnE":              noneToken(t, claims(nil)),
		"jwk of RSA":        signToken(t, jwt.SigningMethodRS256, rsaKey, with(header, map[string]any{"jwk": map[string]string{"kty": "RSA"}}), claims(nil)),
		"exp as text":       hs(map[string]any{"exp": "tomorrow"}),
		"exp below zero":    hs(map[string]any{"exp": -1}),
		"similar aud":       hs(map[string]any{"aud": []string{"secondring.evil.example", "SECONDRING"}}),
		"expires now":       hs(map[string]any{"exp": now.Unix()}),
		"an ID token":       signToken(t, jwt.SigningMethodHS256, key, map[string]any{"typ": "JWT"}, claims(map[string]any{"nonce": "n"})),
		"padding":           valid + "==",
		"a fourth part":     valid + ".e30",
		"spaces":            " " + valid,
		"no exp":            hs(map[string]any{"exp": nil}),
		"expired":           hs(map[string]any{"exp": now.Add(-time.Second).Unix()}),
		"future nbf":        hs(map[string]any{"nbf": now.Add(time.Minute).Unix()}),
		"wrong aud":         hs(map[string]any{"aud": "elsewhere"}),
		"no aud":            hs(map[string]any{"aud": nil}),
		"wrong iss":         hs(map[string]any{"iss": "https://elsewhere.example.com"}),
		"no iss":            hs(map[string]any{"iss": nil}),
		"no sub":            hs(map[string]any{"sub": nil}),
		"other sub":         hs(map[string]any{"sub": "somebody"}),
		"no sid":            hs(map[string]any{"sid": nil}),
		"other sid":         hs(map[string]any{"sid": "some session"}),
	} {
		if _, _, err := e.service.Bearer(t.Context(), token); market.CodeOf(err) != market.CodeNoToken {
			t.Errorf("%s: %v, want code %q", name, err, market.CodeNoToken)
		}
	}
}

// with returns a header with more fields.
func with(header, more map[string]any) map[string]any {
	all := maps.Clone(header)
	maps.Copy(all, more)
	return all
}

// noneToken returns an unsigned token whose alg is "none" in other letter cases.
func noneToken(t *testing.T, claims map[string]any) string {
	t.Helper()
	head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"nOnE","typ":"at+jwt"}`))
	return head + "." + payload(t, claims) + "."
}

func payload(t *testing.T, claims map[string]any) string {
	t.Helper()
	raw, err := json.Marshal(claims)
	must(t, err)
	return base64.RawURLEncoding.EncodeToString(raw)
}

func TestTokenOfAnotherUsersSessionIsRefused(t *testing.T) {
	e := newEnv(t)
	a, _, err := e.service.Bearer(t.Context(), e.member(ada).token(ada))
	must(t, err)
	const bob = "bob@example.com"
	b, _, err := e.service.Bearer(t.Context(), e.member(bob).token(bob))
	must(t, err)
	now := e.clock.Now()
	mixed := signToken(t, jwt.SigningMethodHS256, identity.TokenKey(e.service), map[string]any{"typ": "at+jwt"}, map[string]any{
		"iss": "secondring", "aud": "secondring", "sub": a.User.UID, "sid": b.Session,
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	})
	e.wantTokenRefused(mixed)
}

func TestShortSecretsAreRefused(t *testing.T) {
	public := &url.URL{Scheme: "http", Host: "localhost:8080"}
	for _, short := range [][]byte{nil, []byte("secret"), bytes.Repeat([]byte("s"), identity.MinSecret-1)} {
		if _, err := identity.New(identity.Config{Secret: short, PublicURL: public, Clock: market.SystemClock{}}); err == nil {
			t.Errorf("a secret of %d bytes is accepted", len(short))
		}
	}
}
