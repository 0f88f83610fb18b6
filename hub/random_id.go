package hub

import (
	"crypto/rand"
	"encoding/base64"
)

// RandomID returns 48 random bits in eight characters, for an epoch or a socket. It is short,
// because a reader sends up to 64 positions, each with an epoch, in a frame of 4 KB.
func RandomID() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails, see crypto/rand
	return base64.RawURLEncoding.EncodeToString(b[:])
}
