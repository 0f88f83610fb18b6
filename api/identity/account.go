package identity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"unicode/utf8"

	"secondring/api/emails"
	"secondring/api/rest"
	"secondring/market"
)

// SignUpBody is the body of POST /identity/sign-up.
type SignUpBody struct {
	Email       string `json:"email"`
	Password    string `json:"password" doc:"At least 6 characters"`
	DisplayName string `json:"displayName,omitempty" doc:"Your name. It can also be set later with PATCH /identity/me"`
	Key         string `json:"key,omitempty" maxLength:"64" doc:"Any text that you make with the form. For a day, the same address, password and key sign in to the account that the first call has created"`
}

// SignInBody is the body of POST /identity/sign-in.
type SignInBody struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

func wrongPassword() error { return rest.NewError(market.CodeNoToken, "Wrong email or password") }

func emailTaken() error { return rest.NewError(market.CodeExists, "Email is already in use") }

func accountRemoved() error {
	return rest.NewError(market.CodeForbidden, "This account was deleted, and its email cannot sign up again")
}

func (s *Service) signUp(w http.ResponseWriter, r *http.Request) error {
	sent, wrong, err := rest.Decode[SignUpBody](w, r)
	if err != nil {
		return err
	}
	email, password, name := sent.Email, sent.Password, sent.DisplayName
	c := checkOf(wrong)
	c.email(email)
	c.newPassword("password", password)
	if name != "" { // it may be given later
		c.name("displayName", name)
	}
	if utf8.RuneCountInString(sent.Key) > market.MaxKey {
		c.Add("key", fmt.Sprintf("is longer than %d characters", market.MaxKey))
	}
	if err := c.Err(); err != nil {
		return err
	}
	if err := s.limit.maySignUp(r.Context()); err != nil {
		return err
	}
	if s.emails != nil {
		if err := s.limit.mayEmail(r.Context()); err != nil {
			return err
		}
	}
	account, err := s.create(r.Context(), password, market.Account{
		Email: email, DisplayName: name, Unconfirmed: true, SignUpKey: hashOfKey(sent.Key),
	})
	if market.CodeOf(err) == market.CodeExists {
		if created, isRepeated, err := s.repeatedSignUp(r.Context(), sent); isRepeated || err != nil {
			if err != nil {
				return err
			}
			return s.answerSignIn(w, r, created)
		}
		again := emails.Email{Template: templateSignUpAgain, To: email, Lane: s.limit.lane(r.Context(), templateSignUpAgain)}
		if err := s.emails.Request(r.Context(), again, signUpAgainLimit); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if err := s.startSession(w, r, account); err != nil {
		return err
	}
	rest.JSON(w, http.StatusCreated, s.view(account))
	return nil
}

// hashOfKey returns the hash of a sign-up's key, "" for none.
func hashOfKey(key string) string {
	if key == "" {
		return ""
	}
	return secretHash(key)
}

// repeatedSignUp returns the account that an earlier call with the same address, key and password
// has created, within a day. Its answer was lost.
func (s *Service) repeatedSignUp(ctx context.Context, in SignUpBody) (account market.Account, isRepeated bool, err error) {
	if in.Key == "" {
		return account, false, nil
	}
	account, err = s.store.AccountByEmail(ctx, in.Email)
	if errors.Is(err, market.ErrNotFound) { // the address is only reserved
		return account, false, nil
	}
	if err != nil || account.SignUpKey != hashOfKey(in.Key) || s.clock.Now().After(account.CreatedAt.Add(market.KeyKeptFor)) {
		return account, false, err
	}
	isRepeated, err = s.checkPassword(ctx, account, in.Email, in.Password)
	return account, isRepeated, err
}

// create adds an account with a password, and sends its owner a welcome email if the
// address is not confirmed yet. It returns CodeExists if the address has an account, and
// CodeForbidden if its account was removed.
func (s *Service) create(ctx context.Context, password string, a market.Account) (market.Account, error) {
	if err := s.checkAvailable(ctx, a.Email, ""); err != nil {
		return market.Account{}, err
	}
	hash, err := s.hash.make(ctx, password)
	if err != nil {
		return market.Account{}, err
	}
	now := s.clock.Now()
	a.UID, a.PasswordHash, a.Version, a.CreatedAt = market.NewID(now), hash, 1, now
	var effects []market.Effect
	if a.Unconfirmed {
		effects = s.welcome(ctx, a)
	}
	err = s.store.AddAccount(ctx, a, effects)
	if errors.Is(err, market.ErrExists) {
		return market.Account{}, emailTaken()
	}
	return a, err
}

// checkAvailable returns CodeExists if an address belongs to, or is reserved for, another account
// than that of uid ("" for a new one). It returns CodeForbidden for the address of a removed account.
func (s *Service) checkAvailable(ctx context.Context, email, uid string) error {
	old, err := s.store.AccountByEmail(ctx, email)
	switch {
	case err == nil && old.Removed:
		return accountRemoved()
	case err == nil && old.UID == uid:
		return nil
	case err == nil:
		return emailTaken()
	case !errors.Is(err, market.ErrNotFound):
		return err
	}
	return s.checkNotReserved(ctx, email, uid)
}

// checkNotReserved returns emailTaken if the address is reserved for another account than uid,
// which can return to it, and CodeForbidden if it is that of somebody who has left and may not return yet.
func (s *Service) checkNotReserved(ctx context.Context, email, uid string) error {
	if err := s.market.MaySignUp(ctx, email); err != nil {
		return err
	}
	holder, err := market.AddressReservedFor(ctx, s.store, email, s.clock.Now())
	if err != nil || holder == "" || holder == uid {
		return err
	}
	a, err := s.store.Account(ctx, holder)
	if errors.Is(err, market.ErrNotFound) || err == nil && a.Removed { // it cannot return to the address
		return nil
	}
	return cmp.Or(err, emailTaken())
}

func (s *Service) signIn(w http.ResponseWriter, r *http.Request) error {
	sent, wrong, err := rest.Decode[SignInBody](w, r)
	if err != nil {
		return err
	}
	email, password := sent.Email, sent.Password
	c := checkOf(wrong)
	c.required("email", email, "Email Address is required")
	c.required("password", password, "Password is required")
	if err := c.Err(); err != nil {
		return err
	}
	account, err := s.store.AccountByEmail(r.Context(), email)
	if err != nil && !errors.Is(err, market.ErrNotFound) {
		return err
	}
	ok, err := s.passwordMatches(r.Context(), account, email, password)
	if err != nil {
		return err
	}
	if ok && account.Removed {
		err = s.accountClosed(r.Context(), account)
	}
	if err != nil {
		return err
	}
	if !ok {
		return wrongPassword()
	}
	return s.answerSignIn(w, r, account)
}

// accountClosed returns the error of the owner of an account that a decision has closed: with the decision, and
// the token with which they can appeal. It returns wrongPassword for an account that was removed for good.
func (s *Service) accountClosed(ctx context.Context, a market.Account) error {
	c, isClosed, err := s.market.ClosedBy(ctx, a.UID)
	if err != nil {
		return err
	}
	if !isClosed {
		return wrongPassword()
	}
	decision := market.Absolute(s.market, c.DecisionView())
	return &market.Error{
		Code: market.CodeClosed, Message: "We have closed this account. You can read why, and ask us to look again",
		Closed: &market.ClosedAccount{Decision: decision, Token: s.market.AppealToken(c)},
	}
}

// answerSignIn signs the owner of an account in, and answers.
func (s *Service) answerSignIn(w http.ResponseWriter, r *http.Request, account market.Account) error {
	if err := s.signedInBy(w, r, account); err != nil {
		return err
	}
	rest.JSON(w, http.StatusOK, s.view(account))
	return nil
}

// checkPassword checks a password within the limits of attempts. a is the zero Account for
// an unknown address: the check takes as long.
func (s *Service) checkPassword(ctx context.Context, a market.Account, email, password string) (bool, error) {
	ok, err := s.passwordMatches(ctx, a, email, password)
	return ok && !a.Removed, err
}

// passwordMatches is checkPassword also for a removed account.
func (s *Service) passwordMatches(ctx context.Context, a market.Account, email, password string) (bool, error) {
	return s.limit.try(ctx, email, func() (bool, error) { return s.hash.matches(ctx, a.PasswordHash, password) })
}

func (s *Service) signOut(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	if err := s.end(r.Context(), in.Session, market.ReasonSignedOut); err != nil {
		return err
	}
	s.setCookie(w, sessionCookie, "", 0)
	w.WriteHeader(http.StatusNoContent)
	return nil
}
