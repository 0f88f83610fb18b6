package identity

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"secondring/api/rest"
	"secondring/market"
)

// sealer encrypts and authenticates the values of cookies and the secrets of second factors
// (AES-GCM). gorilla/securecookie is not used, because it reads the system's clock instead of
// market.Clock and needs a key for each lifetime.
type sealer struct {
	aeads []cipher.AEAD // the first encrypts, all decrypt
	clock market.Clock
}

type sealed struct {
	Until int64           `json:"until"` // Unix seconds
	Value json.RawMessage `json:"value"`
}

// newSealer derives a key for a use from each secret.
func newSealer(clock market.Clock, use string, secrets ...[]byte) (*sealer, error) {
	s := &sealer{clock: clock}
	for _, secret := range secrets {
		key, err := rest.DeriveKey(secret, use)
		if err != nil {
			return nil, err
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, fmt.Errorf("identity: sealing key: %w", err)
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			return nil, fmt.Errorf("identity: sealing key: %w", err)
		}
		s.aeads = append(s.aeads, aead)
	}
	return s, nil
}

// seal encrypts a value. open accepts it only for the same purpose, until lasts has
// passed.
func (s *sealer) seal(purpose string, value any, lasts time.Duration) (string, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	raw, err = json.Marshal(sealed{Until: s.clock.Now().Add(lasts).Unix(), Value: raw})
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(s.aeads[0].Seal(nil, nil, raw, []byte(purpose))), nil
}

// open decrypts a value into into. It returns false if the value was not sealed for
// this purpose or has expired.
func (s *sealer) open(purpose, text string, into any) bool {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return false
	}
	for _, aead := range s.aeads {
		opened, err := aead.Open(nil, nil, raw, []byte(purpose))
		if err != nil {
			continue
		}
		var box sealed
		if json.Unmarshal(opened, &box) != nil || s.clock.Now().Unix() >= box.Until {
			return false
		}
		return json.Unmarshal(box.Value, into) == nil
	}
	return false
}
