package identity

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"time"

	"github.com/alexedwards/argon2id"

	"secondring/api/rest"
	"secondring/market"
)

// argonParams are those that OWASP's password storage cheat sheet advises (m=19 MiB,
// t=2, p=1). A stored hash contains its own, so these can be raised later.
var argonParams = argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// dummyHash has argonParams and matches no password. It is checked if there is no hash, so
// that a missing account takes as long as a wrong password.
const dummyHash = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// hashTimeout is how long a sign-in waits for a free hashing slot.
const hashTimeout = 8 * time.Second

// hasher hashes passwords, at most one per core at a time. More would not be faster, and
// many concurrent sign-ins would exhaust the memory.
type hasher struct {
	slots  chan struct{}
	params argon2id.Params
	dummy  string
	// compare is argon2id.ComparePasswordAndHash; tests count its calls.
	compare func(password, hash string) (bool, error)
}

func newHasher() *hasher {
	return &hasher{
		slots:   make(chan struct{}, runtime.GOMAXPROCS(0)),
		params:  argonParams,
		dummy:   dummyHash,
		compare: argon2id.ComparePasswordAndHash,
	}
}

// make hashes a new password and returns argon2's standard text form.
func (h *hasher) make(ctx context.Context, password string) (string, error) {
	if err := h.turn(ctx); err != nil {
		return "", err
	}
	defer h.done()
	return argon2id.CreateHash(password, &h.params)
}

// matches returns whether the hash is that of this password. It returns false for an empty
// hash, in the same time.
func (h *hasher) matches(ctx context.Context, encoded, password string) (bool, error) {
	known := encoded != ""
	if !known {
		encoded = h.dummy
	}
	if err := checkHash(encoded); err != nil {
		return false, err
	}
	if err := h.turn(ctx); err != nil {
		return false, err
	}
	defer h.done()
	matches, err := h.compare(password, encoded)
	return matches && known, err
}

var errHash = errors.New("identity: a stored password hash cannot be read")

// checkHash returns an error for a hash that the library cannot read, would panic on (t=0,
// p=0), or would match with any password (an empty key).
func checkHash(encoded string) error {
	params, _, _, err := argon2id.DecodeHash(encoded)
	if err != nil {
		return fmt.Errorf("%w: %w", errHash, err)
	}
	if params.Iterations == 0 || params.Parallelism == 0 || params.KeyLength == 0 {
		return errHash
	}
	return nil
}

func (h *hasher) turn(ctx context.Context) error {
	patience := time.NewTimer(hashTimeout)
	defer patience.Stop()
	select {
	case h.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-patience.C:
		return rest.NewError(market.CodeUnavailable, "The server is busy. Please try again in a moment.")
	}
}

func (h *hasher) done() { <-h.slots }

// PasswordBody is the body of POST /identity/password.
type PasswordBody struct {
	Current string `json:"current" doc:"Your current password. Empty if the account has none, because it signs in with Google; then you must have signed in within the last 10 minutes (otherwise status 403)"`
	New     string `json:"new" doc:"At least 6 characters"`
}

func (s *Service) changePassword(w http.ResponseWriter, r *http.Request, in rest.SignedIn) error {
	sent, wrong, err := rest.Decode[PasswordBody](w, r)
	if err != nil {
		return err
	}
	c := checkOf(wrong)
	c.newPassword("new", sent.New)
	if err := s.mustBeOwner(r, in, "current", sent.Current, c); err != nil {
		return err
	}
	if err := s.setPassword(r.Context(), in.Account, sent.New, in.Session.ID, s.passwordChanged(r.Context(), in.Account, browserFacts(r))...); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// setPassword replaces the password and ends every session but one. It returns CodeConflict if the
// credentials have changed since the account was read.
func (s *Service) setPassword(ctx context.Context, read market.Account, password, kept string, effects ...market.Effect) error {
	hash, err := s.hash.make(ctx, password)
	if err != nil {
		return err
	}
	_, err = s.changeCredentials(ctx, read, kept, market.ReasonPasswordChanged, func(a *market.Account) error {
		a.PasswordHash = hash
		return nil
	}, effects...)
	return err
}
