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
	secretFile    = "token-secret"
	factorKeyFile = "second-factor-key"
	secretBytes   = 32
)

// TokenSecret returns TOKEN_SECRET if it is set, or else the secret in DATA_DIR. It creates
// the secret if there is none.
func TokenSecret(s settings.Settings) ([]byte, error) {
	if s.TokenSecret != nil {
		return s.TokenSecret, nil
	}
	return storedSecret(s, secretFile, "delete it, then all users must sign in again")
}

// SecondFactorKeys returns SECOND_FACTOR_KEY if it is set, or else the key in DATA_DIR, which it
// creates if there is none. A store of many nodes has no DATA_DIR: its key is TOKEN_SECRET.
func SecondFactorKeys(s settings.Settings) ([][]byte, error) {
	if s.SecondFactorKeys != nil {
		return s.SecondFactorKeys, nil
	}
	if s.MongoURI != "" {
		return [][]byte{s.TokenSecret}, nil
	}
	key, err := storedSecret(s, factorKeyFile, "restore it; without it nobody with two-step login can log in with their app")
	return [][]byte{key}, err
}

// storedSecret returns the secret in a file of DATA_DIR, and creates it if there is none. advice says
// what to do if the file is damaged.
func storedSecret(s settings.Settings, file, advice string) ([]byte, error) {
	path := filepath.Join(s.DataDir, file)
	secret, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := writeSecret(path); err != nil {
			return nil, fmt.Errorf("make %s: %w", path, err)
		}
		secret, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read a secret: %w", err)
	}
	text := strings.TrimSpace(string(secret))
	if len(text) < 2*secretBytes {
		return nil, fmt.Errorf("%s is damaged: %s", path, advice)
	}
	return []byte(text), nil
}

// writeSecret writes a random secret into the file in one step. It does not overwrite the
// secret of another process.
func writeSecret(path string) error {
	random := make([]byte, secretBytes)
	rand.Read(random)
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*") // 0600
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
