package stripe

import (
	"cmp"
	"maps"
)

// This file has Stripe's objects in JSON, in version 2023-10-16 of its API: the fields that its
// libraries read. A field without a value is null.

// orNull returns the value, or nil for a zero value.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

func orEmpty(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

// view returns the JSON object of the intent for a caller. A browser sees neither metadata
// nor charges.
func (i *intent) view(who caller, p params) object {
	o := object{
		"id": i.ID, "object": "payment_intent", "amount": i.Amount, "amount_details": object{"tip": object{}},
		"automatic_payment_methods": nil, "canceled_at": orNull(i.CanceledAt), "cancellation_reason": orNull(i.CancelReason),
		"capture_method": "automatic", "client_secret": i.secret(), "confirmation_method": "automatic", "created": i.Created,
		"currency": i.Currency, "description": orNull(i.Description), "last_payment_error": orNull(i.LastError), "livemode": false,
		"next_action": nil, "payment_method": nil, "payment_method_configuration_details": nil, "payment_method_types": i.Types,
		"processing": nil, "receipt_email": orNull(i.ReceiptEmail), "setup_future_usage": nil, "shipping": nil, "source": nil,
		"status": i.Status,
	}
	if i.Automatic {
		o["automatic_payment_methods"] = object{"enabled": true, "allow_redirects": "always"}
	}
	if i.Method != nil {
		o["payment_method"] = i.Method.ID
		if p.expands("payment_method") {
			o["payment_method"] = i.Method.view()
		}
	}
	if i.hasStatus(statusRequiresAction) {
		o["next_action"] = object{"type": "use_stripe_sdk", "use_stripe_sdk": object{
			"type": "three_d_secure_redirect", "source": i.Method.ID, "known_frame_issues": "false",
			"stripe_js": Path + "/v1/payment_intents/" + i.ID + "/authenticate",
		}}
	}
	if who == secretKey {
		i.merchantView(o, p)
	}
	return o
}

// merchantView adds the fields that only the merchant may see.
func (i *intent) merchantView(o object, p params) {
	received := int64(0)
	if i.hasStatus(statusSucceeded) {
		received = i.Amount
	}
	maps.Copy(o, object{
		"amount_capturable": 0, "amount_received": received, "application": nil, "application_fee_amount": nil,
		"customer": nil, "invoice": nil, "latest_charge": nil, "metadata": orEmpty(i.Metadata), "on_behalf_of": nil,
		"payment_method_options": object{}, "review": nil, "statement_descriptor": nil, "statement_descriptor_suffix": nil,
		"transfer_data": nil, "transfer_group": orNull(i.Group),
	})
	c := i.charge()
	if c == nil {
		return
	}
	o["latest_charge"] = c.ID
	if p.expands("latest_charge") || p.expands("latest_charge.refunds") || p.expands("latest_charge.dispute") {
		o["latest_charge"] = c.view(i, p.within("latest_charge"))
	}
}

// view returns the JSON object of the charge.
func (c *charge) view(i *intent, p params) object {
	returned := c.refunded()
	captured := int64(0)
	if c.Status == chargeSucceeded {
		captured = c.Amount
	}
	o := object{
		"id": c.ID, "object": "charge", "amount": c.Amount, "amount_captured": captured, "amount_refunded": returned,
		"application": nil, "application_fee": nil, "application_fee_amount": nil, "balance_transaction": nil,
		"billing_details": c.Method.billing(), "calculated_statement_descriptor": "SANDBOX",
		"captured": c.Status == chargeSucceeded, "created": c.Created, "currency": i.Currency, "customer": nil,
		"description": orNull(i.Description), "disputed": c.Dispute != nil, "failure_balance_transaction": nil,
		"failure_code": orNull(c.FailureCode), "failure_message": orNull(c.FailureMessage), "fraud_details": object{},
		"invoice": nil, "livemode": false, "metadata": orEmpty(i.Metadata), "on_behalf_of": nil, "outcome": c.outcome(),
		"paid": c.Status == chargeSucceeded, "payment_intent": i.ID, "payment_method": c.Method.ID,
		"payment_method_details": c.Method.details(), "receipt_email": orNull(i.ReceiptEmail), "receipt_number": nil,
		"receipt_url": nil, "refunded": returned > 0 && returned == c.Amount, "review": nil, "shipping": nil, "source": nil,
		"source_transfer": nil, "statement_descriptor": nil, "statement_descriptor_suffix": nil, "status": c.Status,
		"transfer_data": nil, "transfer_group": orNull(i.Group), "dispute": nil,
	}
	if p.expands("payment_intent") {
		o["payment_intent"] = i.view(secretKey, params{})
	}
	if c.Dispute != nil {
		o["dispute"] = c.Dispute.ID
		if p.expands("dispute") {
			o["dispute"] = c.Dispute.view(i, c)
		}
	}
	if p.expands("refunds") { // otherwise Stripe omits them, since 2022-11-15
		o["refunds"] = c.refundList(i)
	}
	return o
}

// refundList returns the JSON object of all refunds of the charge, newest first.
func (c *charge) refundList(i *intent) object {
	list := []object{}
	for at := range c.Refunds {
		newestFirst := &c.Refunds[len(c.Refunds)-1-at]
		list = append(list, newestFirst.view(i, c, params{}))
	}
	return object{"object": "list", "data": list, "has_more": false, "url": "/v1/charges/" + c.ID + "/refunds"}
}

// outcome returns the bank's decision about the charge; nil while it is pending.
func (c *charge) outcome() any {
	o := object{
		"network_status": "approved_by_network", "reason": nil, "risk_level": "normal", "risk_score": 20,
		"seller_message": "Payment complete.", "type": "authorized",
	}
	switch c.Status {
	case chargePending:
		return nil
	case chargeFailed:
		o["network_status"], o["type"], o["seller_message"] = "declined_by_network", "issuer_declined", "The bank did not accept the payment."
		o["reason"] = c.FailureCode
		if c.Reason != "" {
			o["reason"] = c.Reason
		}
	}
	return o
}

// view returns the JSON object of the refund.
func (r *refund) view(i *intent, c *charge, p params) object {
	o := object{
		"id": r.ID, "object": "refund", "amount": r.Amount, "balance_transaction": nil, "charge": c.ID, "created": r.Created,
		"currency": i.Currency, "destination_details": object{"card": object{"type": "refund"}, "type": "card"},
		"metadata": orEmpty(r.Metadata), "payment_intent": i.ID, "reason": orNull(r.Reason), "receipt_number": nil,
		"source_transfer_reversal": nil, "status": "succeeded", "transfer_reversal": nil,
	}
	if r.Failed {
		o["status"], o["failure_reason"] = "failed", "expired_or_canceled_card"
	}
	if p.expands("charge") {
		o["charge"] = c.view(i, params{})
	}
	if p.expands("payment_intent") {
		o["payment_intent"] = i.view(secretKey, params{})
	}
	return o
}

// view returns the JSON object of the dispute.
func (d *dispute) view(i *intent, c *charge) object {
	return object{
		"id": d.ID, "object": "dispute", "amount": d.Amount, "balance_transactions": []object{}, "charge": c.ID,
		"created": d.Created, "currency": i.Currency, "evidence": object{},
		"evidence_details":     object{"due_by": nil, "has_evidence": false, "past_due": false, "submission_count": 0},
		"is_charge_refundable": d.Status == inquiryOpen, "livemode": false, "metadata": map[string]string{}, "payment_intent": i.ID,
		"payment_method_details": object{
			"type": "card", "card": object{"brand": c.Method.test().brand, "network_reason_code": "83"},
		},
		"reason": d.Reason, "status": cmp.Or(d.Status, disputeOpen),
	}
}

// view returns the JSON object of the payment method.
func (m *method) view() object {
	o := object{
		"id": m.ID, "object": "payment_method", "allow_redisplay": "unspecified", "billing_details": m.billing(),
		"created": m.Created, "customer": nil, "livemode": false, "metadata": map[string]string{},
	}
	test := m.test()
	if test.isDelayed {
		o["type"], o["us_bank_account"] = "us_bank_account", test.bank(m.Fingerprint)
		return o
	}
	card := m.card()
	card["generated_from"], card["three_d_secure_usage"] = nil, object{"supported": true}
	card["networks"] = object{"available": []string{test.brand}, "preferred": nil}
	card["display_brand"] = test.brand
	o["type"], o["card"] = "card", card
	return o
}

// card returns the public data of a card, for its payment method and its charges.
func (m *method) card() object {
	test, code := m.test(), "unavailable"
	switch {
	case test.cvcFails, test.decline == &wrongCVC:
		code = "fail"
	case m.CVC:
		code = "pass"
	}
	return object{
		"brand": test.brand, "country": "US", "exp_month": m.ExpMonth, "exp_year": m.ExpYear, "fingerprint": m.Fingerprint,
		"funding": "credit", "last4": test.last4(), "wallet": nil,
		"checks": object{"address_line1_check": nil, "address_postal_code_check": nil, "cvc_check": code},
	}
}

func (t *testMethod) bank(fingerprint string) object {
	return object{
		"account_holder_type": "individual", "account_type": "checking", "bank_name": "STRIPE TEST BANK",
		"fingerprint": fingerprint, "last4": t.last4(), "routing_number": "110000000",
	}
}

// details returns a charge's payment_method_details.
func (m *method) details() object {
	test := m.test()
	if test.isDelayed {
		return object{"type": "us_bank_account", "us_bank_account": test.bank(m.Fingerprint)}
	}
	card := m.card()
	card["installments"], card["mandate"], card["network"] = nil, nil, test.brand
	card["three_d_secure"] = nil
	if test.requires3DS {
		card["three_d_secure"] = object{
			"authentication_flow": "challenge", "result": "authenticated", "result_reason": nil, "version": "2.2.0",
		}
	}
	return object{"type": "card", "card": card}
}

// billing returns the billing details.
func (m *method) billing() object {
	address := object{}
	for _, part := range []string{"city", "country", "line1", "line2", "postal_code", "state"} {
		address[part] = orNull(m.Billing["address["+part+"]"])
	}
	return object{
		"address": address, "email": orNull(m.Billing["email"]), "name": orNull(m.Billing["name"]), "phone": orNull(m.Billing["phone"]),
	}
}
