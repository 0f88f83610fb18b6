package apitest_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"secondring/market"
)

func TestAddUser(t *testing.T) {
	e := newEnv(t)
	p := e.account("Ada")
	body := fields{"name": "Ada", "email": p.user.Email, "accountType": "User"}

	t.Run("401 without a session", func(t *testing.T) {
		e.send(http.MethodPost, "/users", "not json").wantError(http.StatusUnauthorized, market.CodeNoToken)
	})
	t.Run("401 for a bearer without a cookie", func(t *testing.T) {
		e.buyer("Bearer").do(http.MethodPost, "/users", body).wantError(http.StatusUnauthorized, market.CodeNoToken)
	})
	t.Run("400 before all checks that read the store", func(t *testing.T) {
		for _, broken := range []string{"", "{", "[]", `"x"`, "null", "{} {}", "{\"name\":\"\xff\"}"} {
			p.withCookie(http.MethodPost, "/users", broken).wantError(http.StatusBadRequest, market.CodeBadRequest)
		}
	})
	t.Run("403 for another email address, before other errors", func(t *testing.T) {
		p.withCookie(http.MethodPost, "/users", fields{"email": "eve@phones.example"}).wantError(http.StatusForbidden, market.CodeForbidden)
	})
	t.Run("415 for a form", func(t *testing.T) {
		p.withCookie(http.MethodPost, "/users", body, header("Content-Type", "text/plain")).wantStatus(http.StatusUnsupportedMediaType)
	})
	t.Run("422 for missing, invalid or unavailable values", func(t *testing.T) {
		p.withCookie(http.MethodPost, "/users", fields{}).wantInvalid("name", "email", "accountType")
		p.withCookie(http.MethodPost, "/users", body.with("name", 7)).wantInvalid("name")
		p.withCookie(http.MethodPost, "/users", body.with("accountType", "Admin")).wantInvalid("accountType")
	})
	t.Run("200 once and again", func(t *testing.T) {
		first := p.withCookie(http.MethodPost, "/users", body.with("admin", true).with("status", "verified")).insertedID()
		again := p.withCookie(http.MethodPost, "/users", body).insertedID()
		if first != again {
			t.Errorf("a second call made %s beside %s", again, first)
		}
		p.refreshToken()
		for role, want := range map[string]bool{"admin": false, "buyer": true, "seller": false, "verified": false} {
			wantRole(p, role, p.user.Email, want)
		}
	})
	t.Run("409 for another account type later", func(t *testing.T) {
		p.withCookie(http.MethodPost, "/users", body.with("accountType", "Seller")).wantError(http.StatusConflict, market.CodeExists)
	})
}

var roleFlags = map[string]string{"admin": "isAdmin", "buyer": "isBuyer", "seller": "isSeller", "verified": "isVerified"}

func wantRole(p *person, role, email string, want bool) {
	p.t.Helper()
	var got map[string]any
	p.get("/users/" + role + "/" + url.PathEscape(email)).wantStatus(http.StatusOK).decode(&got)
	if len(got) != 1 || got[roleFlags[role]] != want {
		p.t.Errorf("%s of %s is %v, want %v", role, email, got, want)
	}
}

func TestRoles(t *testing.T) {
	e := newEnv(t)
	admin, buyer, seller, verified := e.admin("Root"), e.buyer("Bob"), e.seller("Sue"), e.verified("Vera")

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
				wantRole(reader, "admin", one.person.user.Email, one.admin)
				wantRole(reader, "buyer", one.person.user.Email, one.buyer)
				wantRole(reader, "seller", one.person.user.Email, one.seller)
				wantRole(reader, "verified", one.person.user.Email, one.verifiedToken)
			}
		}
	})
	t.Run("200 for any case and an encoded @", func(t *testing.T) {
		var got map[string]bool
		buyer.get("/users/buyer/" + strings.ToUpper(url.QueryEscape(buyer.user.Email))).wantStatus(http.StatusOK).decode(&got)
		if !got["isBuyer"] {
			t.Errorf("got %v", got)
		}
	})
	t.Run("200 with only false for an unknown address", func(t *testing.T) {
		for role := range roleFlags {
			wantRole(admin, role, "nobody@phones.example", false)
		}
	})
	t.Run("401 for a visitor", func(t *testing.T) {
		for role := range roleFlags {
			e.visitor().get("/users/"+role+"/"+buyer.user.Email).wantError(http.StatusUnauthorized, market.CodeNoToken)
		}
	})
	t.Run("403 about others, whether they exist or not", func(t *testing.T) {
		for role := range roleFlags {
			there := buyer.get("/users/"+role+"/"+seller.user.Email).wantError(http.StatusForbidden, market.CodeForbidden)
			not := buyer.get("/users/"+role+"/nobody@phones.example").wantError(http.StatusForbidden, market.CodeForbidden)
			if there.Message != not.Message {
				t.Errorf("%q tells from %q who has an account", there.Message, not.Message)
			}
		}
	})
}
