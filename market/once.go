package market

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"
)

// What a person creates with a form is created once, also if the answer is lost and the form is
// sent again, to any node, after a kill. The client makes a key with the form. The first call
// stores the ID of what it will create under the key, creates it with that ID, and stores that it is
// done. A later call of a key that is not done creates it with the same ID, which the store refuses
// if it exists. One of a key that is done creates nothing, also if what was created is removed.

// onceKind is the kind of the records of keys.
const onceKind = "once"

// The longest key, in characters, and how long a key is remembered.
const (
	MaxKey     = 64
	KeyKeptFor = 24 * time.Hour
)

// once is one creation.
type once struct {
	ID     string `json:"id"`   // of what is created
	IsDone bool   `json:"done"` // it was created by an earlier call

	market *Market
	record Record // of the key; its ID is "" without a key
}

// once returns the creation of a person by a call with a key. An empty key is never the same.
func (m *Market) once(ctx context.Context, uid, call, key string) (once, error) {
	now := m.clock.Now()
	o := once{market: m, ID: NewID(now)}
	if key == "" {
		return o, nil
	}
	sum := sha256.Sum256([]byte(uid + "\x00" + call + "\x00" + key))
	o.record = Record{Kind: onceKind, ID: hex.EncodeToString(sum[:]), Data: encode(o), Expires: now.Add(KeyKeptFor), Version: 1}
	err := m.store.AddRecord(ctx, o.record, nil)
	if !errors.Is(err, ErrExists) {
		return o, err
	}
	known, err := m.store.Record(ctx, onceKind, o.record.ID)
	if err != nil {
		return o, err
	}
	if known.Expires.After(now) {
		o.record = known
		return o, json.Unmarshal(known.Data, &o)
	}
	o.record.Version = known.Version + 1 // the key is too old, and the purge has not deleted it yet
	return o, m.store.SaveRecord(ctx, o.record)
}

// done stores that the creation is done. After a failure a later call finds what it has created.
func (o once) done(ctx context.Context) {
	if o.record.ID == "" || o.IsDone {
		return
	}
	o.IsDone = true
	o.record.Data = encode(o)
	o.record.Version++
	_ = o.market.store.SaveRecord(context.WithoutCancel(ctx), o.record)
}
