package identity

import (
	"context"
	"errors"
	"strings"

	"secondring/api/rest"
	"secondring/market"
)

// What the command line does: `secondring admin create`, `user password` and
// `user allow`. They work on the store beside a running server.

// CreateAdmin makes the person an admin, and an account for the address if
// there is none; the password is used for a new account only. CodeInvalid for an
// address or a password that cannot be, CodeForbidden for a removed account.
func (s *Service) CreateAdmin(ctx context.Context, email, password string) (created bool, err error) {
	account, err := s.store.AccountByEmail(ctx, email)
	if errors.Is(err, market.ErrNotFound) {
		created = true
		account, err = s.newAdmin(ctx, email, password)
	}
	if err != nil {
		return false, err
	}
	if account.Removed {
		return false, removedForGood()
	}
	return created, s.market.MakeAdmin(ctx, account)
}

func (s *Service) newAdmin(ctx context.Context, email, password string) (market.Account, error) {
	email = strings.TrimSpace(email)
	c := check{}
	c.email("email", email)
	c.newPassword("password", password)
	if err := c.err(); err != nil {
		return market.Account{}, err
	}
	return s.create(ctx, email, password, nameFor("", email))
}

// nameFor returns a name that can be shown: what is before the at when there is none.
func nameFor(name, email string) string {
	c := check{}
	if c.name("name", name); c.err() == nil {
		return strings.TrimSpace(name)
	}
	local, _, _ := strings.Cut(email, "@")
	return local
}

// SetPassword gives the account a new password and ends all its sessions.
// CodeNotFound without such an account, CodeInvalid for the password.
func (s *Service) SetPassword(ctx context.Context, email, password string) error {
	account, err := s.store.AccountByEmail(ctx, email)
	if errors.Is(err, market.ErrNotFound) || (err == nil && account.Removed) {
		return rest.Refuse(market.CodeNotFound, "There is no account with this email")
	}
	if err != nil {
		return err
	}
	c := check{}
	c.newPassword("password", password)
	if err := c.err(); err != nil {
		return err
	}
	line, err := s.byOperator(ctx, market.DeedSetPassword, account)
	if err != nil {
		return err
	}
	return s.setPassword(ctx, account, password, "", line)
}

// byOperator is the line of the trail about what a command does to an account.
func (s *Service) byOperator(ctx context.Context, deed market.Deed, a market.Account) (market.Event, error) {
	user, err := s.store.User(ctx, a.UID)
	if errors.Is(err, market.ErrNotFound) { // signed up, and never became anybody
		err = nil
	}
	return market.NewLine(s.clock.Now(), nil, deed).OfPerson(user.ID, a.DisplayName).Event(), err
}

// Allow lets the address of a removed account sign up again. CodeNotFound where
// nothing was removed.
func (s *Service) Allow(ctx context.Context, email string) error {
	account, err := s.store.AccountByEmail(ctx, email)
	if errors.Is(err, market.ErrNotFound) || (err == nil && !account.Removed) {
		return rest.Refuse(market.CodeNotFound, "No removed account has this email")
	}
	if err != nil {
		return err
	}
	line, err := s.byOperator(ctx, market.DeedAllowAgain, account)
	if err != nil {
		return err
	}
	return s.store.PurgeAccount(ctx, account.UID, []market.Event{line})
}
