package rest

import (
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
)

// KeyFor derives a key of 32 bytes from TOKEN_SECRET, one of its own for each
// purpose, so that what is made for one can never pass as the other.
func KeyFor(secret []byte, purpose string) ([]byte, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, "secondring "+purpose, sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("derive the key for %s: %w", purpose, err)
	}
	return key, nil
}
