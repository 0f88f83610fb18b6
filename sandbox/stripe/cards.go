package stripe

// decline is a bank's refusal of a charge.
type decline struct{ code, reason, message, param string }

// The declines of test cards. The codes, the reasons and the messages that
// people see are Stripe's (https://docs.stripe.com/testing#declined-payments,
// https://docs.stripe.com/declines/codes).
var (
	generic       = decline{"card_declined", "generic_decline", "Your card was declined.", ""}
	noFunds       = decline{"card_declined", "insufficient_funds", "Your card has insufficient funds.", ""}
	lost          = decline{"card_declined", "lost_card", "Your card was declined.", ""}
	stolen        = decline{"card_declined", "stolen_card", "Your card was declined.", ""}
	velocity      = decline{"card_declined", "card_velocity_exceeded", "Your card was declined for making repeated attempts too frequently or exceeding its amount limit.", ""}
	fraudulent    = decline{"card_declined", "fraudulent", "Your card was declined.", ""}
	expired       = decline{"expired_card", "", "Your card has expired.", "exp_month"}
	wrongCVC      = decline{"incorrect_cvc", "", "Your card's security code is incorrect.", "cvc"}
	processing    = decline{"processing_error", "", "An error occurred while processing your card. Try again in a little bit.", ""}
	bankNoFunds   = decline{"payment_intent_payment_attempt_failed", "insufficient_funds", "The bank account has insufficient funds.", ""}
	notForTesting = decline{"card_declined", "test_mode_live_card", "Your card was declined: this is a sandbox, which takes Stripe's test cards only.", "number"}
)

// testMethod is a payment method that Stripe publishes for tests, and the result of
// a payment with it.
type testMethod struct {
	brand        string
	number       string // as typed; "" for a bank account
	names        []string
	requires3DS  bool     // a 3-D Secure step is required before the charge
	decline      *decline // nil: the charge succeeds
	dispute      string   // the reason of the dispute that follows; "" for none
	inquiry      bool     // the dispute is only an inquiry of the bank
	isDelayed    bool     // the bank decides later
	staysPending bool     // the bank never decides
	cvcFails     bool     // the security code is wrong, and the charge succeeds
	refundFails  bool     // a refund to it fails after it was accepted
}

// testMethods are the payment methods of https://docs.stripe.com/testing that this product
// can encounter. The names are Stripe's; a card for which Stripe has had two names has both.
var testMethods = []testMethod{
	{brand: "visa", number: "4242424242424242", names: []string{"pm_card_visa", "pm_card_us"}},
	{brand: "visa", number: "4000056655665556", names: []string{"pm_card_visa_debit"}},
	{brand: "mastercard", number: "5555555555554444", names: []string{"pm_card_mastercard"}},
	{brand: "mastercard", number: "2223003122003222"},
	{brand: "mastercard", number: "5200828282828210", names: []string{"pm_card_mastercard_debit"}},
	{brand: "mastercard", number: "5105105105105100", names: []string{"pm_card_mastercard_prepaid"}},
	{brand: "amex", number: "378282246310005", names: []string{"pm_card_amex"}},
	{brand: "amex", number: "371449635398431"},
	{brand: "discover", number: "6011111111111117", names: []string{"pm_card_discover"}},
	{brand: "discover", number: "6011000990139424"},
	{brand: "diners", number: "3056930009020004", names: []string{"pm_card_diners"}},
	{brand: "jcb", number: "3566002020360505", names: []string{"pm_card_jcb"}},
	{brand: "unionpay", number: "6200000000000005", names: []string{"pm_card_unionpay"}},
	{brand: "visa", number: "4000000000000077", names: []string{"pm_card_bypassPending"}},
	{brand: "visa", number: "4000000000000101", names: []string{"pm_card_cvcCheckFail"}, cvcFails: true},

	{brand: "visa", number: "4000000000000002", decline: &generic, names: []string{"pm_card_chargeDeclined", "pm_card_visa_chargeDeclined"}},
	{brand: "visa", number: "4000000000009995", decline: &noFunds, names: []string{
		"pm_card_chargeDeclinedInsufficientFunds", "pm_card_visa_chargeDeclinedInsufficientFunds",
	}},
	{brand: "visa", number: "4000000000009987", decline: &lost, names: []string{"pm_card_chargeDeclinedLostCard", "pm_card_visa_chargeDeclinedLostCard"}},
	{brand: "visa", number: "4000000000009979", decline: &stolen, names: []string{"pm_card_chargeDeclinedStolenCard", "pm_card_visa_chargeDeclinedStolenCard"}},
	{brand: "visa", number: "4000000000006975", decline: &velocity, names: []string{
		"pm_card_chargeDeclinedVelocityLimitExceeded", "pm_card_visa_chargeDeclinedVelocityLimitExceeded",
	}},
	{brand: "visa", number: "4000000000000069", decline: &expired, names: []string{"pm_card_chargeDeclinedExpiredCard"}},
	{brand: "visa", number: "4000000000000127", decline: &wrongCVC, names: []string{"pm_card_chargeDeclinedIncorrectCvc"}},
	{brand: "visa", number: "4000000000000119", decline: &processing, names: []string{"pm_card_chargeDeclinedProcessingError"}},
	{brand: "visa", number: "4100000000000019", decline: &fraudulent, names: []string{"pm_card_radarBlock", "pm_card_chargeDeclinedFraudulent"}},
	{brand: "visa", number: "4000000000000341", decline: &generic, names: []string{"pm_card_chargeCustomerFail"}},

	{brand: "visa", number: "4000002760003184", requires3DS: true, names: []string{"pm_card_authenticationRequired"}},
	{brand: "visa", number: "4000002500003155", requires3DS: true, names: []string{"pm_card_authenticationRequiredOnSetup"}},
	{brand: "visa", number: "4000003800000446", requires3DS: true, names: []string{"pm_card_authenticationRequiredSetupForOffSession"}},
	{brand: "visa", number: "4000000000003220", requires3DS: true, names: []string{"pm_card_threeDSecure2Required"}},
	{brand: "visa", number: "4000000000003063", requires3DS: true, names: []string{"pm_card_threeDSecureRequired"}},
	{brand: "visa", number: "4000000000003055", names: []string{"pm_card_threeDSecureOptional"}},
	{brand: "visa", number: "4000008400001629", requires3DS: true, decline: &generic, names: []string{"pm_card_threeDSecureRequiredChargeDeclined"}},
	{brand: "visa", number: "4000008400001280", requires3DS: true, decline: &processing, names: []string{"pm_card_threeDSecureRequiredProcessingError"}},
	{brand: "visa", number: "4000008260003178", requires3DS: true, decline: &noFunds, names: []string{
		"pm_card_authenticationRequiredChargeDeclinedInsufficientFunds",
	}},

	{brand: "visa", number: "4000000000005126", refundFails: true, names: []string{"pm_card_refundFail"}},

	{brand: "visa", number: "4000000000000259", dispute: "fraudulent", names: []string{"pm_card_createDispute"}},
	{brand: "visa", number: "4000000000002685", dispute: "product_not_received", names: []string{"pm_card_createDisputeProductNotReceived"}},

	{brand: "visa", number: "4000000000001976", dispute: "general", inquiry: true, names: []string{"pm_card_createDisputeInquiry"}},

	{isDelayed: true, names: []string{"pm_usBankAccount_success"}},
	{isDelayed: true, staysPending: true, names: []string{"pm_usBankAccount_processing"}},
	{isDelayed: true, decline: &bankNoFunds, names: []string{"pm_usBankAccount_insufficientFunds"}},
}

// byName, byNumber and byKey are the test methods by name, card number and key. A stored method
// has the key of its test method, because the number itself is never stored.
var byName, byNumber, byKey = indexed()

func indexed() (names, numbers, keys map[string]*testMethod) {
	names, numbers, keys = map[string]*testMethod{}, map[string]*testMethod{}, map[string]*testMethod{}
	for i := range testMethods {
		m := &testMethods[i]
		for _, name := range m.names {
			names[name] = m
		}
		if m.number != "" {
			numbers[m.number] = m
		}
		keys[m.key()] = m
	}
	return names, numbers, keys
}

// key returns the key with which a test method is stored: its first name, or its brand and last
// digits.
func (m *testMethod) key() string {
	if len(m.names) > 0 {
		return m.names[0]
	}
	return m.brand + " " + m.last4()
}

func (m *testMethod) last4() string {
	if m.number == "" {
		return "6789"
	}
	return m.number[len(m.number)-4:]
}

// luhn reports whether a number's check digit is right (ISO/IEC 7812-1).
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
