package site

import (
	"encoding/json"
	"net/http"

	"secondring/api/rest"
)

// Settings are the settings of the client. The client reads them from the page itself or
// from GET /config.
type Settings struct {
	Product      string      `json:"product"`
	Stripe       Stripe      `json:"stripe"`
	Google       bool        `json:"google" doc:"Sign-in with Google is offered"`
	ImageHost    ImageHost   `json:"imageHost"`
	Contact      Contact     `json:"contact"`
	Advertise    string      `json:"advertise" enum:"verified,all,off" doc:"Which sellers may advertise"`
	Payouts      string      `json:"payouts" enum:"manual,stripe,off" doc:"How sellers are paid"`
	Turn         int         `json:"turn" doc:"For how many seconds a phone is kept for the next on its waitlist"`
	Mail         bool        `json:"mail,omitempty" doc:"Email is sent: a forgotten password can be reset"`
	Mailbox      string      `json:"mailbox,omitempty" doc:"Where email is shown in place of being sent, in a demo without SMTP_URL"`
	VerifyEmail  bool        `json:"verifyEmail,omitempty" doc:"Booking and listing need a confirmed email address"`
	VerifiedText string      `json:"verifiedText,omitempty" doc:"How a seller gets verified, in the words of the market's team"`
	DemoLogins   []DemoLogin `json:"demoLogins,omitempty" doc:"In the demo only"`
}

// Stripe has the settings of card payments.
type Stripe struct {
	PublishableKey string `json:"publishableKey"`
	Sandbox        bool   `json:"sandbox" doc:"Cards go to the server's own sandbox"`
}

// ImageHost is the URL to which the browser posts images.
type ImageHost struct {
	URL string `json:"url"`
	Key string `json:"key"`
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
		Summary:  "What every client needs to know of this server",
		Response: Settings{},
		Handle: func(w http.ResponseWriter, r *http.Request) error {
			return rest.SendJSON(w, r, "anyone", s)
		},
	}}
}
