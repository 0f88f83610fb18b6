package hub

import (
	"bytes"
	"encoding/binary"
	"testing"
	"unicode/utf8"
)

// FuzzClientFrame parses client frames. An accepted frame is UTF-8, has no topic twice
// and no more topics than bytes.
func FuzzClientFrame(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"subscribe":{"brand:1":"k3:17","me":""}}`, `{"unsubscribe":["brand:1"]}`, `{"token":"a.b.c"}`, `{"token":null}`, `null`, `[]`, "{\"subscribe\":{\"\xff\":\"\"}}",
		`{"subscribe":{"me":"","me":"1:2"},"SUBSCRIBE":{"x":""}}`, `{"subscribe":{"\ud800":""}}`, `{"token":{"$ne":null}}`, `{"later":1e999}`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		frame, err := parseClientFrame(data)
		if err != nil {
			return
		}
		if !utf8.Valid(data) || len(frame.Subscribe)+len(frame.Unsubscribe) > len(data) {
			t.Errorf("frame %q is accepted: %+v", data, frame)
		}
		for topic := range frame.Subscribe {
			if !utf8.ValidString(topic) {
				t.Errorf("frame %q has the invalid topic %q", data, topic)
			}
		}
	})
}

// FuzzPosition parses positions. A valid one is formatted as it was read, or shorter.
func FuzzPosition(f *testing.F) {
	for _, seed := range []string{"k3Jd92aB:17", "x:0", ":1", "x:", "x:18446744073709551615", "x:18446744073709551616", "x:+1", "x:01", "a:b:1", "x:1_0", "\xff:1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePosition(s)
		if err != nil {
			return
		}
		if again, err := ParsePosition(p.String()); err != nil || again != p || len(p.String()) > len(s) {
			t.Errorf("%q is parsed as %+v, which is formatted as %q", s, p, p.String())
		}
	})
}

// FuzzOrigin checks origins. An allowed one must be the origin of one of the URLs.
func FuzzOrigin(f *testing.F) {
	for _, seed := range []string{
		"http://localhost:8080", "HTTP://LOCALHOST:8080", "https://phones.example", "https://phones.example:443", "null", "", "http://localhost:8080@evil.example",
		"https://phones.example.evil.example", "https://phones.example/..", "https://phones.example#@evil.example", "//phones.example", "https:phones.example", "https://phones.example\x00",
	} {
		f.Add(seed)
	}
	allowed := Origins("http://localhost:8080", "https://Phones.example/path")
	f.Fuzz(func(t *testing.T, origin string) {
		if !allowed(origin) {
			return
		}
		o, _ := originOf(origin)
		if o != "http://localhost:8080" && o != "https://phones.example" {
			t.Errorf("%q is allowed as %q", origin, o)
		}
	})
}

// FuzzFragments compares the counting of fragments with a simple parser, for all splits
// of the bytes.
func FuzzFragments(f *testing.F) {
	f.Add([]byte{0x01, 0x80, 0, 0, 0, 0, 0x00, 0x81, 0, 0, 0, 0, 'x', 0x80, 0x00}, 1)
	f.Add([]byte{0x00, 0x80 | 126, 0, 1, 0, 0, 0, 0, 'x', 0x00, 127, 0, 0, 0, 0, 0, 0, 0, 1, 'x'}, 3)
	f.Add([]byte{0x00, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0}, 5)
	f.Fuzz(func(t *testing.T, raw []byte, piece int) {
		piece = 1 + (piece&0x7fff)%max(1, len(raw))
		got, counter := 0, fragmentCounter{}
		for i := 0; i < len(raw); i += piece {
			got += counter.count(raw[i:min(i+piece, len(raw))])
		}
		if want := countFragments(raw); got != want {
			t.Errorf("% x in pieces of %d has %d fragments, want %d", raw, piece, got, want)
		}
	})
}

// countFragments counts the continuation frames whose header is complete.
func countFragments(raw []byte) (n int) {
	in := bytes.NewReader(raw)
	for {
		var header [2]byte
		if binary.Read(in, binary.BigEndian, &header) != nil {
			return n
		}
		size := uint64(header[1] & 127)
		if size == 126 {
			var short uint16
			if binary.Read(in, binary.BigEndian, &short) != nil {
				return n
			}
			size = uint64(short)
		} else if size == 127 && binary.Read(in, binary.BigEndian, &size) != nil {
			return n
		}
		if mask := new([4]byte); header[1]&128 != 0 && binary.Read(in, binary.BigEndian, mask) != nil {
			return n
		}
		if header[0]&15 == 0 {
			n++
		}
		if size > uint64(in.Len()) {
			return n
		}
		_, _ = in.Seek(int64(size), 1)
	}
}
