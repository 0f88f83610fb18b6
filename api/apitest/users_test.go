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
	t.Run("401 for a token without a cookie", func(t *testing.T) {
		e.buyer("Bearer").do(http.MethodPost, "/users", body).wantError(http.StatusUnauthorized, market.CodeNoToken)
	})
	t.Run("400 before the errors that need the store", func(t *testing.T) {
		for _, broken := range []string{"", "{", "[]", `"x"`, "null", "{} {}", "{\"name\":\"\xff\"}"} {
			p.withCookie(http.MethodPost, "/users", broken).wantError(http.StatusBadRequest, market.CodeBadRequest)
		}
	})
	t.Run("403 for another email address, before other errors", func(t *testing.T) {
		p.withCookie(http.MethodPost, "/users", fields{"email": "eve@phones.example"}).wantError(http.StatusForbidden, market.CodeForbidden)
	})

	t.Run("422 for missing or invalid fields", func(t *testing.T) {
		p.withCookie(http.MethodPost, "/users", fields{}).wantInvalid("name", "email", "accountType")
		p.withCookie(http.MethodPost, "/users", body.with("name", 7)).wantInvalid("name")
		p.withCookie(http.MethodPost, "/users", body.with("accountType", "Admin")).wantInvalid("accountType")
	})
	t.Run("200, and again with the same user", func(t *testing.T) {
		first := p.withCookie(http.MethodPost, "/users", body.with("admin", true).with("status", "verified")).insertedID()
		again := p.withCookie(http.MethodPost, "/users", body).insertedID()
		if first != again {
			t.Errorf("the second request returns the user %s, want %s", again, first)
		}
		p.refreshToken()
		for role, want := range map[string]bool{"admin": false, "buyer": true, "seller": false, "verified": false} {
			wantRole(p, role, p.user.Email, want)
		}
	})
	t.Run("a buyer becomes a seller, and again with the same user; 409 for a seller who asks to be a buyer", func(t *testing.T) {
		asSeller := body.with("accountType", "Seller")
		first := p.withCookie(http.MethodPost, "/users", asSeller).insertedID()
		if again := p.withCookie(http.MethodPost, "/users", asSeller).insertedID(); first != again {
			t.Errorf("the second request returns the user %s, want %s", again, first)
		}
		for role, want := range map[string]bool{"admin": false, "buyer": false, "seller": true, "verified": false} {
			wantRole(p, role, p.user.Email, want)
		}
		p.withCookie(http.MethodPost, "/users", body).wantError(http.StatusConflict, market.CodeExists)
	})
	t.Run("409 for an admin who asks to be a seller", func(t *testing.T) {
		admin := e.admin("Root")
		asSeller := fields{"name": admin.user.Name, "email": admin.user.Email, "accountType": "Seller"}
		admin.withCookie(http.MethodPost, "/users", asSeller).wantError(http.StatusConflict, market.CodeExists)
	})
}

var roleFlags = map[string]string{"admin": "isAdmin", "buyer": "isBuyer", "seller": "isSeller", "verified": "isVerified"}

func wantRole(p *person, role, email string, want bool) {
	p.t.Helper()
	var got map[string]any
	p.get("/users/" + role + "/" + url.PathEscape(email)).wantStatus(http.StatusOK).decode(&got)
	if len(got) != 1 || got[roleFlags[role]] != want {
		p.t.Errorf("the role %s of %s is %v, want %v", role, email, got, want)
	}
}

func TestRoles(t *testing.T) {
	e := newEnv(t)
	admin, buyer, seller, verified := e.admin("Root"), e.buyer("Bob"), e.seller("Sue"), e.verified("Vera")

	t.Run("200 with exactly one of admin, buyer and seller", func(t *testing.T) {
		for _, row := range []struct {
			person                         *person
			admin, buyer, seller, verified bool
		}{
			{admin, true, false, false, false},
			{buyer, false, true, false, false},
			{seller, false, false, true, false},
			{verified, false, false, true, true},
		} {
			for _, reader := range []*person{row.person, admin} {
				wantRole(reader, "admin", row.person.user.Email, row.admin)
				wantRole(reader, "buyer", row.person.user.Email, row.buyer)
				wantRole(reader, "seller", row.person.user.Email, row.seller)
				wantRole(reader, "verified", row.person.user.Email, row.verified)
			}
		}
	})
	t.Run("200 for any case and an encoded @", func(t *testing.T) {
		var got map[string]bool
		buyer.get("/users/buyer/" + strings.ToUpper(url.QueryEscape(buyer.user.Email))).wantStatus(http.StatusOK).decode(&got)
		if !got["isBuyer"] {
			t.Errorf("the role is %v, want a buyer", got)
		}
	})
	t.Run("200 with false for an unknown address", func(t *testing.T) {
		for role := range roleFlags {
			wantRole(admin, role, "nobody@phones.example", false)
		}
	})
	t.Run("401 for a visitor", func(t *testing.T) {
		for role := range roleFlags {
			e.visitor().get("/users/"+role+"/"+buyer.user.Email).wantError(http.StatusUnauthorized, market.CodeNoToken)
		}
	})
	t.Run("403 for other users with the same message, whether they exist or not", func(t *testing.T) {
		for role := range roleFlags {
			existing := buyer.get("/users/"+role+"/"+seller.user.Email).wantError(http.StatusForbidden, market.CodeForbidden)
			unknown := buyer.get("/users/"+role+"/nobody@phones.example").wantError(http.StatusForbidden, market.CodeForbidden)
			if existing.Message != unknown.Message {
				t.Errorf("the message %q for an existing user differs from %q for an unknown one", existing.Message, unknown.Message)
			}
		}
	})
}
