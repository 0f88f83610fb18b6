package market

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"
)

// What a person creates with a form is created once, also if the answer is lost and the form is
// sent again, to any node, after a kill. The client makes a key with the form. The first call
// stores the ID of what it will create under the key, and then creates it with that ID; a later
// call creates it with the same ID, which the store refuses if it exists.

// onceKind is the kind of the records of keys. onceFor is how long a key is remembered.
const (
	onceKind = "once"
	onceFor  = 24 * time.Hour
)

// MaxKey is the longest key, in characters.
const MaxKey = 64

// onceID returns the ID of what a person creates by a call: a new one, or that of an earlier call
// with the same key, which may have been killed before it created it. An empty key is never the
// same.
func (m *Market) onceID(ctx context.Context, uid, call, key string) (string, error) {
	now := m.clock.Now()
	id := NewID(now)
	if key == "" {
		return id, nil
	}
	sum := sha256.Sum256([]byte(uid + "\x00" + call + "\x00" + key))
	r := Record{Kind: onceKind, ID: hex.EncodeToString(sum[:]), Data: []byte(id), Expires: now.Add(onceFor), Version: 1}
	err := m.store.AddRecord(ctx, r, nil)
	if !errors.Is(err, ErrExists) {
		return id, err
	}
	known, err := m.store.Record(ctx, r.Kind, r.ID)
	if err != nil {
		return "", err
	}
	if known.Expires.After(now) {
		return string(known.Data), nil
	}
	r.Version = known.Version + 1 // the key is too old, and the purge has not deleted it yet
	return id, m.store.SaveRecord(ctx, r)
}
