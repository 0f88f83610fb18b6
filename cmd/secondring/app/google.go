package app

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"

	"secondring/api/identity"
	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	googlesandbox "secondring/sandbox/google"
)

const sandboxPath = "/sandbox/google"

// googleSignIn returns the configuration of the sign-in with Google, and the handlers of its
// sandbox by path. It is for Google if its settings are set, for the sandbox in the demo,
// else nil.
func googleSignIn(s settings.Settings, secret []byte, records market.DocumentStore, clock market.Clock) (*identity.GoogleConfig, map[string]http.Handler, error) {
	if s.Google.ClientID != "" {
		return &identity.GoogleConfig{
			Issuer: s.Google.Issuer, ClientID: s.Google.ClientID, ClientSecret: s.Google.ClientSecret,
		}, nil, nil
	}
	if !s.Demo {
		return nil, nil, nil
	}
	config := googlesandbox.Config{
		Issuer: s.PublicURL.String() + sandboxPath, ClientID: "secondring-demo", ClientSecret: sandboxSecret(secret),
		Redirect: s.PublicURL.String() + identity.CallbackPath, Records: records, Clock: clock, People: sandboxPeople(),
	}
	issuer, err := googlesandbox.New(config)
	if err != nil {
		return nil, nil, err
	}
	return &identity.GoogleConfig{
		Issuer: config.Issuer, ClientID: config.ClientID, ClientSecret: config.ClientSecret, Client: issuer.Client(),
	}, map[string]http.Handler{sandboxPath: issuer}, nil
}

// sandboxSecret derives the sandbox's client secret from the token secret. It is the same on
// all nodes and does not reveal the token secret.
func sandboxSecret(secret []byte) string {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte("sandbox Google: client secret"))
	return hex.EncodeToString(h.Sum(nil))
}

// sandboxPeople returns a person without an account, and a buyer who has an account with a
// password.
func sandboxPeople() []googlesandbox.Person {
	people := []googlesandbox.Person{{Email: "farah.google@example.com", Name: "Farah Haque"}}
	for _, p := range demo.People() {
		if p.Email == demo.Logins()[3].Email {
			people = append(people, googlesandbox.Person{Email: p.Email, Name: p.Name})
		}
	}
	return people
}
