package apitest_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"secondring/market"
)

// accessTable returns every route and case with the status for each role.
func accessTable() []accessCase {
	return slices.Concat(publicCases(), ownListCases(), userCases(), productCases(), bookingCases(), orderCases(), waitlistCases(), conversationCases(), watchingCases(), notificationCases(), paymentCases(), reportCases(), caseCases(), identityCases(), signInCases())
}

// sendBody returns a function that sends a body, which depends on the user.
func sendBody(method, pattern string, body func(c *roleEnv, role int, id string) any) func(*roleEnv, int, string) response {
	return func(c *roleEnv, role int, id string) response {
		return c.people[role].do(method, path(pattern, id), body(c, role, id))
	}
}

// sendGet returns a function that sends a GET of a path, which depends on the user.
func sendGet(address func(c *roleEnv, role int) string) func(*roleEnv, int, string) response {
	return func(c *roleEnv, role int, _ string) response { return c.people[role].get(address(c, role)) }
}

func emailOf(c *roleEnv, role int) string { return url.QueryEscape(c.people[role].user.Email) }

func availablePhone(c *roleEnv) string { return c.phoneOf(asSeller) }

func publicCases() []accessCase {
	rows := []accessCase{
		{route: "GET /images/{name}", want: everybody, send: sendGet(func(c *roleEnv, _ int) string { return c.picture })},
		{route: "GET /products/advertised", want: validOrNone},
		{route: "GET /products/search", want: validOrNone, send: sendGet(func(*roleEnv, int) string { return "/products/search?q=nexus" })},
		{route: "GET /products/{id}", want: validOrNone, create: availablePhone},
		{route: "GET /products/{id}", name: "of a held phone", want: validOrNone, create: func(c *roleEnv) string {
			phone := c.phoneOf(asSeller)
			c.bookingOf(asOtherBuyer, phone)
			return phone
		}},
		{route: "GET /categories/{id}", want: validOrNone, create: func(c *roleEnv) string { return c.brand.ID }},
		{route: "POST /stripe/webhook", name: "unsigned", want: "400 400 400 400 400 400 400 400 400 400"},
		{route: "GET /live", want: "101 101 101 101 101 101 101 101 401 401", send: handshakeStatus},
	}
	for _, path := range []string{
		"/productCategory", "/allCategories", "/categories", "/config", "/healthz", "/readyz", "/metrics",
		"/openapi.json", "/docs", "/docs/style.css",
	} {
		rows = append(rows, accessCase{route: "GET " + path, want: everybody})
	}
	return rows
}

// handshakeStatus opens a socket with the user's token, and closes it.
func handshakeStatus(c *roleEnv, role int, _ string) response {
	c.t.Helper()
	conn, res, err := c.people[role].dial()
	if res == nil {
		c.t.Fatal(err)
	}
	if err == nil {
		must(c.t, conn.Close())
	}
	return response{t: c.t, request: "GET /live", Response: res, body: readAll(c.t, res.Body)}
}

// ownListCases returns the rows of lists that belong to one user.
func ownListCases() []accessCase {
	listOf := func(list string, whose int) func(*roleEnv, int, string) response {
		return sendGet(func(c *roleEnv, _ int) string { return list + emailOf(c, whose) })
	}
	ownList := func(list string) func(*roleEnv, int, string) response {
		return sendGet(func(c *roleEnv, role int) string {
			if role == asVisitor {
				return list + "nobody@phones.example"
			}
			return list + emailOf(c, role)
		})
	}
	rows := []accessCase{
		{route: "GET /bookings", name: "of the buyer", want: buyerMoney, send: listOf("/bookings?email=", asBuyer)},
		{route: "GET /bookings", name: "of oneself", want: signedInUsers, send: ownList("/bookings?email=")},
		{route: "GET /bookings", name: "of the seller's side", want: sellerMoney, send: listOf("/bookings?side=seller&email=", asSeller)},
		{route: "GET /bookings", name: "with two email addresses", want: "401 200 403 403 403 403 200 403 401 401", send: sendGet(func(c *roleEnv, role int) string {
			return "/bookings?email=" + emailOf(c, asBuyer) + "&email=" + emailOf(c, asOtherBuyer)
		})},
		{route: "GET /waitlist", name: "of the buyer", want: thisBuyer, send: listOf("/waitlist?email=", asBuyer)},
		{route: "GET /waitlist", name: "of oneself", want: notAdmins, send: ownList("/waitlist?email=")},
		{route: "GET /products", name: "of the seller", want: sellerAdmin, send: listOf("/products?email=", asSeller)},
		{route: "GET /products", name: "of oneself", want: "401 403 403 200 200 200 200 200 401 401", send: ownList("/products?email=")},
	}
	for _, role := range []string{"admin", "buyer", "seller", "verified"} {
		route := "GET /users/" + role + "/{person}"
		rows = append(rows,
			accessCase{route: route, name: "of oneself", want: signedInUsers, send: ownList("/users/" + role + "/")},
			accessCase{route: route, name: "of the buyer", want: buyerAdmin, send: listOf("/users/"+role+"/", asBuyer)},
			accessCase{route: route, name: "of the admin", want: admins, send: listOf("/users/"+role+"/", asAdmin)},
			accessCase{route: route, name: "of an unknown user", want: admins, send: sendGet(func(*roleEnv, int) string { return "/users/" + role + "/nobody@phones.example" })})
	}
	return rows
}

// unrelatedUser returns a function that makes a new user for one row.
func unrelatedUser(accountType string) func(c *roleEnv) string {
	return func(c *roleEnv) string {
		return c.signUp(asUnrelated, accountType, month, only(), only()).user.ID
	}
}

func userCases() []accessCase {
	admin := func(c *roleEnv) string { return c.people[asAdmin].user.ID }
	return []accessCase{
		{route: "GET /users/buyers", want: admins},
		{route: "GET /users/sellers", want: admins},
		{route: "GET /reportedItems", want: admins},
		{route: "GET /auditLog", want: admins},
		{route: "GET /texts", want: admins},
		{route: "PUT /texts", want: admins, send: sendBody(http.MethodPut, "/texts", func(c *roleEnv, _ int, _ string) any {
			kept, err := c.market.KeptTexts(c.t.Context(), market.Actor{User: market.User{Admin: true}})
			must(c.t, err)
			return fields{"texts": []string{c.newMarker("a text of the admins", only())}, "version": kept.Version}
		})},
		{
			route: "PUT /texts", name: "with an old version", want: "401 403 403 403 403 403 409 409 401 401",
			send: sendBody(http.MethodPut, "/texts", func(*roleEnv, int, string) any { return fields{"texts": []string{"Old"}, "version": 99} }),
		},
		{route: "GET /people/{id}", name: "a buyer", want: admins, create: func(c *roleEnv) string { return c.people[asBuyer].user.ID }},
		{route: "GET /people/{id}", name: "a seller", want: admins, create: func(c *roleEnv) string { return c.people[asSeller].user.ID }},
		{route: "GET /people/{id}", name: "oneself", want: "- 403 - - - - - - - -", create: func(c *roleEnv) string { return c.people[asBuyer].user.ID }},
		{route: "GET /people/{id}", name: "with the UID instead of the ID", want: "401 404 404 404 404 404 404 404 401 401", create: func(c *roleEnv) string {
			return c.people[asOtherBuyer].user.UID
		}},
		{route: "PUT /users/seller/{person}", want: admins, create: unrelatedUser(market.AccountSeller)},
		{
			route: "PUT /users/seller/{person}", name: "of oneself", want: "- - - 403 - - - - - -",
			create: func(c *roleEnv) string { return c.people[asSeller].user.ID },
		},
		{
			route: "PUT /users/seller/{person}", name: "with an old version", want: "401 403 403 403 403 403 409 409 401 401",
			create: unrelatedUser(market.AccountSeller),
			send:   sendBody(http.MethodPut, "/users/seller/{person}", func(*roleEnv, int, string) any { return fields{"version": 99} }),
		},
		{route: "DELETE /users/seller/{person}", want: admins, create: unrelatedUser(market.AccountSeller)},
		{
			route: "DELETE /users/seller/{person}", name: "of oneself", want: "- - - - - 403 - - - -",
			create: func(c *roleEnv) string { return c.people[asVerified].user.ID },
		},
		{route: "DELETE /users/{id}", name: "a buyer", want: admins, create: unrelatedUser(market.AccountUser)},
		{route: "DELETE /users/{id}", name: "a seller", want: admins, create: unrelatedUser(market.AccountSeller)},
		{route: "DELETE /users/{id}", name: "an admin", want: forbiddenToAll, create: admin},
		{route: "DELETE /users/{id}", name: "with the UID instead of the ID", want: "401 404 404 404 404 404 404 404 401 401", create: func(c *roleEnv) string {
			return c.people[asOtherBuyer].user.UID
		}},
	}
}

// forbiddenFields are fields that no request may set.
var forbiddenFields = fields{
	"_id": "mine", "uid": "mine", "version": 99, "verified": true, "booked": true, "sold": true, "advertise": true, "paid": true,
	"status": "paid", "isAdmin": true, "admin": true, "role": "admin", "sellerUid": "mine", "buyer": fields{"name": "me"},
	"heldUntil": "2099-01-01T00:00:00Z", "holdUntil": "2099-01-01T00:00:00Z", "transactionId": "pi_mine", "removed": false,
	"__proto__": fields{"isAdmin": true}, "$set": fields{"admin": true},
}

// and returns the body with more fields changed.
func (f fields) and(more fields) fields {
	for name, value := range more {
		f = f.with(name, value)
	}
	return f
}

func productCases() []accessCase {
	change := func(body func(c *roleEnv, role int) fields) func(*roleEnv, int, string) response {
		return sendBody(http.MethodPatch, "/products/{id}", func(c *roleEnv, role int, _ string) any { return body(c, role) })
	}
	price := fields{"resalePrice": 99}
	wantFlagsUnchanged := func(c *roleEnv, _ int, id string, _ response) {
		p, err := c.store.Product(c.t.Context(), id)
		must(c.t, err)
		if p.Booked() || p.Sold || p.Advertised || p.Verified || p.Version != 2 || p.SellerUID != c.people[asSeller].user.UID {
			c.t.Errorf("after the request: %+v", p)
		}
	}
	held := func(c *roleEnv) string {
		phone := c.phoneOf(asSeller)
		c.bookingOf(asOtherBuyer, phone)
		return phone
	}
	return slices.Concat(newProductCases(), []accessCase{
		{route: "PATCH /products/{id}", want: thisSeller, create: availablePhone, send: change(func(*roleEnv, int) fields { return price })},
		{
			route: "PATCH /products/{id}", name: "with fields that no user may set", want: thisSeller, create: availablePhone,
			send: change(func(*roleEnv, int) fields { return price.and(forbiddenFields).with("version", nil) }), check: wantFlagsUnchanged,
		},
		{
			route: "PATCH /products/{id}", name: "with another email address", want: forbiddenToAll, create: availablePhone,
			send: change(func(c *roleEnv, _ int) fields { return price.with("email", c.people[asOtherBuyer].user.Email) }),
		},
		{
			route: "PATCH /products/{id}", name: "with another name", want: "401 403 403 422 403 403 403 403 401 401", create: availablePhone,
			send: change(func(*roleEnv, int) fields { return price.with("sellerName", "Somebody") }),
		},
		{
			route: "PATCH /products/{id}", name: "while held", want: "401 403 403 409 403 403 403 403 401 401", create: held,
			send: change(func(*roleEnv, int) fields { return price }),
		},
		{
			route: "PUT /products/advertise/{id}", name: "of a verified seller", want: "401 403 403 403 403 200 403 403 401 401",
			create: func(c *roleEnv) string { return c.phoneOf(asVerified) },
		},
		{route: "PUT /products/advertise/{id}", name: "of a seller who is not verified", want: forbiddenToAll, create: availablePhone},
		{route: "DELETE /products/advertise/{id}", want: thisSeller, create: availablePhone},
		{route: "DELETE /products/{id}", want: sellerAdmin, create: availablePhone},
		{route: "DELETE /products/{id}", name: "while held", want: "401 403 403 409 403 403 200 200 401 401", create: held},
		{route: "DELETE /images/{name}", want: admins, create: (*roleEnv).pictureOf},
		{route: "DELETE /images/{name}", name: "of an unknown image", want: "401 404 404 404 404 404 404 404 401 401", create: func(*roleEnv) string {
			return strings.Repeat("0", 64) + ".jpg"
		}},
		{route: "POST /images", want: sellers, send: uploadRequest("/images", false)},
		{route: "POST /images", name: "with the cookie", want: sellers, send: uploadRequest("/images", true)},
		{route: "POST /images/account", want: signedInUsers, send: uploadRequest("/images/account", false)},
	})
}

func newProductCases() []accessCase {
	add := func(body func(c *roleEnv, role int) fields) func(*roleEnv, int, string) response {
		return sendBody(http.MethodPost, "/products", func(c *roleEnv, role int, _ string) any { return body(c, role) })
	}
	own := func(c *roleEnv, role int) fields {
		if role == asVisitor {
			role = asSeller
		}
		return c.phoneFieldsOf(role)
	}
	return []accessCase{
		{route: "POST /products", want: sellers, send: add(own)},
		{
			route: "POST /products", name: "with fields that no user may set", want: sellers,
			send: add(func(c *roleEnv, role int) fields { return own(c, role).and(forbiddenFields) }),
			check: func(c *roleEnv, role int, _ string, a response) {
				p, err := c.store.Product(c.t.Context(), a.insertedID())
				must(c.t, err)
				if p.Booked() || p.Sold || p.Advertised || p.Verified != (role == asVerified) || p.Version != 1 || p.SellerUID != c.people[role].user.UID {
					c.t.Errorf("after the request: %+v", p)
				}
			},
		},
		{
			route: "POST /products", name: "as another user", want: forbiddenToAll,
			send: add(func(c *roleEnv, role int) fields {
				return own(c, role).with("email", c.people[asOtherBuyer].user.Email)
			}),
		},
		{
			route: "POST /products", name: "with another name", want: "401 403 403 422 422 422 403 403 401 401",
			send: add(func(c *roleEnv, role int) fields { return own(c, role).with("sellerName", "Somebody") }),
		},
	}
}

func uploadRequest(path string, cookie bool) func(*roleEnv, int, string) response {
	return func(c *roleEnv, role int, _ string) response {
		form, contentType := photoForm(c.t)
		return c.sendAs(cookie, role, http.MethodPost, path, form, contentType)
	}
}

func waitlistCases() []accessCase {
	held := func(c *roleEnv) string {
		phone := c.phoneOf(asSeller)
		c.signUp(asUnrelated, market.AccountUser, month, only(), only()).book(phone)
		return phone
	}
	join := func(more fields) func(*roleEnv, int, string) response {
		return sendBody(http.MethodPut, "/products/{id}/waitlist", func(*roleEnv, int, string) any {
			return fields{"phone": "+880 1700 123456", "location": "Khulna"}.and(more)
		})
	}
	waited := func(c *roleEnv) string {
		phone := held(c)
		c.people[asBuyer].do(http.MethodPut, "/products/"+phone+"/waitlist", fields{"phone": "+880 1700 123456"}).wantStatus(http.StatusOK)
		return phone
	}
	wantOwnEntry := func(c *roleEnv, _ int, phone string, _ response) {
		p, err := c.store.Product(c.t.Context(), phone)
		must(c.t, err)
		if len(p.Waitlist) > 1 || len(p.Waitlist) == 1 && p.Waitlist[0].UID == "mine" {
			c.t.Errorf("after the request the waitlist is %+v", p.Waitlist)
		}
	}
	return []accessCase{
		{route: "PUT /products/{id}/waitlist", want: otherPeople, create: held, send: join(nil)},
		{route: "PUT /products/{id}/waitlist", name: "with fields that no user may set", want: otherPeople, create: held, send: join(forbiddenFields), check: wantOwnEntry},
		{route: "PUT /products/{id}/waitlist", name: "of an available phone", want: "401 409 409 403 409 409 403 403 401 401", create: availablePhone, send: join(nil)},
		{route: "PUT /products/{id}/waitlist", name: "without a phone number", want: "401 422 422 403 422 422 403 403 401 401", create: held, send: join(fields{"phone": nil})},
		{route: "DELETE /products/{id}/waitlist", want: notAdmins, create: waited, check: func(c *roleEnv, role int, phone string, _ response) {
			p, err := c.store.Product(c.t.Context(), phone)
			must(c.t, err)
			if stays := role != asBuyer; stays != (len(p.Waitlist) == 1) {
				c.t.Errorf("the waitlist: %+v", p.Waitlist)
			}
		}},
	}
}

func watchingCases() []accessCase {
	watched := func(c *roleEnv) string {
		phone := c.phoneOf(asSeller)
		c.people[asBuyer].do(http.MethodPut, "/watches/"+phone, nil).wantStatus(http.StatusOK)
		return phone
	}
	wantOwnWatches := func(c *roleEnv, role int, phone string, _ response) {
		w, err := c.store.Watching(c.t.Context(), c.people[asBuyer].user.UID)
		must(c.t, err)
		if stays := role != asBuyer; stays != slices.Contains(w.ProductIDs(), phone) {
			c.t.Errorf("the buyer watches %v", w.ProductIDs())
		}
	}
	search := func(c *roleEnv) string {
		return c.people[asBuyer].do(http.MethodPost, "/searches", fields{
			"name": c.newMarker("the saved search of the buyer", exactlyOne(asBuyer)), "query": "q=" + c.newMarker("the query of the buyer's search", exactlyOne(asBuyer)),
		}).wantStatus(http.StatusOK).insertedID()
	}
	save := func(body fields) func(*roleEnv, int, string) response {
		return sendBody(http.MethodPost, "/searches", func(*roleEnv, int, string) any { return body })
	}
	return []accessCase{
		{route: "PUT /watches/{productID}", want: signedInUsers, create: availablePhone},
		{route: "DELETE /watches/{productID}", want: signedInUsers, create: watched, check: wantOwnWatches},
		{route: "POST /searches", want: signedInUsers, send: save(fields{"name": "Cheap", "query": "maxPrice=100"})},
		{route: "POST /searches", name: "without a query", want: "401 422 422 422 422 422 422 422 401 401", send: save(fields{"name": "All"})},
		{route: "DELETE /searches/{id}", want: "401 200 404 404 404 404 404 404 401 401", create: search},
		{route: "GET /watches", want: signedInUsers, create: watched},
		{route: "GET /watching", want: signedInUsers, create: watched},
		{route: "GET /searches", want: signedInUsers, create: search},
	}
}

func notificationCases() []accessCase {
	notified := func(c *roleEnv) string {
		n := market.NewNotification(c.people[asBuyer].user.UID, market.NotifyPrice,
			c.newMarker("the notification of the buyer", exactlyOne(asBuyer)), "/", "", c.clock.Now())
		must(c.t, c.store.AddNotification(c.t.Context(), n, []market.Effect{n.Event()}))
		return n.ID
	}
	read := func(_ *roleEnv, _ int, id string) any { return fields{"upTo": id} }
	return []accessCase{
		{route: "GET /notifications", want: signedInUsers, create: notified},
		{
			route: "PUT /notifications/read", want: "401 200 404 404 404 404 404 404 401 401", create: notified,
			send: sendBody(http.MethodPut, "/notifications/read", read),
			check: func(c *roleEnv, role int, id string, _ response) {
				n, err := c.store.Notification(c.t.Context(), id)
				must(c.t, err)
				if n.ReadAt.IsZero() == (role == asBuyer) {
					c.t.Errorf("after a request of %s: %+v", roleNames[role], n)
				}
			},
		},
		{route: "GET /notifications/settings", want: signedInUsers},
		{
			route: "PUT /notifications/settings", want: signedInUsers,
			send: sendBody(http.MethodPut, "/notifications/settings", func(c *roleEnv, _ int, _ string) any {
				return fields{"email": fields{"price": "now"}, "uid": c.people[asAdmin].user.UID, "userId": c.people[asAdmin].user.ID}
			}),
			check: func(c *roleEnv, role int, _ string, got response) {
				u, err := c.store.User(c.t.Context(), c.people[role].user.UID)
				if got.StatusCode == http.StatusOK && (err != nil || u.EmailFor(market.NotifyPrice) != market.EmailNow) {
					c.t.Errorf("after a request of %s: %+v, %v", roleNames[role], u.Emails, err)
				}
				if admin, _ := c.store.User(c.t.Context(), c.people[asAdmin].user.UID); role < asAdmin && len(admin.Emails) > 0 {
					c.t.Errorf("a request of %s changed the admin's settings", roleNames[role])
				}
			},
		},
	}
}

func reportCases() []accessCase {
	report := func(change func(c *roleEnv, body fields) fields) func(*roleEnv, int, string) response {
		return sendBody(http.MethodPost, "/reportedItems", func(c *roleEnv, role int, id string) any {
			return change(c, fields{"productID": id, "reason": "Stolen " + c.newMarker("what was reported", only(role))}.and(forbiddenFields))
		})
	}
	return []accessCase{
		{route: "POST /reportedItems", want: signedInUsers, create: availablePhone, send: report(func(_ *roleEnv, body fields) fields { return body })},
		{
			route: "POST /reportedItems", name: "as another user", want: forbiddenToAll, create: availablePhone,
			send: report(func(c *roleEnv, body fields) fields { return body.with("email", c.people[asDeleted].user.Email) }),
		},
		{route: "DELETE /reportedItems/{id}", want: admins, create: func(c *roleEnv) string { return c.reportOf(asOtherBuyer) }},
	}
}
