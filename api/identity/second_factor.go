package identity

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/pquerna/otp/totp"

	"secondring/api/rest"
	"secondring/market"
)

// The second factor is a code of an authenticator app (TOTP, RFC 6238), or one of ten
// recovery codes, each valid once. If an account has one, the password or a sign-in with
// Google only sets a sealed cookie; POST /identity/second-factor then starts the session.
//
// The app's secret is encrypted (Config.FactorKeys), recovery codes are hashed.

const (
	codeCookie    = "sr_code" // set between the first factor and the code
	codeLasts     = 10 * time.Minute
	secretLasts   = 100 * 365 * 24 * time.Hour // sealed values need an expiry; this one is practically never
	codeStep      = 30                         // seconds, as in the apps
	recoveryCodes = 10
	recoveryBytes = 10 // bytes of one code: 16 letters
)

// firstFactor is the cookie's content: the account that has passed the first factor.
type firstFactor struct {
	UID                string `json:"uid"`
	CredentialsVersion int64  `json:"credentialsVersion"` // of the account: a change invalidates the cookie
}

// CodeBody is the body of the routes that take a code.
type CodeBody struct {
	Code string `json:"code" doc:"Six digits of the authenticator app. To sign in, a recovery code is also accepted"`
}

// signedInBy completes the first factor of a sign-in. It starts a session, or, if the
// account has a second factor, sets the cookie for it and returns CodeSecondFactor.
func (s *Service) signedInBy(w http.ResponseWriter, r *http.Request, a market.Account) error {
	if !a.HasSecondFactor() {
		return s.startSession(w, r, a)
	}
	value, err := s.sealer.seal(codeCookie, firstFactor{UID: a.UID, CredentialsVersion: a.CredentialsVersion}, codeLasts)
	if err != nil {
		return err
	}
	s.setCookie(w, codeCookie, value, codeLasts)
	return rest.NewError(market.CodeSecondFactor, "Enter the code of your authenticator app")
}

// enterCode handles POST /identity/second-factor.
func (s *Service) enterCode(w http.ResponseWriter, r *http.Request) error {
	var first firstFactor
	if !s.sealer.open(codeCookie, s.cookie(r, codeCookie), &first) {
		return logInAgain()
	}
	code, err := readCode(w, r)
	if err != nil {
		return err
	}
	account, err := s.store.Account(r.Context(), first.UID)
	if errors.Is(err, market.ErrNotFound) || err == nil && (account.Removed || account.CredentialsVersion != first.CredentialsVersion) {
		return logInAgain()
	}
	if err != nil {
		return err
	}
	if err := s.useCode(r.Context(), account, code); err != nil {
		return err
	}
	if err := s.startSession(w, r, account); err != nil {
		return err
	}
	s.setCookie(w, codeCookie, "", 0)
	rest.JSON(w, http.StatusOK, s.view(account))
	return nil
}

// readCode reads a CodeBody.
func readCode(w http.ResponseWriter, r *http.Request) (string, error) {
	sent, wrong, err := rest.Decode[CodeBody](w, r)
	if err != nil {
		return "", err
	}
	c := checkOf(wrong)
	c.required("code", sent.Code, "The code is required")
	return sent.Code, c.Err()
}

func logInAgain() error { return rest.NewError(market.CodeNoToken, "Please log in again") }

func wrongCode() error { return market.Invalid("code", "This code is not right, or was used before") }

// useCode checks a code within the limits of attempts, and stores that it was used.
func (s *Service) useCode(ctx context.Context, a market.Account, code string) error {
	ok, err := s.limit.try(ctx, a.Email, func() (bool, error) {
		_, err := s.change(ctx, a.UID, func(a *market.Account) error {
			if !a.HasSecondFactor() {
				return logInAgain()
			}
			used, err := s.withCodeUsed(*a, code)
			if err != nil {
				return err
			}
			a.SecondFactor = &used
			return nil
		})
		if market.CodeOf(err) == market.CodeInvalid {
			return false, nil
		}
		return err == nil, err
	})
	if err == nil && !ok {
		err = wrongCode()
	}
	return err
}

// withCodeUsed returns the second factor after the use of a code. It returns wrongCode for a wrong
// one.
func (s *Service) withCodeUsed(a market.Account, code string) (market.SecondFactor, error) {
	f := *a.SecondFactor
	code = strings.ToUpper(code)
	if i := slices.Index(f.Recovery, secretHash(code)); i >= 0 {
		f.Recovery = slices.Delete(slices.Clone(f.Recovery), i, i+1)
		return f, nil
	}
	step, err := s.stepOf(a, code)
	if err == nil && step <= f.LastStep {
		err = wrongCode()
	}
	f.LastStep = step
	return f, err
}

// stepOf returns the time step of a code of the app: the current one, the one before or the
// next, because clocks differ. It returns wrongCode for another code, and CodeUnavailable if no key
// decrypts the app's secret.
func (s *Service) stepOf(a market.Account, code string) (int64, error) {
	var secret string
	if !s.factors.open(secretPurpose(a.UID), a.SecondFactor.Secret, &secret) {
		s.log.Error("second factor cannot be decrypted: add the earlier key to SECOND_FACTOR_KEY", "uid", a.UID)
		return 0, rest.NewError(market.CodeUnavailable, "The codes of your app cannot be checked at the moment. Please use a recovery code, or write to us")
	}
	now := s.clock.Now()
	for _, offset := range []int64{0, -1, 1} {
		at := now.Add(time.Duration(offset*codeStep) * time.Second)
		if right, err := totp.GenerateCode(secret, at); err == nil && equalSecrets(right, code) {
			return at.Unix() / codeStep, nil
		}
	}
	return 0, wrongCode()
}

func secretPurpose(uid string) string { return "second factor " + uid }

// newRecoveryCodes returns ten codes, and the hashes to store.
func newRecoveryCodes() (codes, hashes []string) {
	for range recoveryCodes {
		b := make([]byte, recoveryBytes)
		rand.Read(b) // never fails: crypto/rand.Read ends the program instead
		text := base32.StdEncoding.EncodeToString(b)
		codes = append(codes, strings.Join([]string{text[:4], text[4:8], text[8:12], text[12:]}, "-"))
		hashes = append(hashes, secretHash(text))
	}
	return codes, hashes
}

// hasCode returns whether a code is the app's, when a person switches the second factor on
// and it is not confirmed yet.
func (s *Service) hasCode(a market.Account, code string) (int64, error) {
	return s.stepOf(a, code)
}
