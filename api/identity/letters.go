package identity

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"secondring/api/letters"
	"secondring/api/rest"
	"secondring/market"
)

// The templates of this package's letters.
const (
	letterWelcome         = "welcome"
	letterVerify          = "verify"
	letterReset           = "reset"
	letterPasswordChanged = "password-changed"
	letterNewDevice       = "new-device"
	letterSignUpAgain     = "sign-up-again"
	letterChangeEmail     = "change-email"
	letterEmailChanged    = "email-changed"
	letterSecondFactorOn  = "second-factor-on"
	letterSecondFactorOff = "second-factor-off"
)

// The names of facts in letters.
const (
	factDevice   = "device"   // the browser that the letter is about
	factNetwork  = "network"  // the network address of that browser
	factPassword = "password" // a hash of the password hash, to detect a change of the password
)

// welcome returns the event that stores the welcome letter with the write that adds an
// account.
func (s *Service) welcome(a market.Account) []market.Event {
	return s.letters.Events(letters.Letter{Template: letterWelcome, To: a.Email, UID: a.UID})
}

// passwordChanged returns the event that stores the letter about a new password with the
// write that sets it. The facts are about the browser; none for the operator's command.
func (s *Service) passwordChanged(a market.Account, facts map[string]string) []market.Event {
	return s.securityChanged(a, letterPasswordChanged, facts)
}

// securityChanged returns the event that stores a letter about a change of how the account
// signs in with the write of that change.
func (s *Service) securityChanged(a market.Account, template string, facts map[string]string) []market.Event {
	return s.letters.Events(letters.Letter{Template: template, To: a.Email, UID: a.UID, Facts: facts})
}

func browserFacts(r *http.Request) map[string]string {
	return map[string]string{factDevice: deviceOf(r), factNetwork: rest.Network(rest.Address(r.Context()))}
}

// Compose makes the text of a letter of this package. It also makes the links in the
// letter, which replace those of earlier letters. It returns letters.ErrObsolete if the
// account is removed or the letter is not needed any more.
func (s *Service) Compose(ctx context.Context, l letters.Letter) (letters.Content, error) {
	a, err := s.accountOfLetter(ctx, l)
	if errors.Is(err, market.ErrNotFound) || err == nil && a.Removed {
		return letters.Content{}, letters.ErrObsolete
	}
	if err != nil {
		return letters.Content{}, err
	}
	c := letters.Content{Greeting: "Hello,"}
	if l.UID == "" {
		c.To = a.Email // the address as its owner has typed it
	}
	if a.DisplayName != "" {
		c.Greeting = fmt.Sprintf("Hello %s,", a.DisplayName)
	}
	switch l.Template {
	case letterWelcome:
		return s.composeWelcome(ctx, a, c)
	case letterVerify:
		return s.composeVerify(ctx, a, c)
	case letterReset:
		return s.composeReset(ctx, a, c)
	case letterSignUpAgain:
		return s.composeSignUpAgain(c), nil
	case letterChangeEmail:
		return s.composeChangeEmail(ctx, a, l, c)
	case letterEmailChanged:
		return s.composeEmailChanged(ctx, a, l, c)
	case letterPasswordChanged:
		return s.composePasswordChanged(l, c), nil
	case letterSecondFactorOn, letterSecondFactorOff:
		return s.composeSecondFactor(l, c), nil
	case letterNewDevice:
		return s.composeNewDevice(l, c), nil
	}
	return c, fmt.Errorf("identity: unknown letter template %q", l.Template)
}

// accountOfLetter finds the account by UID, or by the address if the UID is not known.
func (s *Service) accountOfLetter(ctx context.Context, l letters.Letter) (market.Account, error) {
	if l.UID == "" {
		return s.store.AccountByEmail(ctx, l.To)
	}
	return s.store.Account(ctx, l.UID)
}

func (s *Service) composeWelcome(ctx context.Context, a market.Account, c letters.Content) (letters.Content, error) {
	c.Subject = "Welcome to " + s.product
	if !a.Unproven {
		c.Paragraphs = []string{fmt.Sprintf("Your account at %s is ready.", s.product)}
		c.Action = &letters.Action{Label: "Go to the shop", URL: s.public.String()}
		return c, nil
	}
	c.Paragraphs = []string{fmt.Sprintf("Welcome to %s. Please confirm that this email address is yours.", s.product)}
	return s.withVerifyLink(ctx, a, c)
}

func (s *Service) composeVerify(ctx context.Context, a market.Account, c letters.Content) (letters.Content, error) {
	c.Paragraphs = []string{"You asked for a new link to confirm your email address. Earlier links no longer work."}
	return s.withVerifyLink(ctx, a, c)
}

func (s *Service) withVerifyLink(ctx context.Context, a market.Account, c letters.Content) (letters.Content, error) {
	link, err := s.newLink(ctx, a.UID, toVerify, a.Email, verifyLasts, func(a market.Account) error {
		if !a.Unproven {
			return letters.ErrObsolete
		}
		return nil
	})
	c.Subject = "Confirm your email address for " + s.product
	c.Action = &letters.Action{Label: "Confirm email address", URL: link}
	c.Note = []string{
		"The link works once, for 24 hours.",
		"If you did not sign up, you can ignore this email. Nothing is bought or sold in your name without your password.",
	}
	return c, err
}

func (s *Service) composeReset(ctx context.Context, a market.Account, c letters.Content) (letters.Content, error) {
	link, err := s.newLink(ctx, a.UID, toReset, a.Email, resetLasts, nil)
	c.Subject = "Reset your " + s.product + " password"
	c.Paragraphs = []string{"Someone asked to reset the password of your account. Use this link to choose a new one."}
	c.Action = &letters.Action{Label: "Choose a new password", URL: link}
	c.Note = []string{
		"The link works once, for 30 minutes. A new request replaces it.",
		"If it was not you, you can ignore this email. Your password stays as it is.",
	}
	return c, err
}

func (s *Service) composeChangeEmail(ctx context.Context, a market.Account, l letters.Letter, c letters.Content) (letters.Content, error) {
	link, err := s.newLink(ctx, a.UID, toEmail, l.To, verifyLasts, func(now market.Account) error {
		if secretHash(now.PasswordHash) != l.Facts[factPassword] { // a new password cancels the change
			return letters.ErrObsolete
		}
		return nil
	})
	c.Subject = "Confirm your new email address for " + s.product
	c.Paragraphs = []string{fmt.Sprintf("You asked to use this address for your %s account in place of %s.", s.product, a.Email)}
	c.Action = &letters.Action{Label: "Use this address", URL: link}
	c.Note = []string{
		"The link works once, for 24 hours. Until then nothing changes.",
		"If it was not you, you can ignore this email.",
	}
	return c, err
}

func (s *Service) composeEmailChanged(ctx context.Context, a market.Account, l letters.Letter, c letters.Content) (letters.Content, error) {
	link, err := s.newLink(ctx, a.UID, toUndo, l.To, undoLasts, func(now market.Account) error {
		if now.Email == l.To || !l.At.After(now.RestoredAt) { // this change was undone before the letter was sent
			return letters.ErrObsolete
		}
		return nil
	})
	c.Subject = "The email address of your " + s.product + " account was changed"
	c.Paragraphs = []string{
		fmt.Sprintf("Your account now uses %s%s.", a.Email, browserWords(l)),
		"From now on, log in with the new address.",
	}
	c.Action = &letters.Action{Label: "It was not me: change it back", URL: link}
	c.Note = []string{
		"The link works once, for a week. It gives the account this address back, signs out every device, and sends you a link to a new password.",
		"If it was you, there is nothing to do.",
	}
	return c, err
}

func (s *Service) composeSignUpAgain(c letters.Content) letters.Content {
	c.Subject = "You already have a " + s.product + " account"
	c.Paragraphs = []string{"Someone tried to sign up with your email address. You have an account already, so none was made."}
	c.Action = &letters.Action{Label: "Log in", URL: s.public.String() + "/login"}
	c.Note = []string{
		"If you forgot your password, choose 'Forgot password?' on that page.",
		"If it was not you, you can ignore this email.",
	}
	return c
}

func (s *Service) composePasswordChanged(l letters.Letter, c letters.Content) letters.Content {
	c.Subject = "Your " + s.product + " password was changed"
	c.Paragraphs = []string{
		"The password of your account was changed" + browserWords(l) + ".",
		"Your other devices were signed out.",
	}
	return s.withNotMe(c)
}

// withNotMe adds a link for a new password, for a person who did not change how the account
// signs in.
func (s *Service) withNotMe(c letters.Content) letters.Content {
	c.Action = &letters.Action{Label: "It was not me", URL: s.public.String() + "/forgot"}
	c.Note = []string{"If it was you, there is nothing to do."}
	return c
}

func (s *Service) composeSecondFactor(l letters.Letter, c letters.Content) letters.Content {
	c.Subject = "Your " + s.product + " sign-in now takes a code"
	c.Paragraphs = []string{"From now on, signing in to your account takes a code of your authenticator app" + browserWords(l) + "."}
	if l.Template == letterSecondFactorOff {
		c.Subject = "Your " + s.product + " sign-in takes no code any more"
		c.Paragraphs = []string{"The second factor of your account was switched off" + browserWords(l) + "."}
	}
	return s.withNotMe(c)
}

func (s *Service) composeNewDevice(l letters.Letter, c letters.Content) letters.Content {
	c.Subject = "New sign-in to your " + s.product + " account"
	c.Paragraphs = []string{"Someone signed in to your account on a device that we have not seen before" + browserWords(l) + "."}
	c.Action = &letters.Action{Label: "See where you are signed in", URL: s.public.String() + "/dashboard/account"}
	c.Note = []string{"If it was you, there is nothing to do. If not, sign that device out and change your password."}
	return c
}

// browserWords returns the browser, its network and the time as the end of a sentence: ":
// Firefox on Windows, network 203.0.113.7, 25 November 2026, 14:05 UTC".
func browserWords(l letters.Letter) string {
	words := ""
	if device := l.Facts[factDevice]; device != "" {
		words += device + ", "
	}
	if network := l.Facts[factNetwork]; network != "" {
		words += "network " + network + ", "
	}
	return ": " + words + l.At.UTC().Format("2 January 2006, 15:04 ") + time.UTC.String()
}
