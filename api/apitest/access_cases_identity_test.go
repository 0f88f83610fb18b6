package apitest_test

import (
	"net/http"
	"reflect"

	"secondring/market"
)

// sendByCookie returns a function that sends a request with the cookie and a body.
func sendByCookie(method, path string, body func(c *roleEnv, role int) any) func(*roleEnv, int, string) response {
	return func(c *roleEnv, role int, _ string) response {
		var sent any
		if body != nil {
			sent = body(c, role)
		}
		return c.sendAs(true, role, method, path, sent)
	}
}

// identityCases returns the rows of requests with the cookie.
func identityCases() []accessCase {
	token := func(whose func(role int) int) func(*roleEnv, int, string) response {
		return func(c *roleEnv, role int, _ string) response {
			return c.sendAs(true, role, http.MethodGet, "/jwt?email="+emailOf(c, whose(role)), nil)
		}
	}
	signUpWith := func(change fields) func(*roleEnv, int, string) response {
		return sendByCookie(http.MethodPost, "/users", func(c *roleEnv, role int) any {
			u := c.people[role].user
			body := fields{"name": u.Name, "email": u.Email, "accountType": u.AccountType}.and(forbiddenFields).with("status", "verified")
			return body.and(change)
		})
	}
	return []accessCase{
		{route: "GET /jwt", name: "for oneself", want: signedInUsers, send: token(func(role int) int { return role })},
		{route: "GET /jwt", name: "for the buyer", want: thisBuyer, send: token(func(int) int { return asBuyer })},
		{route: "GET /jwt", name: "for the admin", want: "401 403 403 403 403 403 200 403 401 401", send: token(func(int) int { return asAdmin })},
		{route: "POST /users", name: "again", want: signedInUsers, send: signUpWith(nil), check: wantSameRole},
		{route: "POST /users", name: "with another email address", want: forbiddenToAll, send: signUpWith(fields{"email": "nobody@phones.example"})},
		{route: "POST /users", name: "as an admin", want: "401 422 422 422 422 422 422 422 401 401", send: signUpWith(fields{"accountType": "Admin"})},
		{route: "POST /users", name: "as a buyer", want: "401 200 200 409 409 409 200 200 401 401", send: signUpWith(fields{"accountType": "User"}), check: wantSameRole},
		{route: "GET /identity/me", want: signedInUsers},
		{route: "PATCH /identity/me", want: signedInUsers, send: sendByCookie(http.MethodPatch, "/identity/me", func(c *roleEnv, role int) any {
			return fields{
				"displayName": c.people[role].user.Name, "email": c.people[asAdmin].user.Email,
				"phone":    c.number("the remembered phone number of "+roleNames[role], exactlyOne(role)),
				"location": c.newMarker("the remembered location of "+roleNames[role], exactlyOne(role)),
			}.and(forbiddenFields)
		}), check: wantSameRole},
		{
			route: "POST /identity/password", name: "without the current password", want: "401 422 422 422 422 422 422 422 401 401",
			send: sendByCookie(http.MethodPost, "/identity/password", func(*roleEnv, int) any { return fields{"new": "battery staple"} }),
		},
		{
			route: "POST /identity/password", name: "with a wrong password", want: "401 422 422 422 422 422 422 422 401 401",
			send: sendByCookie(http.MethodPost, "/identity/password", func(*roleEnv, int) any {
				return fields{"current": "a wrong password", "new": "battery staple"}
			}),
		},
		{
			route: "POST /identity/email", name: "without an email server", want: forbiddenToAll,
			send: sendByCookie(http.MethodPost, "/identity/email", func(*roleEnv, int) any { return fields{"email": "new@phones.example", "password": password} }),
		},
		{
			route: "POST /identity/second-factor/start", name: "with a wrong password", want: "401 422 422 422 422 422 422 422 401 401",
			send: sendByCookie(http.MethodPost, "/identity/second-factor/start", func(*roleEnv, int) any { return fields{"password": "a wrong password"} }),
		},
		{
			route: "POST /identity/second-factor/confirm", name: "without a secret", want: "401 409 409 409 409 409 409 409 401 401",
			send: sendByCookie(http.MethodPost, "/identity/second-factor/confirm", func(*roleEnv, int) any { return fields{"code": "123456"} }),
		},
		{
			route: "POST /identity/second-factor/stop", name: "with a wrong password", want: "401 422 422 422 422 422 422 422 401 401",
			send: sendByCookie(http.MethodPost, "/identity/second-factor/stop", func(*roleEnv, int) any { return fields{"password": "a wrong password"} }),
		},
		{
			route: "DELETE /identity/google", name: "with a wrong password", want: "401 422 422 422 422 422 422 422 401 401",
			send: sendByCookie(http.MethodDelete, "/identity/google", func(*roleEnv, int) any { return fields{"password": "a wrong password"} }),
		},
		{route: "GET /identity/sessions", want: signedInUsers},
		{
			route: "DELETE /identity/sessions/{id}", name: "of another user", want: "401 404 404 404 404 404 404 404 401 401",
			send: func(c *roleEnv, role int, _ string) response {
				other := c.people[asAdmin]
				if role == asAdmin {
					other = c.people[asBuyer]
				}
				sessions, err := c.store.SessionsOf(c.t.Context(), other.user.UID)
				must(c.t, err)
				return c.sendAs(true, role, http.MethodDelete, "/identity/sessions/"+sessions[0].ID, nil)
			},
			check: func(c *roleEnv, role int, _ string, _ response) {
				if role != asVisitor && role != asDeleted && role != asExpired {
					c.people[asAdmin].withCookie(http.MethodGet, "/identity/me", nil).wantStatus(http.StatusOK)
				}
			},
		},
		{
			route: "DELETE /identity/sessions", want: "401 204 204 204 204 204 204 204 401 401",
			send: sendByCookie(http.MethodDelete, "/identity/sessions", nil),
		},
		{
			route: "POST /identity/verify/send", want: "401 204 204 204 204 204 204 204 401 401",
			send: sendByCookie(http.MethodPost, "/identity/verify/send", nil),
		},
		{route: "GET /identity/data", want: signedInUsers},
		{
			route: "POST /identity/leave", name: "without the password", want: "401 422 422 422 422 422 403 403 401 401",
			send:  sendByCookie(http.MethodPost, "/identity/leave", func(c *roleEnv, role int) any { return fields{"confirm": c.people[role].user.Email} }),
			check: wantSameRole,
		},
		{
			route: "POST /identity/leave", name: "with a wrong password", want: "401 422 422 422 422 422 403 403 401 401",
			send: sendByCookie(http.MethodPost, "/identity/leave", func(*roleEnv, int) any { return fields{"password": "a wrong password"} }),
		},
		{route: "POST /identity/sign-out", want: "401 204 204 204 204 204 204 204 401 401", send: func(c *roleEnv, role int, _ string) response {
			if role == asVisitor {
				return c.visitor().do(http.MethodPost, "/identity/sign-out", nil)
			}
			lasts := month
			if role == asExpired {
				lasts = 0
			}
			return c.newSession(c.people[role], role, lasts).withCookie(http.MethodPost, "/identity/sign-out", nil)
		}},
	}
}

// wantSameRole fails the test if a request has changed the user's rights.
func wantSameRole(c *roleEnv, role int, _ string, _ response) {
	before := c.people[role].user
	now, err := c.store.User(c.t.Context(), before.UID)
	must(c.t, err)
	before.Version, before.Emails = now.Version, now.Emails // the person may change this in another row
	if !reflect.DeepEqual(now, before) {
		c.t.Errorf("the request changed the user from %+v to %+v", before, now)
	}
	a, err := c.store.Account(c.t.Context(), before.UID)
	must(c.t, err)
	if a.Email != before.Email || a.Removed {
		c.t.Errorf("the request changed the account to %+v", a)
	}
}

// signInCases returns the rows of sign-in and sign-up, which ignore credentials.
func signInCases() []accessCase {
	const redirect = "303 303 303 303 303 303 303 303 303 303"
	email := func(c *roleEnv, role int) string {
		if role == asVisitor {
			return c.newMarker("a new address", anyone) + "@phones.example"
		}
		return c.people[role].user.Email
	}
	signIn := func(password string) func(*roleEnv, int, string) response {
		return sendBody(http.MethodPost, "/identity/sign-in", func(c *roleEnv, role int, _ string) any {
			return fields{"email": email(c, role), "password": password}.and(forbiddenFields)
		})
	}
	return []accessCase{
		{route: "POST /identity/sign-in", want: "401 200 200 200 200 200 200 200 403 200", send: signIn(password)},
		{route: "POST /identity/sign-in", name: "with a wrong password", want: "401 401 401 401 401 401 401 401 401 401", send: signIn("a wrong password")},
		{
			route: "POST /identity/sign-in", name: "with a query operator as the password", want: "422 422 422 422 422 422 422 422 422 422",
			send: sendBody(http.MethodPost, "/identity/sign-in", func(c *roleEnv, role int, _ string) any {
				return fields{"email": email(c, role), "password": fields{"$ne": nil}}
			}),
		},
		{
			route: "POST /identity/sign-up", want: "201 409 409 409 409 409 409 409 403 409",
			send: sendBody(http.MethodPost, "/identity/sign-up", func(c *roleEnv, role int, _ string) any {
				return fields{"email": email(c, role), "password": password, "displayName": "Pat", "accountType": market.AccountSeller}.and(forbiddenFields)
			}),
			check: func(c *roleEnv, _ int, _ string, a response) {
				var got struct{ Email string }
				a.decode(&got)
				if _, err := c.store.UserByEmail(c.t.Context(), got.Email); err == nil {
					c.t.Error("signing up made a user of the market")
				}
			},
		},
		{
			route: "POST /identity/forgot", want: "204 204 204 204 204 204 204 204 204 204",
			send: sendBody(http.MethodPost, "/identity/forgot", func(c *roleEnv, role int, _ string) any { return fields{"email": email(c, role)} }),
		},
		{
			route: "POST /identity/reset", name: "with a wrong token", want: "410 410 410 410 410 410 410 410 410 410",
			send: sendBody(http.MethodPost, "/identity/reset", func(c *roleEnv, _ int, _ string) any {
				return fields{"token": c.people[asAdmin].user.UID + ".wrong-token", "password": password}
			}),
		},
		{
			route: "POST /identity/second-factor", name: "without a password", want: "401 401 401 401 401 401 401 401 401 401",
			send: sendBody(http.MethodPost, "/identity/second-factor", func(*roleEnv, int, string) any { return fields{"code": "123456"} }),
		},
		{
			route: "POST /identity/first-admin", name: "with a wrong token", want: "410 410 410 410 410 410 410 410 410 410",
			send: sendBody(http.MethodPost, "/identity/first-admin", func(c *roleEnv, role int, _ string) any {
				return fields{"token": "wrong-token", "email": email(c, role), "password": password, "displayName": "Pat"}
			}),
		},
		{
			route: "POST /identity/verify", name: "with a wrong token", want: "410 410 410 410 410 410 410 410 410 410",
			send: sendBody(http.MethodPost, "/identity/verify", func(c *roleEnv, _ int, _ string) any {
				return fields{"token": c.people[asAdmin].user.UID + ".wrong-token"}
			}),
		},
		{route: "GET /identity/google", want: redirect},
		{route: "GET /identity/google/callback", want: redirect},
		{
			route: "POST /identity/google/link", name: "without a sign-in with Google", want: "401 401 401 401 401 401 401 401 401 401",
			send: sendBody(http.MethodPost, "/identity/google/link", func(*roleEnv, int, string) any { return fields{"password": password} }),
		},
	}
}
