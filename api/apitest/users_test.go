package apitest_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"secondring/market"
)

func TestAddUser(t *testing.T) {
	w := newEnv(t)
	p := w.account("Ada")
	body := fields{"name": "Ada", "email": p.user.Email, "accountType": "User"}

	t.Run("401 without a session", func(t *testing.T) {
		w.send(http.MethodPost, "/users", "not json").refused(http.StatusUnauthorized, market.CodeNoToken)
	})
	t.Run("401 for a bearer without a cookie", func(t *testing.T) {
		w.buyer("Bearer").do(http.MethodPost, "/users", body).refused(http.StatusUnauthorized, market.CodeNoToken)
	})
	t.Run("400 before all checks that read the store", func(t *testing.T) {
		for _, broken := range []string{"", "{", "[]", `"x"`, "null", "{} {}", "{\"name\":\"\xff\"}"} {
			p.withCookie(http.MethodPost, "/users", broken).refused(http.StatusBadRequest, market.CodeBadRequest)
		}
	})
	t.Run("403 for another email address, before other errors", func(t *testing.T) {
		p.withCookie(http.MethodPost, "/users", fields{"email": "eve@phones.example"}).refused(http.StatusForbidden, market.CodeForbidden)
	})
	t.Run("415 for a form", func(t *testing.T) {
		p.withCookie(http.MethodPost, "/users", body, header("Content-Type", "text/plain")).is(http.StatusUnsupportedMediaType)
	})
	t.Run("422 for missing, invalid or unavailable values", func(t *testing.T) {
		p.withCookie(http.MethodPost, "/users", fields{}).invalid("name", "email", "accountType")
		p.withCookie(http.MethodPost, "/users", body.with("name", 7)).invalid("name")
		p.withCookie(http.MethodPost, "/users", body.with("accountType", "Admin")).invalid("accountType")
	})
	t.Run("200 once and again", func(t *testing.T) {
		first := p.withCookie(http.MethodPost, "/users", body.with("admin", true).with("status", "verified")).id()
		again := p.withCookie(http.MethodPost, "/users", body).id()
		if first != again {
			t.Errorf("a second call made %s beside %s", again, first)
		}
		p.renewed()
		for role, want := range map[string]bool{"admin": false, "buyer": true, "seller": false, "verified": false} {
			hasRole(p, role, p.user.Email, want)
		}
	})
	t.Run("409 for another account type later", func(t *testing.T) {
		p.withCookie(http.MethodPost, "/users", body.with("accountType", "Seller")).refused(http.StatusConflict, market.CodeExists)
	})
}

var roleFlags = map[string]string{"admin": "isAdmin", "buyer": "isBuyer", "seller": "isSeller", "verified": "isVerified"}

func hasRole(p *person, role, email string, want bool) {
	p.t.Helper()
	var got map[string]any
	p.get("/users/" + role + "/" + url.PathEscape(email)).is(http.StatusOK).into(&got)
	if len(got) != 1 || got[roleFlags[role]] != want {
		p.t.Errorf("%s of %s is %v, want %v", role, email, got, want)
	}
}

func TestRoles(t *testing.T) {
	w := newEnv(t)
	admin, buyer, seller, verified := w.admin("Root"), w.buyer("Bob"), w.seller("Sue"), w.verified("Vera")

	t.Run("200 with exactly one of the three", func(t *testing.T) {
		for _, one := range []struct {
			person                              *person
			admin, buyer, seller, verifiedToken bool
		}{
			{admin, true, false, false, false},
			{buyer, false, true, false, false},
			{seller, false, false, true, false},
			{verified, false, false, true, true},
		} {
			for _, reader := range []*person{one.person, admin} {
				hasRole(reader, "admin", one.person.user.Email, one.admin)
				hasRole(reader, "buyer", one.person.user.Email, one.buyer)
				hasRole(reader, "seller", one.person.user.Email, one.seller)
				hasRole(reader, "verified", one.person.user.Email, one.verifiedToken)
			}
		}
	})
	t.Run("200 for any case and an encoded @", func(t *testing.T) {
		var got map[string]bool
		buyer.get("/users/buyer/" + strings.ToUpper(url.QueryEscape(buyer.user.Email))).is(http.StatusOK).into(&got)
		if !got["isBuyer"] {
			t.Errorf("got %v", got)
		}
	})
	t.Run("200 with only false for an unknown address", func(t *testing.T) {
		for role := range roleFlags {
			hasRole(admin, role, "nobody@phones.example", false)
		}
	})
	t.Run("401 for a visitor", func(t *testing.T) {
		for role := range roleFlags {
			w.visitor().get("/users/"+role+"/"+buyer.user.Email).refused(http.StatusUnauthorized, market.CodeNoToken)
		}
	})
	t.Run("403 about others, whether they exist or not", func(t *testing.T) {
		for role := range roleFlags {
			there := buyer.get("/users/"+role+"/"+seller.user.Email).refused(http.StatusForbidden, market.CodeForbidden)
			not := buyer.get("/users/"+role+"/nobody@phones.example").refused(http.StatusForbidden, market.CodeForbidden)
			if there.Message != not.Message {
				t.Errorf("%q tells from %q who has an account", there.Message, not.Message)
			}
		}
	})
}
