package apitest_test

import (
	"net/http"
	"reflect"

	"secondring/market"
)

// byCookie returns a call with the cookie and a body.
func byCookie(method, path string, body func(c *roleEnv, kind int) any) func(*roleEnv, int, string) answer {
	return func(c *roleEnv, kind int, _ string) answer {
		var sent any
		if body != nil {
			sent = body(c, kind)
		}
		return c.with(true, kind, method, path, sent)
	}
}

// identityRows returns the rows of requests with the cookie.
func identityRows() []question {
	token := func(whose func(kind int) int) func(*roleEnv, int, string) answer {
		return func(c *roleEnv, kind int, _ string) answer {
			return c.with(true, kind, http.MethodGet, "/jwt?email="+mail(c, whose(kind)), nil)
		}
	}
	signUpWith := func(change fields) func(*roleEnv, int, string) answer {
		return byCookie(http.MethodPost, "/users", func(c *roleEnv, kind int) any {
			u := c.people[kind].user
			body := fields{"name": u.Name, "email": u.Email, "accountType": u.AccountType}.and(forbiddenFields).with("status", "verified")
			return body.and(change)
		})
	}
	return []question{
		{call: "GET /jwt", what: "for oneself", want: members, ask: token(func(kind int) int { return kind })},
		{call: "GET /jwt", what: "for the buyer", want: thisBuyer, ask: token(func(int) int { return asBuyer })},
		{call: "GET /jwt", what: "for the admin", want: admins, ask: token(func(int) int { return asAdmin })},
		{call: "POST /users", what: "once more", want: members, ask: signUpWith(nil), then: expectSameRole},
		{call: "POST /users", what: "as somebody else", want: noneOfThem, ask: signUpWith(fields{"email": "nobody@phones.example"})},
		{call: "POST /users", what: "as an admin", want: "401 422 422 422 422 422 422 401 401", ask: signUpWith(fields{"accountType": "Admin"})},
		{call: "POST /users", what: "as the other kind", want: "401 409 409 200 200 200 409 401 401", ask: signUpWith(fields{"accountType": "Seller"}), then: expectSameRole},
		{call: "GET /identity/me", want: members},
		{call: "PATCH /identity/me", want: members, ask: byCookie(http.MethodPatch, "/identity/me", func(c *roleEnv, kind int) any {
			return fields{"displayName": c.people[kind].user.Name, "email": c.people[asAdmin].user.Email}.and(forbiddenFields)
		}), then: expectSameRole},
		{
			call: "POST /identity/password", what: "without the present one", want: "401 422 422 422 422 422 422 401 401",
			ask: byCookie(http.MethodPost, "/identity/password", func(*roleEnv, int) any { return fields{"new": "battery staple"} }),
		},
		{
			call: "POST /identity/password", what: "with a guess", want: "401 422 422 422 422 422 422 401 401",
			ask: byCookie(http.MethodPost, "/identity/password", func(*roleEnv, int) any {
				return fields{"current": "a guess", "new": "battery staple"}
			}),
		},
		{
			call: "POST /identity/email", what: "where no email is sent", want: noneOfThem,
			ask: byCookie(http.MethodPost, "/identity/email", func(*roleEnv, int) any { return fields{"email": "new@phones.example", "password": password} }),
		},
		{
			call: "POST /identity/second-factor/start", what: "with a guess", want: "401 422 422 422 422 422 422 401 401",
			ask: byCookie(http.MethodPost, "/identity/second-factor/start", func(*roleEnv, int) any { return fields{"password": "a guess"} }),
		},
		{
			call: "POST /identity/second-factor/confirm", what: "without a secret", want: "401 409 409 409 409 409 409 401 401",
			ask: byCookie(http.MethodPost, "/identity/second-factor/confirm", func(*roleEnv, int) any { return fields{"code": "123456"} }),
		},
		{
			call: "POST /identity/second-factor/stop", what: "with a guess", want: "401 422 422 422 422 422 422 401 401",
			ask: byCookie(http.MethodPost, "/identity/second-factor/stop", func(*roleEnv, int) any { return fields{"password": "a guess"} }),
		},
		{call: "GET /identity/sessions", want: members},
		{
			call: "DELETE /identity/sessions/{id}", what: "of another person", want: "401 404 404 404 404 404 404 401 401",
			ask: func(c *roleEnv, kind int, _ string) answer {
				other := c.people[asAdmin]
				if kind == asAdmin {
					other = c.people[asBuyer]
				}
				sessions, err := c.store.SessionsOf(c.t.Context(), other.user.UID)
				must(c.t, err)
				return c.with(true, kind, http.MethodDelete, "/identity/sessions/"+sessions[0].ID, nil)
			},
			then: func(c *roleEnv, kind int, _ string, _ answer) {
				if kind != asVisitor && kind != asRemoved && kind != asExpired {
					c.people[asAdmin].withCookie(http.MethodGet, "/identity/me", nil).is(http.StatusOK)
				}
			},
		},
		{
			call: "DELETE /identity/sessions", want: "401 204 204 204 204 204 204 401 401",
			ask: byCookie(http.MethodDelete, "/identity/sessions", nil),
		},
		{
			call: "POST /identity/verify/send", want: "401 204 204 204 204 204 204 401 401",
			ask: byCookie(http.MethodPost, "/identity/verify/send", nil),
		},
		{call: "GET /identity/data", want: members},
		{
			call: "POST /identity/leave", what: "without the password", want: "401 422 422 422 422 422 403 401 401",
			ask:  byCookie(http.MethodPost, "/identity/leave", func(c *roleEnv, kind int) any { return fields{"confirm": c.people[kind].user.Email} }),
			then: expectSameRole,
		},
		{
			call: "POST /identity/leave", what: "with a guess", want: "401 422 422 422 422 422 403 401 401",
			ask: byCookie(http.MethodPost, "/identity/leave", func(*roleEnv, int) any { return fields{"password": "a guess"} }),
		},
		{call: "POST /identity/sign-out", want: "401 204 204 204 204 204 204 401 401", ask: func(c *roleEnv, kind int, _ string) answer {
			if kind == asVisitor {
				return c.visitor().do(http.MethodPost, "/identity/sign-out", nil)
			}
			lasts := month
			if kind == asExpired {
				lasts = 0
			}
			return c.newSession(c.people[kind], kind, lasts).withCookie(http.MethodPost, "/identity/sign-out", nil)
		}},
	}
}

// expectSameRole fails the test if a user has gained rights.
func expectSameRole(c *roleEnv, kind int, _ string, _ answer) {
	before := c.people[kind].user
	now, err := c.store.User(c.t.Context(), before.UID)
	must(c.t, err)
	before.Version, before.Emails = now.Version, now.Emails // the person may change this in another row
	if !reflect.DeepEqual(now, before) {
		c.t.Errorf("the body has made them %+v of %+v", now, before)
	}
	a, err := c.store.Account(c.t.Context(), before.UID)
	must(c.t, err)
	if a.Email != before.Email || a.Removed {
		c.t.Errorf("the body has made the account %+v", a)
	}
}

// signRows returns the rows of sign-in and sign-up, which ignore credentials.
func signRows() []question {
	const redirect = "303 303 303 303 303 303 303 303 303"
	email := func(c *roleEnv, kind int) string {
		if kind == asVisitor {
			return c.mark("a new address", anyone) + "@phones.example"
		}
		return c.people[kind].user.Email
	}
	signIn := func(password string) func(*roleEnv, int, string) answer {
		return sends(http.MethodPost, "/identity/sign-in", func(c *roleEnv, kind int, _ string) any {
			return fields{"email": email(c, kind), "password": password}.and(forbiddenFields)
		})
	}
	return []question{
		{call: "POST /identity/sign-in", want: "401 200 200 200 200 200 200 401 200", ask: signIn(password)},
		{call: "POST /identity/sign-in", what: "with a guess", want: "401 401 401 401 401 401 401 401 401", ask: signIn("a guess")},
		{
			call: "POST /identity/sign-in", what: "with an operator", want: "422 422 422 422 422 422 422 422 422",
			ask: sends(http.MethodPost, "/identity/sign-in", func(c *roleEnv, kind int, _ string) any {
				return fields{"email": email(c, kind), "password": fields{"$ne": nil}}
			}),
		},
		{
			call: "POST /identity/sign-up", want: "201 409 409 409 409 409 409 403 409",
			ask: sends(http.MethodPost, "/identity/sign-up", func(c *roleEnv, kind int, _ string) any {
				return fields{"email": email(c, kind), "password": password, "displayName": "Pat", "accountType": market.AccountSeller}.and(forbiddenFields)
			}),
			then: func(c *roleEnv, _ int, _ string, a answer) {
				var got struct{ Email string }
				a.into(&got)
				if _, err := c.store.UserByEmail(c.t.Context(), got.Email); err == nil {
					c.t.Error("signing up made a user of the market")
				}
			},
		},
		{
			call: "POST /identity/forgot", want: "204 204 204 204 204 204 204 204 204",
			ask: sends(http.MethodPost, "/identity/forgot", func(c *roleEnv, kind int, _ string) any { return fields{"email": email(c, kind)} }),
		},
		{
			call: "POST /identity/reset", what: "with a guess", want: "410 410 410 410 410 410 410 410 410",
			ask: sends(http.MethodPost, "/identity/reset", func(c *roleEnv, _ int, _ string) any {
				return fields{"token": c.people[asAdmin].user.UID + ".guess", "password": password}
			}),
		},
		{
			call: "POST /identity/second-factor", what: "without the first", want: "401 401 401 401 401 401 401 401 401",
			ask: sends(http.MethodPost, "/identity/second-factor", func(*roleEnv, int, string) any { return fields{"code": "123456"} }),
		},
		{
			call: "POST /identity/first-admin", what: "with a guess", want: "410 410 410 410 410 410 410 410 410",
			ask: sends(http.MethodPost, "/identity/first-admin", func(c *roleEnv, kind int, _ string) any {
				return fields{"token": "guess", "email": email(c, kind), "password": password, "displayName": "Pat"}
			}),
		},
		{
			call: "POST /identity/verify", what: "with a guess", want: "410 410 410 410 410 410 410 410 410",
			ask: sends(http.MethodPost, "/identity/verify", func(c *roleEnv, _ int, _ string) any {
				return fields{"token": c.people[asAdmin].user.UID + ".guess"}
			}),
		},
		{call: "GET /identity/google", want: redirect},
		{call: "GET /identity/google/callback", want: redirect},
		{
			call: "POST /identity/google/link", what: "without Google's word", want: "401 401 401 401 401 401 401 401 401",
			ask: sends(http.MethodPost, "/identity/google/link", func(*roleEnv, int, string) any { return fields{"password": password} }),
		},
	}
}
