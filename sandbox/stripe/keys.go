package stripe

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
)

// Prefixes of keys. A key without "test" is refused: the sandbox never runs with live keys.
const (
	secretPrefix      = "sk_test_"
	publishablePrefix = "pk_test_"
	webhookPrefix     = "whsec_"
)

// Keys derives the sandbox's keys from a secret that all nodes have. The same
// secret always gives the same keys, and no key reveals anything about the secret.
func Keys(secret []byte) (secretKey, publishableKey, webhookSecret string) {
	return secretPrefix + "sandbox_" + deriveKey(secret, "secret key"),
		publishablePrefix + "sandbox_" + deriveKey(secret, "publishable key"),
		webhookPrefix + "sandbox_" + deriveKey(secret, "webhook secret")
}

// deriveKey returns 40 hex digits for one purpose.
func deriveKey(secret []byte, purpose string) string {
	return hex.EncodeToString(mac(secret, "payment sandbox: "+purpose))[:40]
}

func mac(secret []byte, text string) []byte {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// secureEqual compares two texts in a time that depends neither on the content nor on the length.
func secureEqual(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
