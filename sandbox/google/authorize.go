package google

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/mail"
	"net/url"
	"slices"
	"strings"

	"secondring/market"
	"secondring/market/texts"
)

// challengeMethod is the only PKCE method: "plain" gives no protection.
const challengeMethod = "S256"

// s256Length is the length of a SHA-256 in base64url.
const s256Length = 43

// request is an authorization request (OpenID Connect Core 1.0, 3.1.2.1).
type request struct{ State, Nonce, Challenge string }

// read checks an authorization request. It returns why the request is invalid, or "". The reason
// is shown on the page and not sent to the redirect URI, which is only trusted once the client is
// known.
func (i *Issuer) read(form url.Values) (r request, invalid string) {
	switch {
	case form.Get("client_id") != i.config.ClientID:
		return request{}, "This client is not known here."
	case form.Get("redirect_uri") != i.config.Redirect:
		return request{}, "This is not the address that the client is registered with."
	case form.Get("response_type") != "code":
		return request{}, "Only the authorization code flow is served."
	case !slices.Contains(strings.Fields(form.Get("scope")), "openid"):
		return request{}, "The scope openid is missing."
	case form.Get("code_challenge_method") != challengeMethod, len(form.Get("code_challenge")) != s256Length:
		return request{}, "A PKCE code challenge by S256 is needed."
	case form.Get("state") == "":
		return request{}, "The state is missing."
	}
	return request{State: form.Get("state"), Nonce: form.Get("nonce"), Challenge: form.Get("code_challenge")}, ""
}

// showAccounts shows the page on which a person chooses an account.
func (i *Issuer) showAccounts(w http.ResponseWriter, r *http.Request) {
	if _, invalid := i.read(r.URL.Query()); invalid != "" {
		i.show(w, http.StatusBadRequest, pageData{Invalid: invalid})
		return
	}
	i.show(w, http.StatusOK, pageData{Query: formParams(r.URL.Query()), People: i.config.People})
}

// handleChoice handles the page's form and redirects the browser to the client.
func (i *Issuer) handleChoice(w http.ResponseWriter, r *http.Request) {
	if r.ParseForm() != nil {
		i.show(w, http.StatusBadRequest, pageData{Invalid: "The form could not be read."})
		return
	}
	req, invalid := i.read(r.PostForm)
	if invalid != "" {
		i.show(w, http.StatusBadRequest, pageData{Invalid: invalid})
		return
	}
	query := url.Values{"state": {req.State}}
	if r.PostForm.Has("cancel") {
		query.Set("error", "access_denied")
	} else {
		who, ok := i.person(r.PostForm)
		if !ok {
			i.show(w, http.StatusUnprocessableEntity, pageData{
				Query: formParams(r.PostForm), People: i.config.People, EmailError: "Type an email address, like you@example.com.",
			})
			return
		}
		code, err := i.codes.issue(grant{Who: who, Nonce: req.Nonce, Challenge: req.Challenge})
		if err != nil {
			i.show(w, http.StatusInternalServerError, pageData{Invalid: "No code could be made."})
			return
		}
		query.Set("code", code)
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, i.config.Redirect+"?"+query.Encode(), http.StatusSeeOther)
}

// person returns the person who was chosen on the page, or whose address was typed.
func (i *Issuer) person(form url.Values) (Person, bool) {
	email := form.Get("person")
	if email == "" {
		email = form.Get("email")
	}
	email = texts.CleanEmail(email)
	for _, p := range i.config.People {
		if market.NormalEmail(p.Email) == market.NormalEmail(email) {
			return withSubject(p), true
		}
	}
	at, err := mail.ParseAddress(email)
	if err != nil || at.Address != email {
		return Person{}, false
	}
	name := texts.CleanLine(form.Get("name"))
	if name == "" {
		name, _, _ = strings.Cut(email, "@")
	}
	return withSubject(Person{Email: email, Name: name}), true
}

// withSubject sets the subject, if it is empty, to a hash of the address, so that it stays the same
// after a restart.
func withSubject(p Person) Person {
	if p.Subject == "" {
		sum := sha256.Sum256([]byte(market.NormalEmail(p.Email)))
		p.Subject = "sandbox-" + hex.EncodeToString(sum[:10])
	}
	return p
}
