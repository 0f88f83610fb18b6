package identity

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
)

// tokenBytes is the length of a random secret, such as the value of a session's cookie.
const tokenBytes = 32

// randomText returns tokenBytes random bytes, in base64.
func randomText() string {
	b := make([]byte, tokenBytes)
	rand.Read(b) // never fails: crypto/rand.Read ends the program instead
	return base64.RawURLEncoding.EncodeToString(b)
}

// secretHash returns the SHA-256 hash of a secret, in hexadecimal.
func secretHash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// equalSecrets compares in constant time. It returns false for empty strings.
func equalSecrets(a, b string) bool {
	return a != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}
