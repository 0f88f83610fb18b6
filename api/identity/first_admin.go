package identity

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

// The first admin of a new market is made in the browser, with a link that the server
// prints when it starts on a store without accounts. So no shell on the server is needed.
// Each start prints another link. A link is used when its account becomes an admin: the record
// firstAdminUsed, which is stored in the same write, invalidates all links for good. So none
// works again after a revocation, the setup of a second factor, or the end of the account.

const (
	firstAdminKind = "first-admin" // the kind of the records; the ID of each is the hash of a link's token
	firstAdminUsed = "used"        // the ID of the record that invalidates all links
	firstAdminMeta = "first-admin" // the address of the person who opened a link: only they can continue after a crash
	firstAdminPage = "/setup"
	// firstAdminLasts is how long a link is valid.
	firstAdminLasts = time.Hour
)

// FirstAdminBody is the body of POST /identity/first-admin.
type FirstAdminBody struct {
	Token       string `json:"token" doc:"The part of the printed link after #token="`
	Email       string `json:"email"`
	Password    string `json:"password" doc:"At least 6 characters"`
	DisplayName string `json:"displayName"`
}

func (s *Service) firstAdminRoutes() []rest.Route {
	return []rest.Route{{
		Method: http.MethodPost, Path: "/identity/first-admin", ID: "makeFirstAdmin", Access: rest.Anyone,
		Summary: "Create the first admin of a new market with the link that the server printed, and sign in. The response sets the session cookie. With the token alone it changes nothing: status 422 if the link can be used, 410 if not",
		Body:    FirstAdminBody{}, Response: SignedInUser{}, Status: http.StatusCreated,
		ErrorStatuses: []int{http.StatusConflict, http.StatusGone, http.StatusTooManyRequests}, Handle: s.makeFirstAdmin,
	}}
}

// FirstAdminLink returns a new link for the first admin; "" if the market has an account
// already, or had an admin.
func (s *Service) FirstAdminLink(ctx context.Context) (string, error) {
	empty, err := s.isEmpty(ctx)
	if err != nil || !empty {
		return "", err
	}
	if used, err := s.hadAdmin(ctx); err != nil || used {
		return "", err
	}
	token := randomText()
	r := market.Record{Kind: firstAdminKind, ID: secretHash(token), Expires: s.clock.Now().Add(firstAdminLasts), Version: 1}
	return s.public.String() + firstAdminPage + "#token=" + token, s.store.AddRecord(ctx, r, nil)
}

// isEmpty returns whether there are no accounts.
func (s *Service) isEmpty(ctx context.Context) (bool, error) {
	_, first, err := s.store.OrphanedAccounts(ctx, "", time.Time{}, 1)
	return first == "", err
}

func (s *Service) makeFirstAdmin(w http.ResponseWriter, r *http.Request) error {
	sent, wrong, err := rest.Decode[FirstAdminBody](w, r)
	if err != nil {
		return err
	}
	token, email, password, name := sent.Token, sent.Email, sent.Password, sent.DisplayName
	c := checkOf(wrong)
	c.required("token", token, "The link is not complete")
	if err := c.Err(); err != nil {
		return err
	}
	if err := s.checkFirstAdmin(r.Context(), token); err != nil {
		return err
	}
	c.email(email)
	c.newPassword("password", password)
	c.name("displayName", name)
	if err := c.Err(); err != nil {
		return err
	}
	if err := s.limit.maySignUp(r.Context()); err != nil {
		return err
	}
	if err := s.takeFirstAdmin(r.Context(), email); err != nil {
		return err
	}
	account, err := s.firstAdminAccount(r.Context(), email, password, name)
	if err != nil {
		return err
	}
	if granted, err := s.grantAdmin(r.Context(), account, market.FullAdmin); err != nil || !granted {
		return cmp.Or(err, firstAdminGone())
	}
	if err := s.startSession(w, r, account); err != nil {
		return err
	}
	rest.JSON(w, http.StatusCreated, s.view(account))
	return nil
}

// grantAdmin makes the account an admin or a moderator and invalidates all links for the first admin, in one
// write. It returns false if the account has the role already.
func (s *Service) grantAdmin(ctx context.Context, account market.Account, role market.AdminRole) (granted bool, err error) {
	used := market.Record{Kind: firstAdminKind, ID: firstAdminUsed, Version: 1}
	return s.market.GrantAdmin(ctx, account, role, used)
}

// hadAdmin returns whether somebody was made an admin by a link or a command.
func (s *Service) hadAdmin(ctx context.Context) (bool, error) {
	_, err := s.store.Record(ctx, firstAdminKind, firstAdminUsed)
	if errors.Is(err, market.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// checkFirstAdmin returns CodeGone if the link has expired or is unknown, or if a link was
// used.
func (s *Service) checkFirstAdmin(ctx context.Context, token string) error {
	if used, err := s.hadAdmin(ctx); err != nil || used {
		return cmp.Or(err, firstAdminGone())
	}
	link, err := s.store.Record(ctx, firstAdminKind, secretHash(token))
	if errors.Is(err, market.ErrNotFound) || err == nil && !s.clock.Now().Before(link.Expires) {
		return firstAdminGone()
	}
	return err
}

// takeFirstAdmin reserves the place of the first admin for an address. It returns CodeGone
// if another address has it, or there is an account.
func (s *Service) takeFirstAdmin(ctx context.Context, email string) error {
	email = market.NormalEmail(email)
	taken, err := s.store.Meta(ctx, firstAdminMeta)
	if err != nil || taken == email {
		return err
	}
	empty, err := s.isEmpty(ctx)
	if err != nil {
		return err
	}
	if taken != "" || !empty {
		return firstAdminGone()
	}
	err = s.store.SetMeta(ctx, firstAdminMeta, email)
	if errors.Is(err, market.ErrExists) {
		return s.takeFirstAdmin(ctx, email)
	}
	return err
}

func firstAdminGone() error {
	return rest.NewError(market.CodeGone, "This link has been used or has expired. If there is no admin yet, restart the server to get another one, or use the command: secondring admin create. If you are the admin, log in")
}

// firstAdminAccount adds the account, or returns the one that was added before a crash. It
// returns CodeGone if that account has a second factor, which no link replaces.
func (s *Service) firstAdminAccount(ctx context.Context, email, password, name string) (market.Account, error) {
	account, err := s.create(ctx, password, market.Account{Email: email, DisplayName: name})
	if market.CodeOf(err) != market.CodeExists {
		return account, err
	}
	if account, err = s.accountFor(ctx, email); err != nil {
		return account, err
	}
	ok, err := s.checkPassword(ctx, account, email, password)
	if err == nil && !ok {
		err = emailTaken()
	}
	if err == nil && account.HasSecondFactor() {
		err = firstAdminGone()
	}
	return account, err
}
