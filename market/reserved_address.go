package market

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"
)

// An email address that an account has left is reserved for that account while a link back to it
// may be used. Otherwise a person who takes an account over could sign up with its old address,
// and the link of its owner would not work.

// reservedAddressKind is the kind of the Records of reserved addresses. The ID is a hash of the
// address, the content the UID of the account, and Expires the end of the reservation.
const reservedAddressKind = "reserved-address"

func reservedAddressID(email string) string {
	sum := sha256.Sum256([]byte(NormalEmail(email)))
	return hex.EncodeToString(sum[:])
}

// ReserveAddress reserves an address for an account until a time, or longer if it is reserved for
// longer. Call it before the write with which the account leaves the address.
func ReserveAddress(ctx context.Context, store DocumentStore, email, uid string, until time.Time) error {
	for {
		r, err := store.Record(ctx, reservedAddressKind, reservedAddressID(email))
		switch {
		case errors.Is(err, ErrNotFound):
			err = store.AddRecord(ctx, Record{
				Kind: reservedAddressKind, ID: reservedAddressID(email), Data: []byte(uid), Expires: until, Version: 1,
			}, nil)
		case err == nil:
			if string(r.Data) == uid && !until.After(r.Expires) {
				return nil
			}
			r.Data, r.Expires = []byte(uid), until
			r.Version++
			err = store.SaveRecord(ctx, r)
		}
		if !IsTaken(err) {
			return err
		}
	}
}

// AddressReservedFor returns the UID of the account for which an address is reserved now; "" if it
// is not reserved. Call it after a check that no account has the address.
func AddressReservedFor(ctx context.Context, store DocumentStore, email string, now time.Time) (uid string, err error) {
	r, err := store.Record(ctx, reservedAddressKind, reservedAddressID(email))
	if errors.Is(err, ErrNotFound) || err == nil && !now.Before(r.Expires) {
		return "", nil
	}
	return string(r.Data), err
}
