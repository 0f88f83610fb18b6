package app

import (
	"cmp"

	"secondring/api/site"
	"secondring/cmd/secondring/demo"
	"secondring/cmd/secondring/settings"
)

// clientSettings returns the content of GET /config.
func clientSettings(s settings.Settings, google bool, email emailSetup, stripe site.Stripe) site.Settings {
	config := site.Settings{
		Product: Product, PublicURL: s.Rules.PublicURL, Google: google, Mail: email.queue != nil, Mailbox: email.mailbox, VerifyEmail: s.Rules.VerifyEmail, Advertise: s.Rules.Advertise,
		SellerContact: s.Rules.Contact,
		Payouts:       s.Rules.Payouts,
		Hold:          int(s.Rules.BookingHold.Seconds()),
		SendWithin:    int(s.Rules.SendWithin.Seconds()),
		Transit:       int(s.Rules.Transit.Seconds()),
		SettleAfter:   int(s.Rules.SettleAfter.Seconds()),
		Turn:          int(s.Rules.TurnHold.Seconds()),
		OfferHold:     int(s.Rules.OfferHold.Seconds()),
		Stripe:        stripe,
		ImageHost:     site.ImageHost{URL: "/images"},
		Contact:       site.Contact{Email: s.Contact.Email, Phone: s.Contact.Phone, Location: s.Contact.Location},
		VerifiedText:  s.VerifiedText,
	}
	if s.ImageHostURL != "" {
		config.ImageHost = site.ImageHost{URL: s.ImageHostURL, Key: s.ImageHostKey}
	}
	if s.Demo {
		config.Contact = demoContact(config.Contact)
		for _, l := range demo.Logins() {
			config.DemoLogins = append(config.DemoLogins, site.DemoLogin{Role: l.Role, Email: l.Email, Password: l.Password})
		}
	}
	return config
}

// demoContact returns a contact with example values for an empty email address and phone, for
// the contact screen of a demo.
func demoContact(c site.Contact) site.Contact {
	return site.Contact{
		Email: cmp.Or(c.Email, "hello@example.com"), Phone: cmp.Or(c.Phone, "+880 2 5550 0142"), Location: c.Location,
	}
}
