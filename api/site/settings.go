package site

import (
	"encoding/json"
	"net/http"

	"secondring/api/rest"
)

// Settings are the settings of the client. The client reads them from the page itself or
// from GET /config.
type Settings struct {
	Product       string      `json:"product"`
	PublicURL     string      `json:"publicUrl,omitempty" doc:"Origin of the absolute addresses of this server's pictures"`
	Stripe        Stripe      `json:"stripe"`
	Google        bool        `json:"google" doc:"Whether sign-in with Google is available"`
	ImageHost     ImageHost   `json:"imageHost"`
	Contact       Contact     `json:"contact"`
	Advertise     string      `json:"advertise" enum:"verified,all,off" doc:"Which sellers may advertise phones: verified sellers, all sellers, or none (off)"`
	SellerContact string      `json:"sellerContact" enum:"shown,after-payment" doc:"Who sees the phone number and the email address of a phone's seller: everybody who is signed in (shown), or only its buyer, with the paid order (after-payment)"`
	Payouts       string      `json:"payouts" enum:"manual,stripe,off" doc:"How sellers are paid: by an admin (manual), by transfers at Stripe (stripe), or not by the server (off)"`
	Hold          int         `json:"hold" doc:"How long a booked phone is held for its buyer, in seconds"`
	SendWithin    int         `json:"sendWithin" doc:"How long the seller of a paid phone has to send it or to hand it over, in seconds"`
	Transit       int         `json:"transit" doc:"How long a phone may be on its way, in seconds"`
	SettleAfter   int         `json:"settleAfter" doc:"How long a buyer has after that, or after the receipt, to report a problem, in seconds"`
	Turn          int         `json:"turn" doc:"How long a phone is held for the next buyer on its waitlist, in seconds"`
	OfferHold     int         `json:"offerHold" doc:"How long a phone is held for a buyer whose offer was accepted, in seconds"`
	Mail          bool        `json:"mail,omitempty" doc:"True if the server sends email, so that a forgotten password can be reset. Absent otherwise"`
	Mailbox       string      `json:"mailbox,omitempty" doc:"Path of the page that shows emails instead of sending them, in a demo without SMTP_URL. Absent otherwise"`
	VerifyEmail   bool        `json:"verifyEmail,omitempty" doc:"True if a confirmed email address is required to book phones and to offer them. Absent otherwise"`
	VerifiedText  string      `json:"verifiedText,omitempty" doc:"How a seller gets verified, as a text for people. Absent if there is none"`
	DemoLogins    []DemoLogin `json:"demoLogins,omitempty" doc:"Accounts of the demo. Absent outside the demo"`
}

// Stripe has the settings of card payments.
type Stripe struct {
	PublishableKey string `json:"publishableKey"`
	Sandbox        bool   `json:"sandbox" doc:"Whether payments go to the server's simulation of Stripe"`
}

// ImageHost is the URL to which the browser posts images.
type ImageHost struct {
	URL string `json:"url" doc:"URL to which images are uploaded"`
	Key string `json:"key" doc:"Value of the query parameter key of an upload. Empty if the image host needs none"`
}

// Contact is the data of the contact screen.
type Contact struct {
	Email    string `json:"email"`
	Phone    string `json:"phone"`
	Location string `json:"location"`
}

// DemoLogin is a user of the demo.
type DemoLogin struct {
	Role     string `json:"role" enum:"admin,seller-verified,seller,buyer,buyer2"`
	Email    string `json:"email"`
	Password string `json:"password"`
}

// block returns the response of GET /config as a script element for the page, so that the
// client has it before it renders. It is data: browsers do not run it, so the page's policy
// need not allow it. No value can close the element, because json.Marshal writes <, > and &
// as \u003c, \u003e and \u0026.
func (s Settings) block() (string, error) {
	body, err := json.Marshal(s)
	return `<script id="config" type="application/json">` + string(body) + `</script>`, err
}

// AtStripe returns whether payments go to Stripe instead of the sandbox.
func (s Settings) AtStripe() bool { return s.Stripe.PublishableKey != "" && !s.Stripe.Sandbox }

// Routes returns the route of the settings.
func Routes(s Settings) []rest.Route {
	return []rest.Route{{
		Method: http.MethodGet, Path: "/config", ID: "getConfig", Tag: "operations",
		Summary:  "Get the public settings of the server",
		Response: Settings{},
		Handle: func(w http.ResponseWriter, r *http.Request) error {
			return rest.SendJSON(w, r, "anyone", s)
		},
	}}
}
