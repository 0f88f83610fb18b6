package rest

import (
	"fmt"
	"net/http"
	"strconv"

	"secondring/market"
)

// Limits of a page, in items.
const (
	DefaultLimit = 200
	MaxLimit     = 200
)

// PageParams are the query parameters of every list.
var PageParams = []Param{
	{Name: "limit", Description: "Maximum number of items, 1 to 200. Default: 200", Type: 0},
	{Name: "cursor", Description: "Start of the page, copied unchanged from the Link header of the previous page. Status 400 if it is invalid or from another list"},
}

// ReadPage reads limit and cursor. It returns 400 for a limit out of range or a cursor that
// is not of the list under this path.
func (c Cursors) ReadPage(k CursorKey, r *http.Request) (market.Page, error) {
	query := r.URL.Query()
	page := market.Page{Limit: DefaultLimit}
	if query.Has("limit") {
		n, err := strconv.Atoi(query.Get("limit"))
		if err != nil || n < 1 || n > MaxLimit {
			return page, NewError(market.CodeBadRequest, fmt.Sprintf("limit must be a number from 1 to %d", MaxLimit))
		}
		page.Limit = n
	}
	if cursor := query.Get("cursor"); query.Has("cursor") {
		after, ok := c.open(k, r.URL.Path, cursor)
		if !ok {
			return page, NewError(market.CodeBadRequest, "cursor is not valid for this list")
		}
		page.After = after
	}
	return page, nil
}
