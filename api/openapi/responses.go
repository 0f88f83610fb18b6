package openapi

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"secondring/api/rest"
)

func responses(schemas huma.Registry, route rest.Route) map[string]*huma.Response {
	success := &huma.Response{Description: "Success", Headers: map[string]*huma.Param{}}
	if route.MediaType != "" {
		success.Content = map[string]*huma.MediaType{route.MediaType: {Schema: &huma.Schema{Type: huma.TypeString}}}
	} else if route.Response != nil {
		success.Content = map[string]*huma.MediaType{jsonMedia: {Schema: schemaOf(schemas, route.Response)}}
	}
	if route.IsList {
		for name, about := range listHeaders {
			success.Headers[name] = &huma.Param{Description: about, Schema: &huma.Schema{Type: huma.TypeString}}
		}
	}
	for name, about := range route.Headers {
		success.Headers[name] = &huma.Param{Description: about, Schema: &huma.Schema{Type: huma.TypeString}}
	}
	if route.IsSearch != nil {
		for name, about := range searchHeaders {
			success.Headers[name] = &huma.Param{Description: about, Schema: &huma.Schema{Type: huma.TypeString}}
		}
	}
	all := map[string]*huma.Response{strconv.Itoa(route.Success()): success}
	for _, status := range errorStatuses(route) {
		all[strconv.Itoa(status)] = &huma.Response{Ref: "#/components/responses/" + responseName(status)}
	}
	return all
}

var listHeaders = map[string]string{
	"X-Total-Count": "Number of items on all pages. In a filtered list, 10000 means 10000 or more",
	"Link":          "URL of the next page, with rel=next. Absent on the last page",
	"Live-Position": "topic=position: the topic with live updates of the list, and the position from which to subscribe at GET /live. Absent if there is no such topic for the caller",
}

var searchHeaders = map[string]string{
	"X-Searched": "The query that was made, as parameters: q=iphone+13&storage=128. Prices, storages and colours in the words are filters, and words that no phone " +
		"has may have been changed. Absent if the query was made as it was sent. Further pages use it too",
	"X-Left-Out": "The words that were let go, separated by spaces, because no phone has all words. Absent if there are none. Non-ASCII characters are " +
		"percent-encoded UTF-8",
}

// errorStatuses returns the error statuses of a call: its own, and those implied by its
// credentials, its body and its list.
func errorStatuses(route rest.Route) []int {
	all := append([]int{http.StatusInternalServerError, http.StatusServiceUnavailable}, route.ErrorStatuses...)
	if route.Access != rest.Anyone { // a page of another site may not use the cookie
		all = append(all, http.StatusUnauthorized, http.StatusForbidden)
	}
	if !route.Unlimited && !route.NoRateLimit {
		all = append(all, http.StatusTooManyRequests)
	}
	if route.IsList {
		all = append(all, http.StatusBadRequest)
	}
	if route.Body != nil || route.Form != nil {
		all = append(all, http.StatusBadRequest, http.StatusRequestEntityTooLarge,
			http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity)
	}
	return all
}

// errorResponses describes each error status once, for references of the calls.
func errorResponses(schemas huma.Registry, routes []rest.Route) map[string]*huma.Response {
	all := map[string]*huma.Response{}
	for _, route := range routes {
		for _, status := range errorStatuses(route) {
			response := &huma.Response{
				Description: http.StatusText(status),
				Content:     map[string]*huma.MediaType{jsonMedia: {Schema: schemaOf(schemas, rest.ErrorBody{})}},
			}
			if seconds := retryAfter(status); seconds != nil {
				response.Headers = map[string]*huma.Param{"Retry-After": seconds}
			}
			all[responseName(status)] = response
		}
	}
	return all
}

func retryAfter(status int) *huma.Param {
	if status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
		return nil
	}
	return &huma.Param{Description: "Seconds to wait before the next attempt", Schema: &huma.Schema{Type: huma.TypeInteger}}
}

func responseName(status int) string { return strings.ReplaceAll(http.StatusText(status), " ", "") }
