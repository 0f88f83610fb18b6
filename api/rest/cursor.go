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

// signatureSize is the length of a cursor's HMAC-SHA-256 in bytes. 128 bits cannot be
// guessed, and the URL of a page stays short.
const signatureSize = 16

// CursorKey signs cursors, so that a list accepts only its own; any other cursor gets 400. It
// is safe for concurrent use.
type CursorKey struct{ key []byte }

// NewCursorKey derives the key from TOKEN_SECRET, so that a cursor is valid on all nodes.
// Without a secret it is valid in this process only.
func NewCursorKey(secret []byte) (CursorKey, error) {
	if len(secret) == 0 {
		secret = make([]byte, sha256.Size)
		rand.Read(secret)
	}
	key, err := DeriveKey(secret, "list cursor")
	return CursorKey{key}, err
}

// sign returns the signature of a cursor's text in the list of a path.
func (k CursorKey) sign(path, text string) []byte {
	mac := hmac.New(sha256.New, k.key)
	// The length separates the path from the text.
	fmt.Fprintf(mac, "%d:%s%s", len(path), path, text)
	return mac.Sum(nil)[:signatureSize]
}

// Cursors makes and reads the cursors of one kind of list. A cursor contains Page.After and
// the mark of its kind; its signature includes the path. So a cursor of another list is not
// valid.
type Cursors struct {
	Mark  string
	Valid func(after string) bool // returns whether the list can have made this position
}

// ByID is the Cursors of lists that are newest first.
var ByID = Cursors{Mark: "1:", Valid: market.IsID}

func (c Cursors) open(k CursorKey, path, cursor string) (after string, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) < signatureSize {
		return "", false
	}
	text := string(raw[signatureSize:])
	if !hmac.Equal(raw[:signatureSize], k.sign(path, text)) {
		return "", false
	}
	after, marked := strings.CutPrefix(text, c.Mark)
	return after, marked && c.Valid(after)
}

// Next returns the Link header of the page after last.
func (c Cursors) Next(k CursorKey, r *http.Request, page market.Page, last string) string {
	text := c.Mark + last
	query := r.URL.Query()
	query.Set("limit", strconv.Itoa(page.Limit))
	query.Set("cursor", base64.RawURLEncoding.EncodeToString(append(k.sign(r.URL.Path, text), text...)))
	return fmt.Sprintf("<%s?%s>; rel=\"next\"", r.URL.EscapedPath(), query.Encode())
}
