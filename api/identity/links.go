package identity

import (
	"context"
	"crypto/subtle"
	"errors"
	"slices"
	"strings"
	"time"

	"secondring/api/emails"
	"secondring/api/rest"
	"secondring/market"
)

// purpose is the purpose of a link in an email. An account has one link of each purpose at
// a time.
type purpose string

// The values are stored with the links. One is called verify: a link confirms an address.
const (
	toReset   purpose = "reset"         // to choose a new password
	toConfirm purpose = "verify"        // to confirm the email address
	toEmail   purpose = "email"         // to confirm another email address and change to it
	toUndo    purpose = market.LinkUndo // one for each old address

	toFactorOff purpose = market.LinkFactorOff
)

// page returns the path of the client's screen that a link opens. The purpose is not
// secret.
func (p purpose) page() string {
	switch p {
	case toReset:
		return "/reset"
	case toEmail, toUndo, toFactorOff:
		return "/verify?for=" + string(p)
	default:
		return "/verify"
	}
}

// How long links are valid.
const (
	resetLasts   = 30 * time.Minute
	confirmLasts = 24 * time.Hour
)

// linkGone returns the error for a link that has expired, was replaced by a newer one, or never
// existed, and for a used link that works only once.
func linkGone() error {
	return rest.NewError(market.CodeGone, "This link has been used or has expired. Please ask for a new one")
}

// newLink adds a link to an account, replacing its link of that purpose, and returns the link's
// URL. It sets the link's Hash and Expires. The secret is after the #, so that it is in no log and
// no Referer. check decides about the account as it is stored now; it may be nil.
func (s *Service) newLink(ctx context.Context, uid string, l market.AccountLink, lasts time.Duration, check func(market.Account) error) (string, error) {
	secret := randomText()
	_, err := s.change(ctx, uid, func(a *market.Account) error {
		if check != nil {
			if err := check(*a); err != nil {
				return err
			}
		}
		dropLinks(a, func(old market.AccountLink) bool {
			isReplaced := old.Purpose == l.Purpose && (purpose(l.Purpose) != toUndo || old.Email == l.Email)
			return isReplaced || !s.clock.Now().Before(old.Expires)
		})
		l.Hash, l.Expires = secretHash(secret), s.clock.Now().Add(lasts)
		a.Links = append(a.Links, l)
		return nil
	})
	if market.CodeOf(err) == market.CodeNoToken { // the account was removed
		return "", emails.ErrObsolete
	}
	return s.public.String() + purpose(l.Purpose).page() + "#token=" + uid + "." + secret, err
}

// dropLink deletes the account's unused links of a purpose. A used one stays: who opens it again reads
// that it worked.
func dropLink(a *market.Account, p purpose) {
	dropLinks(a, func(l market.AccountLink) bool { return l.Purpose == string(p) && !l.Used })
}

func dropLinks(a *market.Account, which func(market.AccountLink) bool) {
	a.Links = slices.DeleteFunc(slices.Clone(a.Links), which)
}

// setUsed records that what some links do was done. Such a link stays until it expires, because
// people open a link twice, and mail scanners open it before them.
func setUsed(a *market.Account, which func(market.AccountLink) bool) {
	a.Links = slices.Clone(a.Links)
	for i, l := range a.Links {
		if which(l) {
			a.Links[i].Used = true
		}
	}
}

// withLink makes a change of an account that a link allows. The same write records that the link was
// used, so it changes something once; a link to reset is deleted. The change returns CodeGone if the
// link is not valid, and CodeConflict if another call has just used it.
func (s *Service) withLink(token string, p purpose, apply func(*market.Account, market.AccountLink) error) func(*market.Account) error {
	_, secret, _ := strings.Cut(token, ".")
	return func(a *market.Account) error {
		l, ok := s.linkOf(*a, secret)
		if !ok || l.Purpose != string(p) {
			return linkGone()
		}
		if l.Used {
			return rest.NewError(market.CodeConflict, "This link has just been used")
		}
		isThis := func(other market.AccountLink) bool { return other.Hash == l.Hash }
		if p == toReset {
			dropLinks(a, isThis)
		} else {
			setUsed(a, isThis)
		}
		return apply(a, l)
	}
}

// useLink reads a link and makes the change that it allows; after a link was used, it does nothing.
// If the credentials change at that moment, it does so again: the link proves who the owner is,
// whatever has changed.
func (s *Service) useLink(ctx context.Context, token string, use func(context.Context, market.Account, market.AccountLink) error) error {
	for {
		account, l, err := s.readLink(ctx, token)
		if err == nil && !l.Used {
			err = use(ctx, account, l)
		}
		if market.CodeOf(err) != market.CodeConflict || ctx.Err() != nil {
			return goneIfRemoved(err)
		}
	}
}

// goneIfRemoved returns CodeGone for the error of a link whose account was removed.
func goneIfRemoved(err error) error {
	if market.CodeOf(err) == market.CodeNoToken {
		return linkGone()
	}
	return err
}

// readLink returns the account of a valid link, and the link. It returns CodeGone for any other.
func (s *Service) readLink(ctx context.Context, token string) (market.Account, market.AccountLink, error) {
	uid, secret, _ := strings.Cut(token, ".")
	a, err := s.store.Account(ctx, uid)
	if err != nil && !errors.Is(err, market.ErrNotFound) {
		return a, market.AccountLink{}, err
	}
	l, ok := s.linkOf(a, secret)
	if !ok || a.Removed {
		return a, l, linkGone()
	}
	return a, l, nil
}

// linkOf returns the account's valid link with this secret. An unused link to reset or to confirm is
// valid for the account's current address only.
func (s *Service) linkOf(a market.Account, secret string) (market.AccountLink, bool) {
	hash := []byte(secretHash(secret))
	for _, l := range a.Links {
		if subtle.ConstantTimeCompare([]byte(l.Hash), hash) == 1 {
			isPresent := l.Used || l.Email == a.Email || l.Purpose == string(toEmail) || l.Purpose == string(toUndo)
			return l, isPresent && s.clock.Now().Before(l.Expires)
		}
	}
	return market.AccountLink{}, false
}
