package datastore

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"secondring/cmd/secondring/settings"
)

const (
	secretFile  = "token-secret"
	secretBytes = 32
)

// TokenSecret returns TOKEN_SECRET if it is set, or else the secret in DATA_DIR. It creates
// the secret if there is none.
func TokenSecret(s settings.Settings) ([]byte, error) {
	if s.TokenSecret != nil {
		return s.TokenSecret, nil
	}
	path := filepath.Join(s.DataDir, secretFile)
	secret, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := writeSecret(path); err != nil {
			return nil, fmt.Errorf("make the token secret: %w", err)
		}
		secret, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read the token secret: %w", err)
	}
	text := strings.TrimSpace(string(secret))
	if len(text) < 2*secretBytes {
		return nil, fmt.Errorf("%s is damaged: delete it, then all users must sign in again", path)
	}
	return []byte(text), nil
}

// writeSecret writes a random secret into the file in one step. It does not overwrite the
// secret of another process.
func writeSecret(path string) error {
	random := make([]byte, secretBytes)
	rand.Read(random)
	file, err := os.CreateTemp(filepath.Dir(path), secretFile+"-*") // 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.WriteString(hex.EncodeToString(random) + "\n")
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Link(file.Name(), path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
