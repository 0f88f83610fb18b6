package identity

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"secondring/api/letters"
	"secondring/api/rest"
	"secondring/market"
)

// purpose is what a link in a letter is for. An account has one link of each purpose at
// a time.
type purpose string

const (
	toReset  purpose = "reset"  // to choose a new password
	toVerify purpose = "verify" // to prove the address
)

// How long links are good for.
const (
	resetLasts  = 30 * time.Minute
	verifyLasts = 24 * time.Hour
)

// linkGone is the answer to a link that was used, has expired, was replaced by a newer
// one, or never existed.
func linkGone() error {
	return rest.NewError(market.CodeGone, "This link has been used or has expired. Please ask for a new one")
}

// newLink gives an account a link of a purpose, in place of the one it had, and returns
// the link's URL. The secret part is after the #, so that no log and no Referer has it.
// check decides about the account as it is stored now; it may be nil.
func (s *Service) newLink(ctx context.Context, uid string, p purpose, lasts time.Duration, check func(market.Account) error) (string, error) {
	secret := randomText()
	_, err := s.change(ctx, uid, func(a *market.Account) error {
		if check != nil {
			if err := check(*a); err != nil {
				return err
			}
		}
		dropLink(a, p)
		a.Links = append(a.Links, market.AccountLink{
			Purpose: string(p), Hash: secretHash(secret), Email: a.Email, Expires: s.clock.Now().Add(lasts),
		})
		return nil
	})
	if market.CodeOf(err) == market.CodeNoToken { // the account was removed
		return "", letters.ErrObsolete
	}
	return s.public.String() + "/" + string(p) + "#token=" + uid + "." + secret, err
}

func secretHash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func dropLink(a *market.Account, p purpose) {
	a.Links = slices.DeleteFunc(slices.Clone(a.Links), func(l market.AccountLink) bool { return l.Purpose == string(p) })
}

// useLink changes the account of a link's token, once: the link is dropped
// with the same write. CodeGone where the link cannot be used.
func (s *Service) useLink(ctx context.Context, token string, p purpose, apply func(*market.Account) error, told ...market.Event) error {
	uid, secret, _ := strings.Cut(token, ".")
	_, err := s.change(ctx, uid, func(a *market.Account) error {
		if !s.hasLink(*a, p, secret) {
			return linkGone()
		}
		dropLink(a, p)
		return apply(a)
	}, told...)
	if market.CodeOf(err) == market.CodeNoToken { // no such account
		err = linkGone()
	}
	return err
}

// checkLink tells whether a link can be used, before work is done for it.
func (s *Service) checkLink(ctx context.Context, token string, p purpose) (market.Account, error) {
	uid, secret, _ := strings.Cut(token, ".")
	a, err := s.store.Account(ctx, uid)
	if errors.Is(err, market.ErrNotFound) || err == nil && (a.Removed || !s.hasLink(a, p, secret)) {
		return a, linkGone()
	}
	return a, err
}

// hasLink tells whether the account has this link, for its present address.
func (s *Service) hasLink(a market.Account, p purpose, secret string) bool {
	i := slices.IndexFunc(a.Links, func(l market.AccountLink) bool { return l.Purpose == string(p) })
	if i < 0 {
		return false
	}
	l := a.Links[i]
	same := subtle.ConstantTimeCompare([]byte(l.Hash), []byte(secretHash(secret))) == 1
	return same && l.Email == a.Email && s.clock.Now().Before(l.Expires)
}
