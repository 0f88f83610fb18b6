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

// digest is that of one item's content, field by field: of what the market
// reads, not of how an engine keeps it. What is empty is the same as nothing.
type digest [sha256.Size]byte

func digestOf(item market.Item) (d digest, err error) {
	h := sha256.New()
	err = feed(h, reflect.ValueOf(item))
	h.Sum(d[:0])
	return d, err
}

// feed writes a value in a form that no other value has. Each is preceded by its
// length, so that nothing can slip from one field into the next.
func feed(h hash.Hash, v reflect.Value) error {
	switch v.Kind() {
	case reflect.String:
		number(h, int64(v.Len()))
		h.Write([]byte(v.String()))
	case reflect.Int, reflect.Int64:
		number(h, v.Int())
	case reflect.Bool:
		if v.Bool() {
			number(h, 1)
		} else {
			number(h, 0)
		}
	case reflect.Slice:
		number(h, int64(v.Len()))
		if v.Type().Elem().Kind() == reflect.Uint8 {
			h.Write(v.Bytes())
			return nil
		}
		for i := range v.Len() {
			if err := feed(h, v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Pointer:
		if v.IsNil() {
			number(h, 0)
			return nil
		}
		number(h, 1)
		return feed(h, v.Elem())
	case reflect.Struct:
		if at, ok := reflect.TypeAssert[time.Time](v); ok {
			number(h, at.Unix())
			number(h, int64(at.Nanosecond()))
			return nil
		}
		for _, field := range v.Fields() {
			if err := feed(h, field); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("no checksum is known of a %s", v.Type())
	}
	return nil
}

func number(h hash.Hash, n int64) {
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(n)))
}

// Sum is the count of some items and the sum of their digests, which does not depend on
// their order.
type Sum struct {
	Count int
	total digest
}

// add adds one item's digest, modulo two to the 256th.
func (s *Sum) add(d digest) {
	s.Count++
	var carry uint64
	for at := len(d) - 8; at >= 0; at -= 8 {
		var word uint64
		word, carry = bits.Add64(binary.BigEndian.Uint64(s.total[at:]), binary.BigEndian.Uint64(d[at:]), carry)
		binary.BigEndian.PutUint64(s.total[at:], word)
	}
}

// String is the beginning of the checksum, for people to compare.
func (s Sum) String() string { return hex.EncodeToString(s.total[:8]) }
