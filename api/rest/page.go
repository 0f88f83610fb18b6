package rest

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"

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

const cursorMark = "1:" // the cursor's form, so that it can change

// ReadPage reads limit and cursor. Its error: 400 for a limit out of range or a
// cursor that no list has given out.
func ReadPage(r *http.Request) (market.Page, error) {
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
		after, ok := openCursor(cursor)
		if !ok {
			return page, Refuse(market.CodeBadRequest, "cursor is not one that a list has given out")
		}
		page.After = after
	}
	return page, nil
}

func openCursor(cursor string) (after string, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) < len(cursorMark) || string(raw[:len(cursorMark)]) != cursorMark {
		return "", false
	}
	after = string(raw[len(cursorMark):])
	return after, market.IsID(after)
}

// PageHeaders tells the size of the list and, when there is more, the next page.
func PageHeaders(w http.ResponseWriter, r *http.Request, page market.Page, total int, more bool, last string) {
	w.Header().Set("X-Total-Count", strconv.Itoa(total))
	if !more {
		return
	}
	query := r.URL.Query()
	query.Set("limit", strconv.Itoa(page.Limit))
	query.Set("cursor", base64.RawURLEncoding.EncodeToString([]byte(cursorMark+last)))
	w.Header().Set("Link", fmt.Sprintf("<%s?%s>; rel=\"next\"", r.URL.EscapedPath(), query.Encode()))
}
