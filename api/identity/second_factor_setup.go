package identity

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image/png"
	"net/http"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"secondring/api/rest"
	"secondring/market"
)

// qrSize is the width and height of the QR code, in pixels.
const qrSize = 240

// SecondFactorView is a new second factor that is not confirmed yet.
type SecondFactorView struct {
	Secret string `json:"secret" doc:"The secret, to type into the authenticator app. It is shown only once"`
	URL    string `json:"url" doc:"The secret as an otpauth:// URL, to open in an app on the same device"`
	QR     string `json:"qr" doc:"The secret as a QR code: a data URL of a PNG image of 240 x 240 pixels"`
}

// RecoveryCodes are the recovery codes. They are shown once.
type RecoveryCodes struct {
	RecoveryCodes []string `json:"recoveryCodes" doc:"Ten codes. Each can be used once instead of a code of the app. They are shown only once"`
}

// SecondFactorBody is the body of the routes that start and end a second factor.
type SecondFactorBody struct {
	Password string `json:"password,omitempty" doc:"Your current password. Required if the account has one; if it has none, you must have signed in within the last 10 minutes (otherwise status 403)"`
}

func (s *Service) secondFactorRoutes() []rest.Route {
	tries := []int{http.StatusForbidden, http.StatusConflict, http.StatusTooManyRequests}
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/identity/second-factor", ID: "enterCode", Access: rest.Anyone,
			Summary: "Finish a sign-in that requires a second factor, in the same browser within 10 minutes. The response sets the session cookie",
			Body:    CodeBody{}, Response: SignedInUser{},
			ErrorStatuses: []int{http.StatusUnauthorized, http.StatusTooManyRequests}, Handle: s.enterCode,
		},
		{
			Method: http.MethodPost, Path: "/identity/second-factor/start", ID: "startSecondFactor", Access: rest.Cookie,
			Summary: "Create the secret of a second factor. POST /identity/second-factor/confirm turns it on",
			Body:    SecondFactorBody{}, Response: SecondFactorView{}, ErrorStatuses: tries, Handle: signedIn(s.startSecondFactor),
		},
		{
			Method: http.MethodPost, Path: "/identity/second-factor/confirm", ID: "confirmSecondFactor", Access: rest.Cookie,
			Summary: "Turn the second factor on, with a code of the authenticator app. All your other sessions end",
			Body:    CodeBody{}, Response: RecoveryCodes{}, ErrorStatuses: tries, Handle: signedIn(s.confirmSecondFactor),
		},
		{
			Method: http.MethodPost, Path: "/identity/second-factor/stop", ID: "stopSecondFactor", Access: rest.Cookie,
			Summary: "Turn the second factor off. All your other sessions end",
			Body:    SecondFactorBody{}, Status: http.StatusNoContent, ErrorStatuses: tries, Handle: signedIn(s.stopSecondFactor),
		},
	}
}

func (s *Service) startSecondFactor(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	sent, wrong, err := rest.Decode[SecondFactorBody](w, r)
	if err != nil {
		return err
	}
	if err := s.mustBeOwner(r, in, "password", sent.Password, checkOf(wrong)); err != nil {
		return err
	}
	key, err := totp.Generate(totp.GenerateOpts{Issuer: s.product, AccountName: in.Account.Email})
	if err != nil {
		return fmt.Errorf("identity: make a second factor: %w", err)
	}
	secret, err := s.factors.seal(secretPurpose(in.Account.UID), key.Secret(), secretLasts)
	if err != nil {
		return err
	}
	_, err = s.change(r.Context(), in.Account.UID, func(a *market.Account) error {
		if a.HasSecondFactor() {
			return rest.NewError(market.CodeConflict, "Two-step login is on already. Switch it off first")
		}
		a.SecondFactor = &market.SecondFactor{Secret: secret}
		return nil
	})
	if err != nil {
		return err
	}
	picture, err := qrCode(key)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	rest.JSON(w, http.StatusOK, SecondFactorView{Secret: key.Secret(), URL: key.URL(), QR: picture})
	return nil
}

// qrCode returns the key as a QR code, as a data URL.
func qrCode(key *otp.Key) (string, error) {
	picture, err := key.Image(qrSize, qrSize)
	if err != nil {
		return "", fmt.Errorf("identity: make the QR code: %w", err)
	}
	var out bytes.Buffer
	err = png.Encode(&out, picture)
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(out.Bytes()), err
}

func (s *Service) confirmSecondFactor(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	code, err := readCode(w, r)
	if err != nil {
		return err
	}
	if in.Account.SecondFactor == nil {
		return startFactorAgain()
	}
	facts := browserFacts(r)
	facts[factFactor] = secretHash(in.Account.SecondFactor.Secret)
	codes, hashes := newRecoveryCodes()
	_, err = s.changeCredentials(r.Context(), in.Account, in.Session.ID, market.ReasonSecondFactor, func(a *market.Account) error {
		if a.SecondFactor == nil || a.SecondFactor.Confirmed || a.SecondFactor.Secret != in.Account.SecondFactor.Secret {
			return startFactorAgain()
		}
		step, err := s.hasCode(*a, code)
		if err != nil {
			return err
		}
		a.SecondFactor = &market.SecondFactor{
			Secret: a.SecondFactor.Secret, Confirmed: true, LastStep: step, Recovery: hashes, Address: factorAddress(*a),
		}
		return nil
	}, s.securityChanged(r.Context(), in.Account, templateSecondFactorOn, facts)...)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	rest.JSON(w, http.StatusOK, RecoveryCodes{RecoveryCodes: codes})
	return nil
}

func startFactorAgain() error {
	return rest.NewError(market.CodeConflict, "Start again with a new code to scan")
}

// factorAddress returns the Address of a second factor that is set up now.
func factorAddress(a market.Account) string {
	if a.Unconfirmed {
		return ""
	}
	return secretHash(market.NormalEmail(a.Email))
}

func (s *Service) stopSecondFactor(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	sent, wrong, err := rest.Decode[SecondFactorBody](w, r)
	if err != nil {
		return err
	}
	if err := s.mustBeOwner(r, in, "password", sent.Password, checkOf(wrong)); err != nil {
		return err
	}
	if err := s.dropSecondFactor(r, in); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// dropSecondFactor switches the second factor off. If an admin needs one, their access ends with
// it.
func (s *Service) dropSecondFactor(r *http.Request, in rest.SignedIn) error {
	if !in.Account.HasSecondFactor() { // at most one that was never confirmed
		_, err := s.change(r.Context(), in.Account.UID, func(a *market.Account) error {
			if !a.HasSecondFactor() {
				a.SecondFactor = nil
			}
			return nil
		})
		return err
	}
	_, err := s.changeCredentials(r.Context(), in.Account, in.Session.ID, market.ReasonSecondFactorOff, func(a *market.Account) error {
		a.SecondFactor = nil
		dropLink(a, toFactorOff)
		return nil
	}, s.securityChanged(r.Context(), in.Account, templateSecondFactorOff, browserFacts(r))...)
	return err
}

// useFactorOffLink switches off a second factor that the owner of the address did not switch on,
// and gives the account back to them.
func (s *Service) useFactorOffLink(ctx context.Context, account market.Account, token string) error {
	_, err := s.giveBack(ctx, account, account.Email, market.ReasonSecondFactorOff, s.withLink(token, toFactorOff, func(a *market.Account, _ market.AccountLink) error {
		a.SecondFactor = nil
		return nil
	}))
	return err
}
