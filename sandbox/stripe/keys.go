package stripe

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// Keys derives the sandbox's keys from a secret that all nodes have. The same
// secret always gives the same keys, and no key reveals anything about the secret.
func Keys(secret []byte) (secretKey, publishableKey, webhookSecret string) {
	return "sk_test_sandbox_" + deriveKey(secret, "secret key"),
		"pk_test_sandbox_" + deriveKey(secret, "publishable key"),
		"whsec_sandbox_" + deriveKey(secret, "webhook secret")
}

// deriveKey returns 40 hex digits for one purpose.
func deriveKey(secret []byte, purpose string) string {
	return mac(secret, "payment sandbox: "+purpose)[:40]
}

// mac returns the HMAC of a text in hex digits.
func mac(secret []byte, text string) string {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// secureEqual compares two texts in a time that does not depend on their content.
func secureEqual(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }
