package rest

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"secondring/market"
)

// sealSize is how much of an HMAC-SHA-256 a cursor carries, in bytes: nobody
// guesses 128 bits, and the address of a page stays short.
const sealSize = 16

// Seal signs cursors, so that a list takes only those that it has given out
// (contract section 4: a forged one is 400). It is safe for concurrent use.
type Seal struct{ key []byte }

// NewSeal makes the seal of all who know the secret (TOKEN_SECRET): what one node
// has given out is good on each. Without a secret it is good in this process alone.
func NewSeal(secret []byte) (Seal, error) {
	if len(secret) == 0 {
		secret = make([]byte, sha256.Size)
		rand.Read(secret)
	}
	key, err := KeyFor(secret, "list cursor")
	return Seal{key}, err
}

// of is what stands before a text that the list under this path gives out.
func (s Seal) of(path, text string) []byte {
	mac := hmac.New(sha256.New, s.key)
	// The length keeps apart what ends in the path and what begins in the text.
	fmt.Fprintf(mac, "%d:%s%s", len(path), path, text)
	return mac.Sum(nil)[:sealSize]
}

// Cursors is what one kind of list gives out to be continued by. A cursor says
// Page.After and, by a mark, of which kind it is; its seal says under which path
// it was given out. What another list has given out is worth nothing here.
type Cursors struct {
	Mark  string
	Valid func(after string) bool // whether the list can have given out such a place
}

// ByID are the cursors of lists that are newest first.
var ByID = Cursors{Mark: "1:", Valid: market.IsID}

func (c Cursors) open(s Seal, path, cursor string) (after string, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) < sealSize {
		return "", false
	}
	text := string(raw[sealSize:])
	if !hmac.Equal(raw[:sealSize], s.of(path, text)) {
		return "", false
	}
	after, marked := strings.CutPrefix(text, c.Mark)
	return after, marked && c.Valid(after)
}

// Next is the Link header that leads to the page after last.
func (c Cursors) Next(s Seal, r *http.Request, page market.Page, last string) string {
	text := c.Mark + last
	query := r.URL.Query()
	query.Set("limit", strconv.Itoa(page.Limit))
	query.Set("cursor", base64.RawURLEncoding.EncodeToString(append(s.of(r.URL.Path, text), text...)))
	return fmt.Sprintf("<%s?%s>; rel=\"next\"", r.URL.EscapedPath(), query.Encode())
}
