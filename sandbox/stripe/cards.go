package stripe

import "slices"

// decline is a bank's refusal of a charge.
type decline struct{ code, reason, message string }

// The declines of test cards. The codes, the reasons and the messages that
// people see are Stripe's (https://docs.stripe.com/testing#declined-payments,
// https://docs.stripe.com/declines/codes).
var (
	generic         = decline{"card_declined", "generic_decline", "Your card was declined."}
	noFunds         = decline{"card_declined", "insufficient_funds", "Your card has insufficient funds."}
	lost            = decline{"card_declined", "lost_card", "Your card was declined."}
	stolen          = decline{"card_declined", "stolen_card", "Your card was declined."}
	velocity        = decline{"card_declined", "card_velocity_exceeded", "Your card was declined for making repeated attempts too frequently or exceeding its amount limit."}
	fraudulent      = decline{"card_declined", "fraudulent", "Your card was declined."}
	expired         = decline{"expired_card", "", "Your card has expired."}
	wrongCVC        = decline{"incorrect_cvc", "", "Your card's security code is incorrect."}
	processing      = decline{"processing_error", "", "An error occurred while processing your card. Try again in a little bit."}
	bankNoFunds     = decline{"payment_intent_payment_attempt_failed", "insufficient_funds", "The bank account has insufficient funds."}
	incorrectNumber = decline{"incorrect_number", "", "Your card number is incorrect."}
	invalidExpiry   = decline{"invalid_expiry_year", "", "Your card's expiration date is invalid."}
	invalidCVC      = decline{"invalid_cvc", "", "Your card's security code is invalid."}
	noTestCard      = decline{"card_declined", "test_mode_live_card", "Your card was declined: this is a sandbox, which takes Stripe's test cards only."}
)

// testMethod is a payment method that Stripe publishes for tests, and the result of
// a payment with it.
type testMethod struct {
	number       string   // as typed; "" for a bank account
	names        []string // an intent stores the first one, never the number
	requires3DS  bool     // a 3-D Secure step is required before the charge
	decline      decline  // zero if the charge succeeds
	dispute      string   // the reason of the dispute that follows; "" for none
	inquiry      bool     // the dispute is only an inquiry of the bank
	isDelayed    bool     // the bank decides later
	staysPending bool     // the bank never decides
	refundFails  bool     // a refund to it fails after it was accepted
}

// testMethods are the payment methods of https://docs.stripe.com/testing that this product
// can encounter. The names are Stripe's; a card for which Stripe has had two names has both.
var testMethods = []testMethod{
	{number: "4242424242424242", names: []string{"pm_card_visa", "pm_card_us"}},
	{number: "4000056655665556", names: []string{"pm_card_visa_debit"}},
	{number: "5555555555554444", names: []string{"pm_card_mastercard"}},
	{number: "2223003122003222", names: []string{"pm_card_mastercard"}},
	{number: "5200828282828210", names: []string{"pm_card_mastercard_debit"}},
	{number: "5105105105105100", names: []string{"pm_card_mastercard_prepaid"}},
	{number: "378282246310005", names: []string{"pm_card_amex"}},
	{number: "371449635398431", names: []string{"pm_card_amex"}},
	{number: "6011111111111117", names: []string{"pm_card_discover"}},
	{number: "6011000990139424", names: []string{"pm_card_discover"}},
	{number: "3056930009020004", names: []string{"pm_card_diners"}},
	{number: "3566002020360505", names: []string{"pm_card_jcb"}},
	{number: "6200000000000005", names: []string{"pm_card_unionpay"}},
	{number: "4000000000000077", names: []string{"pm_card_bypassPending"}},
	{number: "4000000000000101", names: []string{"pm_card_cvcCheckFail"}},

	{number: "4000000000000002", decline: generic, names: []string{"pm_card_chargeDeclined", "pm_card_visa_chargeDeclined"}},
	{number: "4000000000009995", decline: noFunds, names: []string{
		"pm_card_chargeDeclinedInsufficientFunds", "pm_card_visa_chargeDeclinedInsufficientFunds",
	}},
	{number: "4000000000009987", decline: lost, names: []string{"pm_card_chargeDeclinedLostCard", "pm_card_visa_chargeDeclinedLostCard"}},
	{number: "4000000000009979", decline: stolen, names: []string{"pm_card_chargeDeclinedStolenCard", "pm_card_visa_chargeDeclinedStolenCard"}},
	{number: "4000000000006975", decline: velocity, names: []string{
		"pm_card_chargeDeclinedVelocityLimitExceeded", "pm_card_visa_chargeDeclinedVelocityLimitExceeded",
	}},
	{number: "4000000000000069", decline: expired, names: []string{"pm_card_chargeDeclinedExpiredCard"}},
	{number: "4000000000000127", decline: wrongCVC, names: []string{"pm_card_chargeDeclinedIncorrectCvc"}},
	{number: "4000000000000119", decline: processing, names: []string{"pm_card_chargeDeclinedProcessingError"}},
	{number: "4100000000000019", decline: fraudulent, names: []string{"pm_card_radarBlock", "pm_card_chargeDeclinedFraudulent"}},
	{number: "4000000000000341", decline: generic, names: []string{"pm_card_chargeCustomerFail"}},

	{number: "4000002760003184", requires3DS: true, names: []string{"pm_card_authenticationRequired"}},
	{number: "4000002500003155", requires3DS: true, names: []string{"pm_card_authenticationRequiredOnSetup"}},
	{number: "4000003800000446", requires3DS: true, names: []string{"pm_card_authenticationRequiredSetupForOffSession"}},
	{number: "4000000000003220", requires3DS: true, names: []string{"pm_card_threeDSecure2Required"}},
	{number: "4000000000003063", requires3DS: true, names: []string{"pm_card_threeDSecureRequired"}},
	{number: "4000000000003055", names: []string{"pm_card_threeDSecureOptional"}},
	{number: "4000008400001629", requires3DS: true, decline: generic, names: []string{"pm_card_threeDSecureRequiredChargeDeclined"}},
	{number: "4000008400001280", requires3DS: true, decline: processing, names: []string{"pm_card_threeDSecureRequiredProcessingError"}},
	{number: "4000008260003178", requires3DS: true, decline: noFunds, names: []string{
		"pm_card_authenticationRequiredChargeDeclinedInsufficientFunds",
	}},

	{number: "4000000000005126", refundFails: true, names: []string{"pm_card_refundFail"}},

	{number: "4000000000000259", dispute: "fraudulent", names: []string{"pm_card_createDispute"}},
	{number: "4000000000002685", dispute: "product_not_received", names: []string{"pm_card_createDisputeProductNotReceived"}},

	{number: "4000000000001976", dispute: "general", inquiry: true, names: []string{"pm_card_createDisputeInquiry"}},

	{isDelayed: true, names: []string{"pm_usBankAccount_success"}},
	{isDelayed: true, staysPending: true, names: []string{"pm_usBankAccount_processing"}},
	{isDelayed: true, decline: bankNoFunds, names: []string{"pm_usBankAccount_insufficientFunds"}},
}

// findMethod returns the test method with a name or a number; nil if there is none.
func findMethod(name, number string) *testMethod {
	for i := range testMethods {
		if m := &testMethods[i]; slices.Contains(m.names, name) || number != "" && m.number == number {
			return m
		}
	}
	return nil
}
