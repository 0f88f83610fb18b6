package identity

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"

	"secondring/api/rest"
	"secondring/market"
)

// Argon2id as OWASP's password storage cheat sheet advises (m=19 MiB, t=2, p=1).
const (
	argonMemory  = 19 * 1024 // KiB
	argonTime    = 2
	argonThreads = 1
	saltBytes    = 16
	keyBytes     = 32
)

// hashTimeout is how long a sign-in waits for a free hashing slot.
const hashTimeout = 8 * time.Second

// hasher hashes passwords, at most one per core at a time. More would not finish
// sooner, and many concurrent sign-ins would exhaust the memory.
type hasher struct {
	turns chan struct{}
	dummy string // a hash of no password
	// derive is argon2.IDKey; tests count its calls.
	derive func(password, salt []byte, time, memory uint32, threads uint8, keyLen uint32) []byte
}

func newHasher() *hasher {
	return &hasher{
		turns:  make(chan struct{}, runtime.GOMAXPROCS(0)),
		dummy:  encodeHash(random(saltBytes), random(keyBytes)),
		derive: argon2.IDKey,
	}
}

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) // never fails: crypto/rand.Read ends the program instead
	return b
}

// make hashes a new password into argon2's standard text form.
func (h *hasher) make(ctx context.Context, password string) (string, error) {
	if err := h.turn(ctx); err != nil {
		return "", err
	}
	defer h.done()
	salt := random(saltBytes)
	return encodeHash(salt, h.derive([]byte(password), salt, argonTime, argonMemory, argonThreads, keyBytes)), nil
}

// matches tells whether the hash is this password's. An empty hash matches
// none, and takes as long to say so.
func (h *hasher) matches(ctx context.Context, encoded, password string) (bool, error) {
	known := encoded != ""
	if !known {
		encoded = h.dummy
	}
	want, err := decodeHash(encoded)
	if err != nil {
		return false, err
	}
	if err := h.turn(ctx); err != nil {
		return false, err
	}
	defer h.done()
	got := h.derive([]byte(password), want.salt, want.time, want.memory, want.threads, uint32(len(want.key)))
	return subtle.ConstantTimeCompare(got, want.key) == 1 && known, nil
}

func (h *hasher) turn(ctx context.Context) error {
	patience := time.NewTimer(hashTimeout)
	defer patience.Stop()
	select {
	case h.turns <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-patience.C:
		return rest.NewError(market.CodeUnavailable, "Too many people are signing in. Please try again.")
	}
}

func (h *hasher) done() { <-h.turns }

// argonHash is a stored hash with the parameters it was made with, so that they
// can be raised later.
type argonHash struct {
	memory, time uint32
	threads      uint8
	salt, key    []byte
}

var b64 = base64.RawStdEncoding

func encodeHash(salt, key []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, argonMemory, argonTime, argonThreads, b64.EncodeToString(salt), b64.EncodeToString(key))
}

var errHash = errors.New("identity: a stored password hash cannot be read")

func decodeHash(encoded string) (argonHash, error) {
	var h argonHash
	parts := strings.Split(encoded, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return h, errHash
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.memory, &h.time, &h.threads); err != nil {
		return h, errHash
	}
	var saltErr, keyErr error
	h.salt, saltErr = b64.DecodeString(parts[4])
	h.key, keyErr = b64.DecodeString(parts[5])
	if saltErr != nil || keyErr != nil || h.time == 0 || h.threads == 0 || len(h.key) == 0 {
		return h, errHash
	}
	return h, nil
}
