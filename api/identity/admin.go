package identity

import (
	"context"
	"errors"
	"strings"

	"secondring/api/rest"
	"secondring/market"
	"secondring/market/texts"
)

// The commands `secondring admin create`, `user password`, `user reset` and `user allow`. They
// work on the store of a running server.

// CreateAdmin adds an account and makes it an admin or a moderator. It returns CodeExists if the address
// has an account: its owner may not be the person whom the operator means; use PromoteAdmin
// for it. It returns CodeInvalid for an invalid address or password, and CodeForbidden for
// a removed account.
func (s *Service) CreateAdmin(ctx context.Context, email, password string, role market.AdminRole) error {
	old, err := s.store.AccountByEmail(ctx, email)
	switch {
	case err == nil && old.Removed:
		return accountRemoved()
	case err == nil:
		return accountExists()
	case !errors.Is(err, market.ErrNotFound):
		return err
	}
	account, err := s.newAdmin(ctx, email, password)
	if market.CodeOf(err) == market.CodeExists { // somebody has signed up at the same time
		return accountExists()
	}
	if err != nil {
		return err
	}
	_, err = s.grantAdmin(ctx, account, role)
	return err
}

func accountExists() error {
	return rest.NewError(market.CodeExists, "This email already has an account. "+
		"To make that account an admin, with a new password, add --existing")
}

// PromoteAdmin makes an existing account an admin or a moderator. It first sets the password, unlinks
// Google and ends all sessions, so that previous users of the account cannot act as admin,
// even if the command is interrupted. It returns CodeNotFound without such an account, and
// CodeInvalid for an invalid password.
func (s *Service) PromoteAdmin(ctx context.Context, email, password string, role market.AdminRole) error {
	account, err := s.accountFor(ctx, email)
	if err != nil {
		return err
	}
	if err := s.replaceCredentials(ctx, account, password); err != nil {
		return err
	}
	_, err = s.grantAdmin(ctx, account, role)
	return err
}

// replaceCredentials makes the password the account's only credential.
func (s *Service) replaceCredentials(ctx context.Context, old market.Account, password string) error {
	c := newCheck()
	c.newPassword("password", password)
	if err := c.Err(); err != nil {
		return err
	}
	hash, err := s.hash.make(ctx, password)
	if err != nil {
		return err
	}
	entry, err := s.byOperator(ctx, market.ActionSetPassword, old)
	if err != nil {
		return err
	}
	_, err = s.changeCredentials(ctx, old, "", market.ReasonPasswordChanged, func(a *market.Account) error {
		a.PasswordHash, a.GoogleSub, a.Unconfirmed, a.Links = hash, "", false, nil
		return nil
	}, append(s.passwordChanged(ctx, old, nil), entry)...)
	return err
}

// accountFor returns the account of an address. It returns CodeNotFound if there is none,
// or it was removed.
func (s *Service) accountFor(ctx context.Context, email string) (market.Account, error) {
	account, err := s.store.AccountByEmail(ctx, email)
	if errors.Is(err, market.ErrNotFound) || (err == nil && account.Removed) {
		return market.Account{}, rest.NewError(market.CodeNotFound, "There is no account with this email")
	}
	return account, err
}

func (s *Service) newAdmin(ctx context.Context, email, password string) (market.Account, error) {
	c := newCheck()
	c.email(email)
	c.newPassword("password", password)
	if err := c.Err(); err != nil {
		return market.Account{}, err
	}
	return s.create(ctx, password, market.Account{Email: email, DisplayName: nameFor("", email)})
}

// nameFor returns name if it can be shown, and otherwise the part of the email address
// before the @.
func nameFor(name, email string) string {
	name = texts.CleanLine(name)
	c := newCheck()
	if c.name("name", name); c.Err() == nil {
		return name
	}
	local, _, _ := strings.Cut(email, "@")
	return local
}

// SetPassword sets the account's password and ends all its sessions. It returns
// CodeNotFound without such an account, and CodeInvalid for an invalid password.
func (s *Service) SetPassword(ctx context.Context, email, password string) error {
	account, err := s.accountFor(ctx, email)
	if err != nil {
		return err
	}
	c := newCheck()
	c.newPassword("password", password)
	if err := c.Err(); err != nil {
		return err
	}
	entry, err := s.byOperator(ctx, market.ActionSetPassword, account)
	if err != nil {
		return err
	}
	return s.setPassword(ctx, account, password, "", append(s.passwordChanged(ctx, account, nil), entry)...)
}

// ResetLink returns a one-use link for a new password, as in the email of `forgot`. It
// returns CodeNotFound without such an account.
func (s *Service) ResetLink(ctx context.Context, email string) (string, error) {
	account, err := s.accountFor(ctx, email)
	if err != nil {
		return "", err
	}
	return s.newLink(ctx, account.UID, market.AccountLink{Purpose: string(toReset), Email: account.Email}, resetLasts, nil)
}

// resetSecondFactor removes the second factor of a person who has lost their app and their
// recovery codes. It ends their sessions.
func (s *Service) resetSecondFactor(ctx context.Context, old market.Account) error {
	entry, err := s.byOperator(ctx, market.ActionResetFactor, old)
	if err != nil {
		return err
	}
	_, err = s.changeCredentials(ctx, old, "", market.ReasonSecondFactorOff, func(a *market.Account) error {
		a.SecondFactor = nil
		dropLink(a, toFactorOff)
		return nil
	}, append(s.securityChanged(ctx, old, templateSecondFactorOff, nil), entry)...)
	return err
}

// byOperator returns the audit log entry of a command that changes an account.
func (s *Service) byOperator(ctx context.Context, action market.AuditAction, a market.Account) (market.AuditEntry, error) {
	user, err := s.store.User(ctx, a.UID)
	if errors.Is(err, market.ErrNotFound) { // an account without a user
		err = nil
	}
	return market.NewAuditEntry(s.clock.Now(), nil, action).OfPerson(user.ID, a.DisplayName), err
}

// Allow lets the address of a removed account sign up again. For an existing account it
// removes the second factor, whose owner has lost it, and ends the sessions. It returns
// which of the two it did, and CodeNotFound if there is neither.
func (s *Service) Allow(ctx context.Context, email string) (factorRemoved bool, err error) {
	account, err := s.store.AccountByEmail(ctx, email)
	switch {
	case err == nil && account.Removed:
		return false, s.allowSignUp(ctx, account)
	case err == nil && account.SecondFactor != nil:
		return true, s.resetSecondFactor(ctx, account)
	case err == nil, errors.Is(err, market.ErrNotFound):
		return false, rest.NewError(market.CodeNotFound, "No deleted account has this email, and no account that has it uses a second factor")
	}
	return false, err
}

// allowSignUp deletes what remains of a removed account, so that its address can sign up again.
func (s *Service) allowSignUp(ctx context.Context, removed market.Account) error {
	entry, err := s.byOperator(ctx, market.ActionAllowAgain, removed)
	if err != nil {
		return err
	}
	if err := s.market.EraseClosedPerson(ctx, removed.UID); err != nil {
		return err
	}
	return s.store.PurgeAccount(ctx, removed.UID, []market.Effect{entry})
}
