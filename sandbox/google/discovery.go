package google

import (
	"encoding/json"
	"net/http"

	"github.com/go-jose/go-jose/v4"
)

// keyID is the ID of the only signing key.
const keyID = "sandbox"

// discovery sends the configuration of the issuer (OpenID Connect Discovery 1.0, section 3).
func (i *Issuer) discovery(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{
		"issuer":                                i.config.Issuer,
		"authorization_endpoint":                i.config.Issuer + "/authorize",
		"token_endpoint":                        i.config.Issuer + "/token",
		"jwks_uri":                              i.config.Issuer + "/keys",
		"response_types_supported":              []string{"code"},
		"subject_types_supported":               []string{"public"},
		"id_token_signing_alg_values_supported": []string{string(jose.RS256)},
		"scopes_supported":                      []string{"openid", "email", "profile"},
		"token_endpoint_auth_methods_supported": []string{"client_secret_basic", "client_secret_post"},
		"code_challenge_methods_supported":      []string{challengeMethod},
		"claims_supported":                      []string{"sub", "email", "email_verified", "name", "picture"},
	})
}

// keys sends the public key as a JSON Web Key Set.
func (i *Issuer) keys(w http.ResponseWriter, _ *http.Request) {
	key, err := i.key()
	if err != nil {
		http.Error(w, "no signing key", http.StatusInternalServerError)
		return
	}
	writeJSON(w, http.StatusOK, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{
		{Key: &key.PublicKey, KeyID: keyID, Algorithm: string(jose.RS256), Use: "sig"},
	}})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil { // impossible for the types of the responses
		http.Error(w, "internal", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails only if the caller has disconnected
}
