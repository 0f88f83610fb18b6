package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"secondring/api/rest"
	"secondring/market"
)

// newSearch is the body of POST /searches.
type newSearch struct {
	Name  string      `json:"name" maxLength:"120"`
	Query searchQuery `json:"query" doc:"Query parameters of GET /products/search without limit and cursor, such as q=pixel&maxPrice=300. An object of these parameters is also accepted. At least one of them must restrict the result"`
}

// searchQuery is a query string. In JSON it may also be an object of its parameters, each a text, a
// number, true, false or a list of those.
type searchQuery string

// UnmarshalJSON implements json.Unmarshaler.
func (q *searchQuery) UnmarshalJSON(raw []byte) error {
	var params map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&params) != nil {
		return json.Unmarshal(raw, (*string)(q))
	}
	values := url.Values{}
	for name, value := range params {
		several, isList := value.([]any)
		if !isList {
			several = []any{value}
		}
		for _, one := range several {
			if one != nil {
				values.Add(name, fmt.Sprint(one))
			}
		}
	}
	*q = searchQuery(values.Encode())
	return nil
}

func (h handlers) watching() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPut, Path: "/watches/{productID}", ID: "watch", Tag: "watching",
			Summary: "Watch a phone. A repeated call changes nothing. You can watch at most 200 phones", Access: rest.Bearer,
			Response: Inserted{}, Handle: h.watch,
			ErrorStatuses: []int{http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodDelete, Path: "/watches/{productID}", ID: "unwatch", Tag: "watching",
			Summary: "Stop watching a phone", Access: rest.Bearer,
			Response: Deleted{}, ErrorStatuses: []int{http.StatusNotFound}, Handle: h.unwatch,
		},
		{
			Method: http.MethodGet, Path: "/watches", ID: "listWatches", Tag: "watching",
			Summary: "List the phones that you watch, the last watched one first. It includes sold phones, but no deleted ones",
			Access:  rest.Bearer, IsList: true, Response: []market.ProductView{}, Handle: h.listWatches,
		},
		{
			Method: http.MethodGet, Path: "/watching", ID: "getWatching", Tag: "watching",
			Summary: "Get the _ids of the phones that you watch. The event watch.changed of the topic me has the same data", Access: rest.Bearer,
			Response: market.WatchingView{}, Handle: h.getWatching,
		},
		{
			Method: http.MethodPost, Path: "/searches", ID: "saveSearch", Tag: "watching",
			Summary: "Save a search. If you have already saved one that finds the same phones, its _id is returned. You can save at most 20 searches", Access: rest.Bearer,
			Body: newSearch{}, Response: Inserted{}, Handle: h.saveSearch,
			ErrorStatuses: []int{http.StatusConflict},
		},
		{
			Method: http.MethodGet, Path: "/searches", ID: "listSearches", Tag: "watching",
			Summary: "List your saved searches", Access: rest.Bearer, IsList: true,
			Response: []market.SavedSearchView{}, Handle: h.listSearches,
		},
		{
			Method: http.MethodDelete, Path: "/searches/{id}", ID: "deleteSearch", Tag: "watching",
			Summary: "Delete one of your saved searches", Access: rest.Bearer,
			Response: Deleted{}, ErrorStatuses: []int{http.StatusNotFound}, Handle: h.deleteSearch,
		},
	}
}

func (h handlers) watch(w http.ResponseWriter, r *http.Request) error {
	id := rest.PathValue(r, "productID")
	if err := h.market.Watch(r.Context(), actor(r), id); err != nil {
		return err
	}
	rest.JSON(w, http.StatusOK, Inserted{Acknowledged: true, InsertedID: id})
	return nil
}

func (h handlers) unwatch(w http.ResponseWriter, r *http.Request) error {
	n, err := h.market.Unwatch(r.Context(), actor(r), rest.PathValue(r, "productID"))
	return deleted(w, n, err)
}

func (h handlers) listWatches(w http.ResponseWriter, r *http.Request) error {
	who := actor(r)
	return listing[market.WatchedProduct]{
		topic: topicMe(who.User.UID),
		read: func(ctx context.Context, page market.Page) (market.List[market.WatchedProduct], error) {
			return h.market.Watches(ctx, who, page)
		},
		encode: viewed(func(p market.WatchedProduct) market.ProductView { return h.market.ViewForBuyers(p.Product) }), id: func(p market.WatchedProduct) string { return p.WatchID },
	}.serve(h, w, r)
}

func (h handlers) getWatching(w http.ResponseWriter, r *http.Request) error {
	who := actor(r)
	return readLive(h, w, r, topicMe(who.User.UID), func(ctx context.Context) (market.WatchingView, error) {
		watching, err := h.market.Watching(ctx, who)
		return watching.View(), err
	})
}

func (h handlers) saveSearch(w http.ResponseWriter, r *http.Request) error {
	in, wrong, err := rest.Decode[newSearch](w, r)
	if err != nil {
		return err
	}
	params, err := url.ParseQuery(strings.TrimPrefix(string(in.Query), "?"))
	if err != nil {
		wrong.Add("query", "must be a query string")
	}
	parsed := parseMarketSearch(params)
	search, err := h.market.SaveSearch(r.Context(), actor(r), market.SavedSearchRequest{
		Name: in.Name, Query: parsed.Query, Wrong: wrong, WrongQuery: parsed.Wrong,
	})
	if err != nil {
		return err
	}
	rest.JSON(w, http.StatusOK, Inserted{Acknowledged: true, InsertedID: search.ID})
	return nil
}

func (h handlers) listSearches(w http.ResponseWriter, r *http.Request) error {
	who := actor(r)
	return listing[market.SavedSearch]{
		topic: topicMe(who.User.UID),
		read: func(ctx context.Context, page market.Page) (market.List[market.SavedSearch], error) {
			return h.market.Searches(ctx, who, page)
		},
		encode: viewed(market.SavedSearch.View), id: func(s market.SavedSearch) string { return s.ID },
	}.serve(h, w, r)
}

func (h handlers) deleteSearch(w http.ResponseWriter, r *http.Request) error {
	err := h.market.DeleteSearch(r.Context(), actor(r), rest.PathValue(r, "id"))
	return deleted(w, 1, err)
}
