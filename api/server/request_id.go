package server

import (
	"crypto/rand"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
)

const requestIDHeader = "X-Request-Id"

// requestIDs makes IDs that are unique on all nodes: ten random letters of this process,
// and a counter. chi's middleware.RequestID is not used, because it puts the machine's host
// name into each ID and accepts the ID of any caller.
type requestIDs struct {
	process string
	count   atomic.Uint64
}

func newRequestIDs() *requestIDs { return &requestIDs{process: strings.ToLower(rand.Text()[:10])} }

const (
	base       = 36
	minDigits  = 6        // digits of the counter
	firstCount = 60466176 // base to the power of minDigits-1, so that IDs have the same length
)

func (i *requestIDs) next() string {
	buffer := make([]byte, 0, 24)
	buffer = append(buffer, i.process...)
	return string(strconv.AppendUint(buffer, firstCount+i.count.Add(1), base))
}

// longestID is the maximum length of an ID from a proxy: two UUIDs.
const longestID = 72

// idOf returns a request's ID: the one that a trusted proxy set, so that both logs have the
// same, or a new one. The IDs of other callers are ignored, because they could repeat the
// ID of another request.
func (s *server) idOf(r *http.Request) string {
	if sent := r.Header[requestIDHeader]; len(sent) == 1 && isRequestID(sent[0]) && s.trusts(peerOf(r.RemoteAddr)) {
		return sent[0]
	}
	return s.ids.next()
}

// isRequestID returns whether an ID has only letters, digits, and the separators of UUIDs
// and common proxies.
func isRequestID(id string) bool {
	if len(id) < 8 || len(id) > longestID {
		return false
	}
	for _, c := range []byte(id) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.', c == ':':
		default:
			return false
		}
	}
	return true
}
