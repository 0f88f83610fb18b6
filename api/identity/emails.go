package identity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"secondring/api/emails"
	"secondring/api/rest"
	"secondring/market"
)

// The templates of this package's emails. Their names are stored.
const (
	templateWelcome         = "welcome"
	templateConfirm         = "verify"
	templateReset           = "reset"
	templatePasswordChanged = "password-changed"
	templateNewDevice       = "new-device"
	templateSignUpAgain     = "sign-up-again"
	templateChangeEmail     = "change-email"
	templateEmailChanged    = "email-changed"
	templateSecondFactorOn  = "second-factor-on"
	templateSecondFactorOff = "second-factor-off"
)

// The names of facts in emails.
const (
	factDevice  = "device"  // the browser that the email is about
	factNetwork = "network" // the network address of that browser
	factFactor  = "factor"  // a hash of the second factor that was switched on

	factCredentials = "credentials" // the account's CredentialsVersion when the email was requested
)

// welcome returns the record that stores the welcome email with the write that adds an
// account.
func (s *Service) welcome(ctx context.Context, a market.Account) []market.Effect {
	return s.emails.Records(emails.Email{Template: templateWelcome, To: a.Email, UID: a.UID, Lane: s.limit.lane(ctx, templateWelcome)})
}

// passwordChanged returns the record that stores the email about a new password with the
// write that sets it. The facts are about the browser; none for the operator's command.
func (s *Service) passwordChanged(ctx context.Context, a market.Account, facts map[string]string) []market.Effect {
	return s.securityChanged(ctx, a, templatePasswordChanged, facts)
}

// securityChanged returns the record that stores an email about a sign-in, or a change of how
// the account signs in, with the write of that change. It returns none for an address that is
// not confirmed, because the address may belong to another person.
func (s *Service) securityChanged(ctx context.Context, a market.Account, template string, facts map[string]string) []market.Effect {
	if !a.CanGetEmail() {
		return nil
	}
	return s.emails.Records(emails.Email{Template: template, To: a.Email, UID: a.UID, Facts: facts, Lane: s.limit.lane(ctx, template)})
}

func browserFacts(r *http.Request) map[string]string {
	return map[string]string{factDevice: deviceOf(r), factNetwork: rest.Network(rest.Address(r.Context()))}
}

// Compose makes the text of an email of this package. It also makes the links in the
// email, which replace those of earlier emails. It returns emails.ErrObsolete if the
// account is removed or the email is not needed any more.
func (s *Service) Compose(ctx context.Context, e emails.Email) (emails.Content, error) {
	a, err := s.accountOfEmail(ctx, e)
	if errors.Is(err, market.ErrNotFound) || err == nil && a.Removed {
		return emails.Content{}, emails.ErrObsolete
	}
	if err != nil {
		return emails.Content{}, err
	}
	var c emails.Content
	if e.UID == "" {
		c.To = a.Email // the address as its owner has typed it
	}
	c.Greeting, c.Addresses = greeting(a, cmp.Or(c.To, e.To)), []string{a.Email, e.To}
	switch e.Template {
	case templateWelcome:
		return s.composeWelcome(ctx, a, c)
	case templateConfirm:
		return s.composeConfirm(ctx, a, c)
	case templateReset:
		return s.composeReset(ctx, a, e, c)
	case templateSignUpAgain:
		return s.composeSignUpAgain(c), nil
	case templateChangeEmail:
		return s.composeChangeEmail(ctx, a, e, c)
	case templateEmailChanged:
		return s.composeEmailChanged(ctx, a, e, c)
	case templatePasswordChanged:
		return s.composePasswordChanged(e, c), nil
	case templateSecondFactorOn:
		return s.composeSecondFactorOn(ctx, a, e, c)
	case templateSecondFactorOff:
		return s.composeSecondFactorOff(e, c), nil
	case templateNewDevice:
		return s.composeNewDevice(e, c), nil
	}
	return c, fmt.Errorf("identity: unknown email template %q", e.Template)
}

// greeting returns the first line of an email to an address. Anyone can enter another
// person's address, and a name that is an advertisement. So only the confirmed address of the
// account gets the name.
func greeting(a market.Account, to string) string {
	if a.DisplayName != "" && a.CanGetEmail() && to == a.Email {
		return fmt.Sprintf("Hello %s,", a.DisplayName)
	}
	return "Hello,"
}

// accountOfEmail finds the account by UID, or by the address if the UID is not known.
func (s *Service) accountOfEmail(ctx context.Context, e emails.Email) (market.Account, error) {
	if e.UID == "" {
		return s.store.AccountByEmail(ctx, e.To)
	}
	return s.store.Account(ctx, e.UID)
}

func (s *Service) composeWelcome(ctx context.Context, a market.Account, c emails.Content) (emails.Content, error) {
	c.Subject = "Welcome to " + s.product
	if !a.Unconfirmed {
		c.Paragraphs = []string{fmt.Sprintf("Your account at %s is ready.", s.product)}
		c.Action = &emails.Action{Label: "Go to " + s.product, URL: s.public.String()}
		return c, nil
	}
	c.Paragraphs = []string{fmt.Sprintf("Confirm your email for %s.", s.product)}
	return s.withConfirmLink(ctx, a, c)
}

func (s *Service) composeConfirm(ctx context.Context, a market.Account, c emails.Content) (emails.Content, error) {
	c.Paragraphs = []string{"You asked for a new link to confirm your email address. Earlier links no longer work."}
	return s.withConfirmLink(ctx, a, c)
}

func (s *Service) withConfirmLink(ctx context.Context, a market.Account, c emails.Content) (emails.Content, error) {
	link, err := s.newLink(ctx, a.UID, market.AccountLink{Purpose: string(toConfirm), Email: a.Email}, confirmLasts, func(a market.Account) error {
		if !a.Unconfirmed {
			return emails.ErrObsolete
		}
		return nil
	})
	c.Subject = "Confirm your email address for " + s.product
	c.Action = &emails.Action{Label: "Confirm email address", URL: link}
	c.Note = []string{
		"The link works for 24 hours.",
		"If you did not sign up, you can ignore this email. Nothing is bought or sold in your name without your password.",
	}
	return c, err
}

func (s *Service) composeReset(ctx context.Context, a market.Account, e emails.Email, c emails.Content) (emails.Content, error) {
	if market.NormalEmail(e.To) != market.NormalEmail(a.Email) {
		return c, emails.ErrObsolete
	}
	link, err := s.newLink(ctx, a.UID, market.AccountLink{Purpose: string(toReset), Email: a.Email}, resetLasts, nil)
	c.Subject = "Reset your " + s.product + " password"
	c.Paragraphs = []string{"Someone asked to reset the password of your account. Use this link to choose a new one."}
	c.Action = &emails.Action{Label: "Choose a new password", URL: link}
	c.Note = []string{
		"The link works once, for 30 minutes. A new request replaces it.",
		"If it was not you, you can ignore this email. Your password stays as it is.",
	}
	if a.PasswordHash == "" { // as after giveBack
		c.Paragraphs = []string{"Use this link to choose a new password for your account."}
		c.Note = c.Note[:1]
	}
	return c, err
}

func (s *Service) composeChangeEmail(ctx context.Context, a market.Account, e emails.Email, c emails.Content) (emails.Content, error) {
	link, err := s.newLink(ctx, a.UID, market.AccountLink{Purpose: string(toEmail), Email: e.To}, confirmLasts, func(now market.Account) error {
		if credentialsFact(now) != e.Facts[factCredentials] { // a new password cancels the change
			return emails.ErrObsolete
		}
		return nil
	})
	c.Subject = "Confirm your new email address for " + s.product
	// The new address may belong to another person, so the email does not name the present one.
	c.Paragraphs = []string{fmt.Sprintf("You asked to use this address for your %s account.", s.product)}
	c.Action = &emails.Action{Label: "Use this address", URL: link}
	c.Note = []string{
		"The link works for 24 hours. Until then nothing changes.",
		"If it was not you, you can ignore this email.",
	}
	return c, err
}

func (s *Service) composeEmailChanged(ctx context.Context, a market.Account, e emails.Email, c emails.Content) (emails.Content, error) {
	link, err := s.newLink(ctx, a.UID, market.AccountLink{Purpose: string(toUndo), Email: e.To, At: e.At}, undoLasts, func(now market.Account) error {
		wasUndone := !e.At.Before(now.RestoredFrom) && !e.At.After(now.RestoredAt) // before the email was sent
		if now.Email == e.To || wasUndone {
			return emails.ErrObsolete
		}
		return nil
	})
	c.Subject = "The email address of your " + s.product + " account was changed"
	c.Paragraphs = []string{
		fmt.Sprintf("Your account now uses %s%s.", a.Email, browserWords(e)),
		"From now on, log in with the new address.",
	}
	c.Action = &emails.Action{Label: "It was not me: change it back", URL: link}
	c.Note = []string{
		"The link works for a week. It gives the account this address back, signs out every device, and sends you a link to a new password.",
		"If it was you, there is nothing to do.",
	}
	return c, err
}

func (s *Service) composeSignUpAgain(c emails.Content) emails.Content {
	c.Subject = "You already have a " + s.product + " account"
	c.Paragraphs = []string{"Someone tried to sign up with your email address. You have an account already, so none was made."}
	c.Action = &emails.Action{Label: "Log in", URL: s.public.String() + "/login"}
	c.Note = []string{
		"If you forgot your password, choose 'Forgot password?' on that page.",
		"If it was not you, you can ignore this email.",
	}
	return c
}

func (s *Service) composePasswordChanged(e emails.Email, c emails.Content) emails.Content {
	c.Subject = "Your " + s.product + " password was changed"
	c.Paragraphs = []string{
		"The password of your account was changed" + browserWords(e) + ".",
		"Your other devices were signed out.",
	}
	return s.withNotMe(c)
}

// withNotMe adds a link for a new password, for a person who did not change how the account
// signs in.
func (s *Service) withNotMe(c emails.Content) emails.Content {
	c.Action = &emails.Action{Label: "It was not me", URL: s.public.String() + "/forgot"}
	c.Note = []string{"If it was you, there is nothing to do."}
	return c
}

// composeSecondFactorOn adds a link that switches this second factor off again. A new password
// would not help an owner who did not switch it on, because a login would still require its codes.
func (s *Service) composeSecondFactorOn(ctx context.Context, a market.Account, e emails.Email, c emails.Content) (emails.Content, error) {
	link, err := s.newLink(ctx, a.UID, market.AccountLink{Purpose: string(toFactorOff), Email: e.To}, undoLasts, func(now market.Account) error {
		if factorFact(now) != e.Facts[factFactor] {
			return emails.ErrObsolete
		}
		return nil
	})
	c.Subject = "Two-step login is on for your " + s.product + " account"
	c.Paragraphs = []string{
		"Two-step login was switched on for your account" + browserWords(e) + ".",
		"From now on, you need a code from your authenticator app to log in.",
	}
	c.Action = &emails.Action{Label: "It was not me: switch it off", URL: link}
	c.Note = []string{
		"The link works for a week. It switches two-step login off, signs out every device, and sends you a link to a new password.",
		"If it was you, there is nothing to do.",
	}
	return c, err
}

// factorFact identifies the account's second factor; "" if there is none.
func factorFact(a market.Account) string {
	if !a.HasSecondFactor() {
		return ""
	}
	return secretHash(a.SecondFactor.Secret)
}

func credentialsFact(a market.Account) string { return strconv.FormatInt(a.CredentialsVersion, 10) }

func (s *Service) composeSecondFactorOff(e emails.Email, c emails.Content) emails.Content {
	c.Subject = "Two-step login is off for your " + s.product + " account"
	c.Paragraphs = []string{"Two-step login was switched off for your account" + browserWords(e) + "."}
	return s.withNotMe(c)
}

func (s *Service) composeNewDevice(e emails.Email, c emails.Content) emails.Content {
	c.Subject = "New sign-in to your " + s.product + " account"
	c.Paragraphs = []string{"Someone signed in to your account on a device that we have not seen before" + browserWords(e) + "."}
	c.Action = &emails.Action{Label: "See where you are signed in", URL: s.public.String() + "/dashboard/account"}
	c.Note = []string{"If it was you, there is nothing to do. If not, sign that device out and change your password."}
	return c
}

// browserWords returns the browser, its network and the time as the end of a sentence: ":
// Firefox on Windows, network 203.0.113.7, 25 November 2026, 14:05 UTC".
func browserWords(e emails.Email) string {
	words := ""
	if device := e.Facts[factDevice]; device != "" {
		words += device + ", "
	}
	if network := e.Facts[factNetwork]; network != "" {
		words += "network " + network + ", "
	}
	return ": " + words + e.At.UTC().Format("2 January 2006, 15:04 ") + time.UTC.String()
}
