package apitest_test

import (
	"net/http"
	"strings"
	"time"

	"secondring/market"
)

func bookingCases() []accessCase {
	book := func(body func(c *roleEnv, role int, phone string) fields) func(*roleEnv, int, string) response {
		return sendBody(http.MethodPut, "/bookings", func(c *roleEnv, role int, id string) any { return body(c, role, id) })
	}
	own := func(c *roleEnv, role int, phone string) fields { return c.bookingFieldsOf(role, phone) }
	order := func(c *roleEnv) string { return c.bookingOf(asBuyer, c.phoneOf(asSeller)) }
	return []accessCase{
		{route: "PUT /bookings", want: otherPeople, create: availablePhone, send: book(own)},
		{
			route: "PUT /bookings", name: "with fields that no user may set", want: otherPeople, create: availablePhone,
			send: book(func(c *roleEnv, role int, phone string) fields { return own(c, role, phone).and(forbiddenFields) }),
			check: func(c *roleEnv, role int, _ string, a response) {
				b, err := c.store.Booking(c.t.Context(), a.insertedID())
				must(c.t, err)
				if b.Status != market.BookingHeld || b.BuyerUID != c.people[role].user.UID || b.Version != 1 || b.HoldUntil.Year() == 2099 {
					c.t.Errorf("after the request: %+v", b)
				}
			},
		},
		{
			route: "PUT /bookings", name: "for another user", want: forbiddenToAll, create: availablePhone,
			send: book(func(c *roleEnv, role int, phone string) fields {
				return own(c, role, phone).with("email", c.people[asDeleted].user.Email)
			}),
		},
		{
			route: "PUT /bookings", name: "with another name", want: "401 422 422 403 422 422 403 403 401 401", create: availablePhone,
			send: book(func(c *roleEnv, role int, phone string) fields {
				return own(c, role, phone).with("userName", "Somebody")
			}),
		},
		{
			route: "PUT /bookings", name: "with another price", want: "401 422 422 403 422 422 403 403 401 401", create: availablePhone,
			send: book(func(c *roleEnv, role int, phone string) fields { return own(c, role, phone).with("price", 1) }),
		},
		{
			route: "PUT /bookings", name: "of a phone that another buyer holds", want: "401 409 409 403 409 409 403 403 401 401",
			create: func(c *roleEnv) string {
				phone := c.phoneOf(asSeller)
				once := c.signUp(asUnrelated, market.AccountUser, month, only(), only())
				once.book(phone)
				return phone
			}, send: book(own),
		},
		{route: "DELETE /bookings/{id}", want: thisBuyer, create: order},
		{route: "GET /booking/{id}", want: buyerMoney, create: order},
		{
			route: "PUT /bookings/{id}/delivery", want: thisBuyer, create: order,
			send: sendBody(http.MethodPut, "/bookings/{id}/delivery", func(*roleEnv, int, string) any { return fields{"delivery": "meet"} }),
		},
	}
}

func orderCases() []accessCase {
	paid := func(c *roleEnv) string {
		id := c.bookingOf(asBuyer, c.phoneOf(asSeller), asSeller)
		c.confirm(c.people[asBuyer].createIntent(id), "pm_card_visa").wantStatus(http.StatusOK)
		b, err := c.store.Booking(c.t.Context(), id)
		must(c.t, err)
		c.people[asBuyer].postPayment(fields{"price": 120, "transactionId": b.Intent, "email": b.Email, "bookingId": id}).wantStatus(http.StatusOK)
		return id
	}
	step := func(body fields) func(*roleEnv, int, string) response {
		return sendBody(http.MethodPut, "/bookings/{id}/fulfilment", func(*roleEnv, int, string) any { return body })
	}
	fulfil := func(c *roleEnv, role int, id string, body fields) {
		c.people[role].putFulfilment(id, body).wantCount("modifiedCount", 1)
	}
	withProblem := func(c *roleEnv) string {
		id := paid(c)
		fulfil(c, asBuyer, id, fields{"action": "problem", "reason": "It is broken."})
		return id
	}
	returning := func(c *roleEnv) string {
		id := withProblem(c)
		fulfil(c, asAdmin, id, fields{"action": "settle", "outcome": "return", "reason": "It is broken."})
		return id
	}
	sentBack := func(c *roleEnv) string {
		id := returning(c)
		fulfil(c, asBuyer, id, fields{"action": "return", "carrier": "Post", "tracking": "2"})
		return id
	}
	photo := func(c *roleEnv, role int, id string) response {
		return uploadRequest("/orders/"+id+"/photos", false)(c, role, id)
	}
	refund := sendBody(http.MethodPost, "/orders/{id}/refund", func(*roleEnv, int, string) any { return fields{"reason": "The phone was stolen."} })
	disputed := func(c *roleEnv) string {
		id := c.bookingOf(asBuyer, c.phoneOf(asSeller), asSeller)
		c.confirm(c.people[asBuyer].createIntent(id), "pm_card_createDispute").wantStatus(http.StatusOK)
		c.runDueWork()
		c.clock.Pass(2 * time.Second)
		c.runDueWork() // opens the dispute
		c.runDueWork() // delivers its webhook
		return id
	}
	return []accessCase{
		{route: "GET /booking/{id}", name: "of a paid order", want: "401 200 403 200 403 403 200 403 401 401", create: paid},
		{route: "PUT /bookings/{id}/fulfilment", name: "send", want: thisSeller, create: paid, send: step(fields{"action": "send", "carrier": "Post", "tracking": "1"})},
		{route: "PUT /bookings/{id}/fulfilment", name: "handed, without a handover code", want: "401 403 403 409 403 403 403 403 401 401", create: paid, send: step(fields{"action": "handed", "code": "123456"})},
		{route: "PUT /bookings/{id}/fulfilment", name: "received", want: thisBuyer, create: paid, send: step(fields{"action": "received"})},
		{route: "PUT /bookings/{id}/fulfilment", name: "problem", want: thisBuyer, create: paid, send: step(fields{"action": "problem", "reason": "It is broken."})},
		{route: "PUT /bookings/{id}/fulfilment", name: "wait", want: thisBuyer, create: paid, send: step(fields{"action": "wait"})},
		{route: "PUT /bookings/{id}/fulfilment", name: "cancel", want: thisSeller, create: paid, send: step(fields{"action": "cancel", "reason": "It broke."})},
		{route: "PUT /bookings/{id}/fulfilment", name: "settle", want: moneyAdmins, create: paid, send: step(fields{"action": "settle", "outcome": "release", "reason": "All is well."})},
		{route: "PUT /bookings/{id}/fulfilment", name: "an action of the system", want: "401 422 403 422 403 403 422 403 401 401", create: paid, send: step(fields{"action": "time"})},
		{route: "PUT /bookings/{id}/fulfilment", name: "answer", want: thisSeller, create: withProblem, send: step(fields{"action": "answer", "text": "It was whole."})},
		{route: "PUT /bookings/{id}/fulfilment", name: "settle by a return", want: moneyAdmins, create: withProblem, send: step(fields{"action": "settle", "outcome": "return", "reason": "It is broken."})},
		{route: "PUT /bookings/{id}/fulfilment", name: "return", want: thisBuyer, create: returning, send: step(fields{"action": "return", "carrier": "Post", "tracking": "2"})},
		{route: "PUT /bookings/{id}/fulfilment", name: "handed back, without a handover code", want: "401 409 403 403 403 403 403 403 401 401", create: returning, send: step(fields{"action": "handed", "code": "123456"})},
		{route: "PUT /bookings/{id}/fulfilment", name: "returned", want: thisSeller, create: sentBack, send: step(fields{"action": "returned"})},
		{route: "PUT /bookings/{id}/fulfilment", name: "object", want: thisSeller, create: sentBack, send: step(fields{"action": "object", "text": "This is another phone."})},
		{route: "POST /bookings/{id}/handover", want: thisBuyer, create: paid},
		{route: "POST /bookings/{id}/handover", name: "of a return", want: thisSeller, create: returning},
		{route: "POST /orders/{id}/refund", want: moneyAdmins, create: paid, send: refund},
		{route: "POST /orders/{id}/dispute", want: moneyAdmins, create: disputed},
		{route: "POST /orders/{id}/dispute", name: "that is not disputed", want: "401 403 403 403 403 403 409 403 401 401", create: paid},
		{route: "POST /orders/{id}/photos", want: "401 200 403 200 403 403 403 403 401 401", create: paid, send: photo},
		{route: "POST /orders/{id}/photos", name: "of an unpaid order", want: "401 409 403 403 403 403 403 403 401 401", create: func(c *roleEnv) string {
			return c.bookingOf(asBuyer, c.phoneOf(asSeller))
		}, send: photo},
		{route: "GET /evidence/{name}", want: "401 200 404 200 404 404 200 404 401 401", create: func(c *roleEnv) string {
			return strings.TrimPrefix(c.people[asBuyer].addPhoto(paid(c)), market.EvidencePath)
		}},
		{route: "GET /evidence/{name}", name: "of an unknown photograph", want: "401 404 404 404 404 404 404 404 401 401", create: func(*roleEnv) string {
			return strings.Repeat("0", 32)
		}},
		{route: "GET /orders", want: moneyAdmins, create: paid},
		{route: "GET /orders", name: "of an unpaid booking, by a text", want: moneyAdmins, create: func(c *roleEnv) string {
			return c.bookingOf(asBuyer, c.phoneOf(asSeller), asSeller)
		}, send: func(c *roleEnv, role int, id string) response { return c.people[role].get("/orders?q=" + id) }},
		{
			route: "PUT /orders/{id}/payout", want: "401 403 403 403 403 403 409 403 401 401", name: "of an order that is not settled", create: paid,
			send: sendBody(http.MethodPut, "/orders/{id}/payout", func(*roleEnv, int, string) any { return fields{"reference": "transfer 1"} }),
		},
		{
			route: "PUT /orders/payouts", want: "401 403 403 403 403 403 409 403 401 401", name: "of an order that is not settled", create: paid,
			send: func(c *roleEnv, role int, id string) response {
				return c.people[role].do(http.MethodPut, "/orders/payouts", fields{"ids": []string{id}, "reference": "transfer 1"})
			},
		},
		{
			route: "PUT /orders/{id}/repayment", want: "401 403 403 403 403 403 409 403 401 401", name: "of an order whose seller owes nothing", create: paid,
			send: sendBody(http.MethodPut, "/orders/{id}/repayment", func(*roleEnv, int, string) any { return fields{"reference": "bank 7"} }),
		},
		{route: "POST /payouts/onboarding", name: "with manual payouts", want: "401 403 403 409 409 409 403 403 401 401", create: paid},
		{route: "GET /earnings", want: sellers, create: paid},
		{route: "GET /earnings.csv", want: sellers, create: paid},
	}
}

func paymentCases() []accessCase {
	order := func(c *roleEnv) string { return c.bookingOf(asBuyer, c.phoneOf(asSeller), asSeller) }
	opens := func(price int) func(*roleEnv, int, string) response {
		return sendBody(http.MethodPost, "/create-payment-intent", func(_ *roleEnv, _ int, id string) any {
			return fields{"price": price, "bookingId": id}.and(forbiddenFields)
		})
	}
	pays := func(change func(c *roleEnv, body fields) fields) func(*roleEnv, int, string) response {
		return func(c *roleEnv, role int, id string) response {
			b, err := c.store.Booking(c.t.Context(), id)
			must(c.t, err)
			body := fields{"price": 120, "transactionId": b.Intent, "email": c.people[role].user.Email, "bookingId": id}
			return c.people[role].postPayment(change(c, body.and(forbiddenFields).with("transactionId", b.Intent)))
		}
	}
	unchanged := func(_ *roleEnv, body fields) fields { return body }
	withIntent := func(c *roleEnv) string {
		id := order(c)
		c.people[asBuyer].createIntent(id)
		return id
	}
	charged := func(c *roleEnv) string {
		id := order(c)
		c.confirm(c.people[asBuyer].createIntent(id), "pm_card_visa").wantStatus(http.StatusOK)
		return id
	}
	return []accessCase{
		{route: "POST /create-payment-intent", want: thisBuyer, create: order, send: opens(120)},
		{route: "POST /create-payment-intent", name: "with another price", want: "401 422 403 403 403 403 403 403 401 401", create: order, send: opens(1)},
		{route: "POST /payments", name: "after the charge", want: thisBuyer, create: charged, send: pays(unchanged)},
		{route: "POST /payments", name: "before the charge", want: "401 402 403 403 403 403 403 403 401 401", create: withIntent, send: pays(unchanged)},
		{
			route: "POST /payments", name: "with the payment of another booking", want: "401 422 403 403 403 403 403 403 401 401", create: withIntent,
			send: pays(func(c *roleEnv, body fields) fields {
				b, err := c.store.Booking(c.t.Context(), charged(c))
				must(c.t, err)
				return body.with("transactionId", b.Intent)
			}),
		},
		{
			route: "POST /payments", name: "as another user", want: forbiddenToAll, create: charged,
			send: pays(func(c *roleEnv, body fields) fields { return body.with("email", c.people[asDeleted].user.Email) }),
		},
	}
}
