package server

import (
	"crypto/rand"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
)

const requestIDHeader = "X-Request-Id"

// requestIDs makes ids that no other request has, on this node or another: ten
// random letters of this process, and a count.
type requestIDs struct {
	process string
	count   atomic.Uint64
}

func newRequestIDs() *requestIDs { return &requestIDs{process: strings.ToLower(rand.Text()[:10])} }

const (
	base     = 36
	fewest   = 6        // digits of a count
	firstOne = 60466176 // base to the power of fewest-1: all have the same length for long
)

func (i *requestIDs) next() string {
	buffer := make([]byte, 0, 24)
	buffer = append(buffer, i.process...)
	return string(strconv.AppendUint(buffer, firstOne+i.count.Add(1), base))
}

// longestID is the longest of a proxy's that is taken: a UUID twice over.
const longestID = 72

// idOf is a call's id: the one that a trusted proxy has given it, so that its
// log and ours can be laid side by side, or a new one. What others send is
// anybody's words, and would let them take another call's id.
func (s *server) idOf(r *http.Request) string {
	if sent := r.Header[requestIDHeader]; len(sent) == 1 && isRequestID(sent[0]) && s.trusts(peerOf(r.RemoteAddr)) {
		return sent[0]
	}
	return s.ids.next()
}

// isRequestID takes letters, digits, and what UUIDs and the usual proxies put
// between them: nothing that a log's reader could take for more than an id.
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
