package api

import (
	"crypto/rand"
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
