package market

import (
	"crypto/rand"
	"encoding/hex"
	"time"
)

// NewID returns an ID of 24 hex digits: 48 bits of milliseconds since 1970, then
// 48 random bits. Sorting ids sorts by the time they were made.
func NewID(at time.Time) string {
	var b [12]byte
	ms := uint64(at.UnixMilli())
	for i := range 6 {
		b[i] = byte(ms >> (8 * (5 - i)))
	}
	rand.Read(b[6:]) // never fails: crypto/rand.Read ends the program instead
	return hex.EncodeToString(b[:])
}

// IsID returns whether a text has the form of an ID.
func IsID(s string) bool {
	if len(s) != 24 {
		return false
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
