package move

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math/bits"
	"reflect"
	"time"

	"secondring/market"
)

// digest is a checksum of the fields of one item, as the market reads them. It does not
// depend on how an engine stores them: an empty slice and a nil slice have the same digest.
type digest [sha256.Size]byte

func digestOf(item market.Item) (d digest, err error) {
	h := sha256.New()
	err = writeValue(h, reflect.ValueOf(item))
	h.Sum(d[:0])
	return d, err
}

// writeValue writes an unambiguous encoding of a value. Strings and slices are preceded by
// their length, so that different fields never have the same encoding together.
func writeValue(h hash.Hash, v reflect.Value) error {
	switch v.Kind() {
	case reflect.String:
		writeInt(h, int64(v.Len()))
		h.Write([]byte(v.String()))
	case reflect.Int, reflect.Int64:
		writeInt(h, v.Int())
	case reflect.Bool:
		if v.Bool() {
			writeInt(h, 1)
		} else {
			writeInt(h, 0)
		}
	case reflect.Slice:
		writeInt(h, int64(v.Len()))
		if v.Type().Elem().Kind() == reflect.Uint8 {
			h.Write(v.Bytes())
			return nil
		}
		for i := range v.Len() {
			if err := writeValue(h, v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Pointer:
		if v.IsNil() {
			writeInt(h, 0)
			return nil
		}
		writeInt(h, 1)
		return writeValue(h, v.Elem())
	case reflect.Struct:
		if t, ok := reflect.TypeAssert[time.Time](v); ok {
			writeInt(h, t.Unix())
			writeInt(h, int64(t.Nanosecond()))
			return nil
		}
		for _, field := range v.Fields() {
			if err := writeValue(h, field); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("no checksum is known of a %s", v.Type())
	}
	return nil
}

func writeInt(h hash.Hash, n int64) {
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(n)))
}

// Sum is the number of items and the sum of their digests. It does not depend on the order
// of the items.
type Sum struct {
	Count int
	total digest
}

// add adds the digest of one item, modulo 2^256.
func (s *Sum) add(d digest) {
	s.Count++
	var carry uint64
	for i := len(d) - 8; i >= 0; i -= 8 {
		var word uint64
		word, carry = bits.Add64(binary.BigEndian.Uint64(s.total[i:]), binary.BigEndian.Uint64(d[i:]), carry)
		binary.BigEndian.PutUint64(s.total[i:], word)
	}
}

// String returns the first 8 bytes of the checksum in hex, for people to compare.
func (s Sum) String() string { return hex.EncodeToString(s.total[:8]) }
