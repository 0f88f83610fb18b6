package rest

import (
	"errors"
	"net/http"
)

var errRedirected = errors.New("the answer is a redirect, and none is followed")

// Straight is the client, or the usual one for nil, for asking a service of
// others: it takes the answer of whom it asks, and goes nowhere that one sends it.
// What it sends (keys, codes) is for that address alone, and so is what it believes.
// A redirect is an error and not an answer, since a library might take its body
// for what was asked for.
func Straight(client *http.Client) *http.Client {
	var straight http.Client
	if client != nil {
		straight = *client
	}
	straight.CheckRedirect = func(*http.Request, []*http.Request) error { return errRedirected }
	return &straight
}
