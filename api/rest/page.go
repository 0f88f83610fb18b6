package rest

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"secondring/market"
)

// Limits of a page (contract section 4).
const (
	DefaultLimit = 100
	MaxLimit     = 200
)

// PageParams are the query parameters of every list.
var PageParams = []Param{
	{Name: "limit", About: "How many at most, 1 to 200; 100 when left out", Type: 0},
	{Name: "cursor", About: "From the Link header of the page before"},
}

// Cursors is what one kind of list gives out to be continued by. A cursor says
// Page.After and, by a mark, of which kind it is: what another list has given
// out is worth nothing here.
type Cursors struct {
	Mark  string
	Valid func(after string) bool // whether the list can have given out such a place
}

// ByID are the cursors of lists that are newest first.
var ByID = Cursors{Mark: "1:", Valid: market.IsID}

// ReadPage reads limit and cursor. Its error: 400 for a limit out of range or a
// cursor that no such list has given out.
func (c Cursors) ReadPage(r *http.Request) (market.Page, error) {
	query := r.URL.Query()
	page := market.Page{Limit: DefaultLimit}
	if query.Has("limit") {
		n, err := strconv.Atoi(query.Get("limit"))
		if err != nil || n < 1 || n > MaxLimit {
			return page, Refuse(market.CodeBadRequest, fmt.Sprintf("limit is a number from 1 to %d", MaxLimit))
		}
		page.Limit = n
	}
	if cursor := query.Get("cursor"); query.Has("cursor") {
		after, ok := c.open(cursor)
		if !ok {
			return page, Refuse(market.CodeBadRequest, "cursor is not one that this list has given out")
		}
		page.After = after
	}
	return page, nil
}

func (c Cursors) open(cursor string) (after string, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil {
		return "", false
	}
	after, marked := strings.CutPrefix(string(raw), c.Mark)
	return after, marked && c.Valid(after)
}

// Next is the Link header that leads to the page after last.
func (c Cursors) Next(r *http.Request, page market.Page, last string) string {
	query := r.URL.Query()
	query.Set("limit", strconv.Itoa(page.Limit))
	query.Set("cursor", base64.RawURLEncoding.EncodeToString([]byte(c.Mark+last)))
	return fmt.Sprintf("<%s?%s>; rel=\"next\"", r.URL.EscapedPath(), query.Encode())
}
