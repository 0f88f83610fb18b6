package apitest_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gorilla/websocket"

	"secondring/market"
)

// callAccess returns the table: each call, and the status for each role.
func callAccess() []question {
	return slices.Concat(publicRows(), ownRows(), peopleRows(), productRows(), bookingRows(), orderRows(), waitlistRows(), watchingRows(), notificationRows(), paymentRows(), reportRows(), identityRows(), signRows())
}

// sends returns a call with a body that depends on the user.
func sends(method, pattern string, body func(c *roleEnv, kind int, id string) any) func(*roleEnv, int, string) answer {
	return func(c *roleEnv, kind int, id string) answer {
		return c.people[kind].do(method, path(pattern, id), body(c, kind, id))
	}
}

// getPath returns a GET of a path that depends on the user.
func getPath(address func(c *roleEnv, kind int) string) func(*roleEnv, int, string) answer {
	return func(c *roleEnv, kind int, _ string) answer { return c.people[kind].get(address(c, kind)) }
}

func mail(c *roleEnv, kind int) string { return url.QueryEscape(c.people[kind].user.Email) }

func availablePhone(c *roleEnv) string { return c.phoneOf(asSeller) }

func publicRows() []question {
	rows := []question{
		{call: "GET /images/{name}", want: everybody, ask: getPath(func(c *roleEnv, _ int) string { return c.picture })},
		{call: "GET /products/advertised", want: notWithout},
		{call: "GET /products/search", want: notWithout, ask: getPath(func(*roleEnv, int) string { return "/products/search?q=nexus" })},
		{call: "GET /products/{id}", want: notWithout, on: availablePhone},
		{call: "GET /products/{id}", what: "of a held one", want: notWithout, on: func(c *roleEnv) string {
			phone := c.phoneOf(asSeller)
			c.bookingOf(asRival, phone)
			return phone
		}},
		{call: "GET /categories/{id}", want: notWithout, on: func(c *roleEnv) string { return c.brand.ID }},
		{call: "POST /stripe/webhook", what: "unsigned", want: "400 400 400 400 400 400 400 400 400"},
		{call: "GET /live", want: "101 101 101 101 101 101 101 401 401", ask: handshakeStatus},
	}
	for _, path := range []string{
		"/productCategory", "/allCategories", "/categories", "/config", "/healthz", "/readyz", "/metrics",
		"/openapi.json", "/docs", "/docs/style.css",
	} {
		rows = append(rows, question{call: "GET " + path, want: everybody})
	}
	return rows
}

// handshakeStatus opens a socket with the user's token, and closes it.
func handshakeStatus(c *roleEnv, kind int, _ string) answer {
	c.t.Helper()
	protocols := []string{"secondring.v1"}
	if token := c.people[kind].token; token != "" {
		protocols = append(protocols, "bearer."+token)
	}
	dialer := websocket.Dialer{Subprotocols: protocols}
	conn, response, err := dialer.DialContext(c.t.Context(), "ws"+strings.TrimPrefix(c.server.URL, "http")+"/live", nil)
	if response == nil {
		c.t.Fatal(err)
	}
	if err == nil {
		must(c.t, conn.Close())
	}
	return answer{t: c.t, what: "GET /live", Response: response, body: readAll(c.t, response.Body)}
}

// ownRows returns the rows of lists that belong to one user.
func ownRows() []question {
	of := func(list string, whose int) func(*roleEnv, int, string) answer {
		return getPath(func(c *roleEnv, _ int) string { return list + mail(c, whose) })
	}
	their := func(list string) func(*roleEnv, int, string) answer {
		return getPath(func(c *roleEnv, kind int) string {
			if kind == asVisitor {
				return list + "nobody@phones.example"
			}
			return list + mail(c, kind)
		})
	}
	rows := []question{
		{call: "GET /bookings", what: "of the buyer", want: buyerAdmin, ask: of("/bookings?email=", asBuyer)},
		{call: "GET /bookings", what: "of oneself", want: "401 200 200 403 403 403 200 401 401", ask: their("/bookings?email=")},
		{call: "GET /bookings", what: "of two at once", want: "401 200 403 403 403 403 200 401 401", ask: getPath(func(c *roleEnv, kind int) string {
			return "/bookings?email=" + mail(c, asBuyer) + "&email=" + mail(c, asRival)
		})},
		{call: "GET /waitlist", what: "of the buyer", want: thisBuyer, ask: of("/waitlist?email=", asBuyer)},
		{call: "GET /waitlist", what: "of oneself", want: buyers, ask: their("/waitlist?email=")},
		{call: "GET /products", what: "of the seller", want: sellerAdmin, ask: of("/products?email=", asSeller)},
		{call: "GET /products", what: "of oneself", want: "401 403 403 200 200 200 200 401 401", ask: their("/products?email=")},
	}
	for _, role := range []string{"admin", "buyer", "seller", "verified"} {
		call := "GET /users/" + role + "/{person}"
		rows = append(rows,
			question{call: call, what: "of oneself", want: members, ask: their("/users/" + role + "/")},
			question{call: call, what: "of the buyer", want: buyerAdmin, ask: of("/users/"+role+"/", asBuyer)},
			question{call: call, what: "of the admin", want: admins, ask: of("/users/"+role+"/", asAdmin)},
			question{call: call, what: "of an unknown user", want: admins, ask: getPath(func(*roleEnv, int) string { return "/users/" + role + "/nobody@phones.example" })})
	}
	return rows
}

// unrelatedUser returns a function that makes a new user for one row.
func unrelatedUser(accountType string) func(c *roleEnv) string {
	return func(c *roleEnv) string {
		return c.signUp(asUnrelated, accountType, month, only(), only()).user.ID
	}
}

func peopleRows() []question {
	admin := func(c *roleEnv) string { return c.people[asAdmin].user.ID }
	return []question{
		{call: "GET /users/buyers", want: admins},
		{call: "GET /users/sellers", want: admins},
		{call: "GET /reportedItems", want: admins},
		{call: "GET /trail", want: admins},
		{call: "PUT /users/seller/{person}", want: admins, on: unrelatedUser(market.AccountSeller)},
		{
			call: "PUT /users/seller/{person}", what: "the seller who asks", want: "- - - 403 - - - - -",
			on: func(c *roleEnv) string { return c.people[asSeller].user.ID },
		},
		{call: "DELETE /users/{id}", what: "a buyer", want: admins, on: unrelatedUser(market.AccountUser)},
		{call: "DELETE /users/{id}", what: "a seller", want: admins, on: unrelatedUser(market.AccountSeller)},
		{call: "DELETE /users/{id}", what: "an admin", want: noneOfThem, on: admin},
		{call: "DELETE /users/{id}", what: "by another name", want: "401 404 404 404 404 404 404 401 401", on: func(c *roleEnv) string {
			return c.people[asRival].user.UID
		}},
	}
}

// forbiddenFields has fields that no body may set.
var forbiddenFields = fields{
	"_id": "mine", "uid": "mine", "version": 99, "verified": true, "booked": true, "sold": true, "advertise": true, "paid": true,
	"status": "paid", "isAdmin": true, "admin": true, "role": "admin", "sellerUid": "mine", "buyer": fields{"name": "me"},
	"heldUntil": "2099-01-01T00:00:00Z", "holdUntil": "2099-01-01T00:00:00Z", "transactionId": "pi_mine", "removed": false,
	"__proto__": fields{"isAdmin": true}, "$set": fields{"admin": true},
}

// and returns a body with the forbidden fields added.
func (f fields) and(more fields) fields {
	for name, value := range more {
		f = f.with(name, value)
	}
	return f
}

func productRows() []question {
	change := func(body func(c *roleEnv, kind int) fields) func(*roleEnv, int, string) answer {
		return sends(http.MethodPatch, "/products/{id}", func(c *roleEnv, kind int, _ string) any { return body(c, kind) })
	}
	price := fields{"resalePrice": 99}
	isStillFree := func(c *roleEnv, _ int, id string, _ answer) {
		p, err := c.store.Product(c.t.Context(), id)
		must(c.t, err)
		if p.Booked() || p.Sold || p.Advertised || p.Verified || p.Version != 2 || p.SellerUID != c.people[asSeller].user.UID {
			c.t.Errorf("the body has made it %+v", p)
		}
	}
	held := func(c *roleEnv) string {
		phone := c.phoneOf(asSeller)
		c.bookingOf(asRival, phone)
		return phone
	}
	return slices.Concat(newProductRows(), []question{
		{call: "PATCH /products/{id}", want: thisSeller, on: availablePhone, ask: change(func(*roleEnv, int) fields { return price })},
		{
			call: "PATCH /products/{id}", what: "with what is not theirs to set", want: thisSeller, on: availablePhone,
			ask: change(func(*roleEnv, int) fields { return price.and(forbiddenFields).with("version", nil) }), then: isStillFree,
		},
		{
			call: "PATCH /products/{id}", what: "to another seller's", want: noneOfThem, on: availablePhone,
			ask: change(func(c *roleEnv, _ int) fields { return price.with("email", c.people[asRival].user.Email) }),
		},
		{
			call: "PATCH /products/{id}", what: "under a false name", want: "401 403 403 422 403 403 403 401 401", on: availablePhone,
			ask: change(func(*roleEnv, int) fields { return price.with("sellerName", "Somebody") }),
		},
		{
			call: "PATCH /products/{id}", what: "while held", want: "401 403 403 409 403 403 403 401 401", on: held,
			ask: change(func(*roleEnv, int) fields { return price }),
		},
		{
			call: "PUT /products/advertise/{id}", what: "a verified seller's", want: "401 403 403 403 403 200 403 401 401",
			on: func(c *roleEnv) string { return c.phoneOf(asVerified) },
		},
		{call: "PUT /products/advertise/{id}", what: "one of a seller who is not", want: noneOfThem, on: availablePhone},
		{call: "DELETE /products/advertise/{id}", want: thisSeller, on: availablePhone},
		{call: "DELETE /products/{id}", want: sellerAdmin, on: availablePhone},
		{call: "DELETE /products/{id}", what: "while held", want: "401 403 403 409 403 403 200 401 401", on: held},
		{call: "DELETE /images/{name}", want: admins, on: (*roleEnv).pictureOf},
		{call: "DELETE /images/{name}", what: "of which there is none", want: "401 404 404 404 404 404 404 401 401", on: func(*roleEnv) string {
			return strings.Repeat("0", 64) + ".jpg"
		}},
		{call: "POST /images", want: sellers, ask: uploads(false)},
		{call: "POST /images", what: "by the cookie", want: sellers, ask: uploads(true)},
	})
}

func newProductRows() []question {
	add := func(body func(c *roleEnv, kind int) fields) func(*roleEnv, int, string) answer {
		return sends(http.MethodPost, "/products", func(c *roleEnv, kind int, _ string) any { return body(c, kind) })
	}
	own := func(c *roleEnv, kind int) fields {
		if kind == asVisitor {
			kind = asSeller
		}
		return c.phoneFieldsOf(kind)
	}
	return []question{
		{call: "POST /products", want: sellers, ask: add(own)},
		{
			call: "POST /products", what: "with what is not theirs to set", want: sellers,
			ask: add(func(c *roleEnv, kind int) fields { return own(c, kind).and(forbiddenFields) }),
			then: func(c *roleEnv, kind int, _ string, a answer) {
				p, err := c.store.Product(c.t.Context(), a.id())
				must(c.t, err)
				if p.Booked() || p.Sold || p.Advertised || p.Verified != (kind == asVerified) || p.Version != 1 || p.SellerUID != c.people[kind].user.UID {
					c.t.Errorf("the body has made it %+v", p)
				}
			},
		},
		{
			call: "POST /products", what: "as another user", want: noneOfThem,
			ask: add(func(c *roleEnv, kind int) fields { return own(c, kind).with("email", c.people[asRival].user.Email) }),
		},
		{
			call: "POST /products", what: "under a false name", want: "401 403 403 422 422 422 403 401 401",
			ask: add(func(c *roleEnv, kind int) fields { return own(c, kind).with("sellerName", "Somebody") }),
		},
	}
}

func uploads(cookie bool) func(*roleEnv, int, string) answer {
	return func(c *roleEnv, kind int, _ string) answer {
		form, typed := photoForm(c.t)
		return c.with(cookie, kind, http.MethodPost, "/images", form, typed)
	}
}

func waitlistRows() []question {
	held := func(c *roleEnv) string {
		phone := c.phoneOf(asSeller)
		c.signUp(asUnrelated, market.AccountUser, month, only(), only()).books(phone)
		return phone
	}
	join := func(more fields) func(*roleEnv, int, string) answer {
		return sends(http.MethodPut, "/products/{id}/waitlist", func(*roleEnv, int, string) any {
			return fields{"phone": "+880 1700 123456", "location": "Khulna"}.and(more)
		})
	}
	waited := func(c *roleEnv) string {
		phone := held(c)
		c.people[asBuyer].do(http.MethodPut, "/products/"+phone+"/waitlist", fields{"phone": "+880 1700 123456"}).is(http.StatusOK)
		return phone
	}
	waitsHimself := func(c *roleEnv, _ int, phone string, _ answer) {
		p, err := c.store.Product(c.t.Context(), phone)
		must(c.t, err)
		if len(p.Waitlist) > 1 || len(p.Waitlist) == 1 && p.Waitlist[0].UID == "mine" {
			c.t.Errorf("the body has made %+v", p.Waitlist)
		}
	}
	return []question{
		{call: "PUT /products/{id}/waitlist", want: buyers, on: held, ask: join(nil)},
		{call: "PUT /products/{id}/waitlist", what: "with what is not theirs to set", want: buyers, on: held, ask: join(forbiddenFields), then: waitsHimself},
		{call: "PUT /products/{id}/waitlist", what: "of an available phone", want: "401 409 409 403 403 403 403 401 401", on: availablePhone, ask: join(nil)},
		{call: "PUT /products/{id}/waitlist", what: "without a phone number", want: "401 422 422 403 403 403 403 401 401", on: held, ask: join(fields{"phone": nil})},
		{call: "DELETE /products/{id}/waitlist", want: buyers, on: waited, then: func(c *roleEnv, kind int, phone string, _ answer) {
			p, err := c.store.Product(c.t.Context(), phone)
			must(c.t, err)
			if stays := kind != asBuyer; stays != (len(p.Waitlist) == 1) {
				c.t.Errorf("the waitlist: %+v", p.Waitlist)
			}
		}},
	}
}

func watchingRows() []question {
	watched := func(c *roleEnv) string {
		phone := c.phoneOf(asSeller)
		c.people[asBuyer].do(http.MethodPut, "/watches/"+phone, nil).is(http.StatusOK)
		return phone
	}
	notTheirs := func(c *roleEnv, kind int, phone string, _ answer) {
		w, err := c.store.Watching(c.t.Context(), c.people[asBuyer].user.UID)
		must(c.t, err)
		if stays := kind != asBuyer; stays != slices.Contains(w.ProductIDs(), phone) {
			c.t.Errorf("the buyer watches %v", w.ProductIDs())
		}
	}
	search := func(c *roleEnv) string {
		return c.people[asBuyer].do(http.MethodPost, "/searches", fields{
			"name": c.mark("the saved search of the buyer", exactlyOne(asBuyer)), "query": "q=" + c.mark("its words", exactlyOne(asBuyer)),
		}).is(http.StatusOK).id()
	}
	save := func(body fields) func(*roleEnv, int, string) answer {
		return sends(http.MethodPost, "/searches", func(*roleEnv, int, string) any { return body })
	}
	return []question{
		{call: "PUT /watches/{productID}", want: members, on: availablePhone},
		{call: "DELETE /watches/{productID}", want: members, on: watched, then: notTheirs},
		{call: "POST /searches", want: members, ask: save(fields{"name": "Cheap", "query": "maxPrice=100"})},
		{call: "POST /searches", what: "without a query", want: "401 422 422 422 422 422 422 401 401", ask: save(fields{"name": "All"})},
		{call: "DELETE /searches/{id}", want: "401 200 404 404 404 404 404 401 401", on: search},
		{call: "GET /watches", want: members, on: watched},
		{call: "GET /watching", want: members, on: watched},
		{call: "GET /searches", want: members, on: search},
	}
}

func notificationRows() []question {
	notified := func(c *roleEnv) string {
		n := market.NewNotification(c.people[asBuyer].user.UID, market.NotifyPrice,
			c.mark("what the buyer was told", exactlyOne(asBuyer)), "/", "", c.clock.Now())
		must(c.t, c.store.AddNotification(c.t.Context(), n, []market.Event{n.Event()}))
		return n.ID
	}
	read := func(_ *roleEnv, _ int, id string) any { return fields{"upTo": id} }
	return []question{
		{call: "GET /notifications", want: members, on: notified},
		{
			call: "PUT /notifications/read", want: "401 200 404 404 404 404 404 401 401", on: notified,
			ask: sends(http.MethodPut, "/notifications/read", read),
			then: func(c *roleEnv, kind int, id string, _ answer) {
				n, err := c.store.Notification(c.t.Context(), id)
				must(c.t, err)
				if n.ReadAt.IsZero() == (kind == asBuyer) {
					c.t.Errorf("after a call of %s: %+v", kindNames[kind], n)
				}
			},
		},
		{call: "GET /notifications/settings", want: members},
		{
			call: "PUT /notifications/settings", want: members,
			ask: sends(http.MethodPut, "/notifications/settings", func(c *roleEnv, _ int, _ string) any {
				return fields{"email": fields{"price": "now"}, "uid": c.people[asAdmin].user.UID, "userId": c.people[asAdmin].user.ID}
			}),
			then: func(c *roleEnv, kind int, _ string, got answer) {
				u, err := c.store.User(c.t.Context(), c.people[kind].user.UID)
				if got.StatusCode == http.StatusOK && (err != nil || u.EmailFor(market.NotifyPrice) != market.EmailNow) {
					c.t.Errorf("after a call of %s: %+v, %v", kindNames[kind], u.Emails, err)
				}
				if admin, _ := c.store.User(c.t.Context(), c.people[asAdmin].user.UID); kind < asAdmin && len(admin.Emails) > 0 {
					c.t.Errorf("a call of %s changed the admin's choice", kindNames[kind])
				}
			},
		},
	}
}

func reportRows() []question {
	report := func(change func(c *roleEnv, body fields) fields) func(*roleEnv, int, string) answer {
		return sends(http.MethodPost, "/reportedItems", func(c *roleEnv, kind int, id string) any {
			return change(c, fields{"productID": id, "reason": "Stolen " + c.mark("what was reported", only(kind))}.and(forbiddenFields))
		})
	}
	return []question{
		{call: "POST /reportedItems", want: members, on: availablePhone, ask: report(func(_ *roleEnv, body fields) fields { return body })},
		{
			call: "POST /reportedItems", what: "as another user", want: noneOfThem, on: availablePhone,
			ask: report(func(c *roleEnv, body fields) fields { return body.with("email", c.people[asRemoved].user.Email) }),
		},
		{call: "DELETE /reportedItems/{id}", want: admins, on: func(c *roleEnv) string { return c.reportOf(asRival) }},
	}
}
