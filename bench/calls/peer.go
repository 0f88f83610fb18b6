package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"

	"secondring/bench/process"
)

// kinds are the measured kinds of calls, in this order: the list of a brand's 50 phones,
// the list of the 160 advertised phones, the list of a seller's 100 phones, the query of a
// role, the first list again with its ETag, a new phone, and a mix of 70 % R1, 25 % R4 and
// 5 % W1.
var kinds = []string{"R1", "R2", "R3", "R4", "304", firstWrite, "W3"}

// firstWrite is the first kind that writes.
const firstWrite = "W1"

const (
	brands     = 12
	sellers    = 100
	phones     = 10_000
	advertised = 160
)

// peer is a running server and its calls.
type peer struct {
	process *process.Process
	calls   map[string]*call
	// book makes the request with which a buyer books a phone. A status below 300 means that
	// the buyer got it.
	book func(phone, buyer int) []byte
}

// request returns the bytes of an HTTP request.
func request(method, path, token string, body []byte, headers ...string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: localhost\r\n", method, path)
	if token != "" {
		fmt.Fprintf(&b, "Authorization: Bearer %s\r\n", token)
	}
	for _, h := range headers {
		b.WriteString(h + "\r\n")
	}
	if body != nil {
		b.WriteString("Content-Type: application/json\r\n")
	}
	if method != http.MethodGet {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}

// read returns a call that gets one of the paths at random. It prepares the requests.
func read(token string, status int, paths []string, headers ...string) *call {
	var requests [][]byte
	for _, p := range paths {
		requests = append(requests, request(http.MethodGet, p, token, nil, headers...))
	}
	return &call{status: status, newRequest: func(rng *rand.Rand) []byte { return requests[rng.IntN(len(requests))] }}
}

// mixed returns a call that makes 14 of 20 requests as R1, 5 as R4 and one as W1.
func mixed(calls map[string]*call) *call {
	return &call{status: http.StatusOK, newRequest: func(rng *rand.Rand) []byte {
		switch n := rng.IntN(20); {
		case n < 14:
			return calls["R1"].newRequest(rng)
		case n < 19:
			return calls["R4"].newRequest(rng)
		default:
			return calls["W1"].newRequest(rng)
		}
	}}
}

// paths returns the path for every number below n.
func paths(n int, format string) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf(format, i))
	}
	return all
}

func openRawHTTP(binary string, d *dataset) (peer, error) {
	p, err := process.Start([]string{binary})
	if err != nil {
		return peer{}, err
	}
	calls := map[string]*call{}
	for kind, bodies := range d.bodies {
		kindPaths := paths(len(bodies), "/"+kind+"/%d")
		for i, body := range bodies {
			r, err := http.NewRequest(http.MethodPut, "http://"+p.Addr+kindPaths[i], bytes.NewReader(body))
			if err != nil {
				return peer{}, err
			}
			if _, err := fetch(r); err != nil {
				return peer{}, err
			}
		}
		calls[kind] = read("", 200, kindPaths)
	}
	return peer{process: p, calls: calls}, nil
}

// newPhone returns the body of a new phone for the peers.
func newPhone(rng *rand.Rand) []byte {
	return fmt.Appendf(nil, `{"brand":%d,"name":"Phone %d","originalPrice":700,"resalePrice":%d,"description":%q,`+
		`"img":"/images/demo/phone-1.webp","usedTime":"2 years","condition":"Good","location":"Dhaka","phone":"01712345678",`+
		`"email":"seller0@example.com","sellerName":"Seller 0","postedOn":"2026-01-02"}`,
		rng.IntN(brands), rng.Uint32(), 100+rng.IntN(500), description)
}

const sentence = "A phone in good order, with its box, a charger, and a case that has seen better days. "

var description = strings.Repeat(sentence, 3)

func openNode(script, data string, durable bool) (peer, error) {
	synchronous := "NORMAL"
	if durable {
		synchronous = "FULL"
	}
	p, err := process.Start([]string{"node", script}, "FILE="+data+".db", "SYNC="+synchronous, "NODE_ENV=production")
	if err != nil {
		return peer{}, err
	}
	token, err := tokenOf(p)
	if err != nil {
		return peer{}, errors.Join(err, p.Stop())
	}
	calls := map[string]*call{
		"R1": read(token, 200, paths(brands, "/brand/%d")), "R2": read("", 200, []string{"/advertised"}),
		"R3": read(token, 200, paths(sellers, "/seller/seller%d@example.com")),
		"R4": read(token, 200, paths(sellers, "/role/seller%d@example.com")),
		"W1": {status: http.StatusOK, newRequest: func(rng *rand.Rand) []byte {
			return request(http.MethodPost, "/phones", token, newPhone(rng))
		}},
	}
	calls["W3"] = mixed(calls)
	return peer{process: p, calls: calls, book: func(phone, _ int) []byte {
		return request(http.MethodPut, "/book/"+strconv.Itoa(phone+1000), token, nil)
	}}, nil
}

func openPocketBase(binary, data string) (peer, error) {
	p, err := process.Start([]string{binary}, "FILE="+data)
	if err != nil {
		return peer{}, err
	}
	token, err := tokenOf(p)
	if err != nil {
		return peer{}, errors.Join(err, p.Stop())
	}
	const list = "/api/collections/phones/records"
	ids, err := availablePhoneIDs(p, list, token)
	if err != nil {
		return peer{}, errors.Join(err, p.Stop())
	}
	calls := map[string]*call{
		"R1": read(token, 200, paths(brands, list+"?perPage=50&sort=-@rowid&skipTotal=1&filter=(brand=%d)")),
		"R2": read("", 200, []string{list + "?perPage=200&sort=-@rowid&skipTotal=1&filter=(advertised=true%26%26booked=false)"}),
		"R3": read(token, 200, paths(sellers, list+"?perPage=100&sort=-@rowid&skipTotal=1&filter=(email='seller%d@example.com')")),
		"R4": read(token, 200, paths(sellers, "/api/collections/users/records?perPage=1&skipTotal=1&fields=role&filter=(email='seller%d@example.com')")),
		"W1": {status: http.StatusOK, newRequest: func(rng *rand.Rand) []byte { return request(http.MethodPost, list, token, newPhone(rng)) }},
	}
	calls["W3"] = mixed(calls)
	return peer{process: p, calls: calls, book: func(phone, _ int) []byte {
		return request(http.MethodPatch, list+"/"+ids[phone], token, []byte(`{"booked":true}`))
	}}, nil
}

func availablePhoneIDs(p *process.Process, list, token string) ([]string, error) {
	r, err := http.NewRequest(http.MethodGet, "http://"+p.Addr+list+"?perPage=100&fields=id&filter=(booked=false)", nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", token)
	body, err := fetch(r)
	if err != nil {
		return nil, err
	}
	var page struct{ Items []struct{ ID string } }
	if err := json.Unmarshal(body, &page); err != nil {
		return nil, err
	}
	var ids []string
	for _, item := range page.Items {
		ids = append(ids, item.ID)
	}
	return ids, nil
}

func tokenOf(p *process.Process) (string, error) {
	r, err := http.NewRequest(http.MethodGet, "http://"+p.Addr+"/token", nil)
	if err != nil {
		return "", err
	}
	body, err := fetch(r)
	if err != nil {
		return "", err
	}
	var response struct{ Token string }
	return response.Token, json.Unmarshal(body, &response)
}

// fetch makes a call that prepares the measurement, and returns the body. A status of 300
// or above is an error.
func fetch(r *http.Request) ([]byte, error) {
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %.300s", r.Method, r.URL.Path, response.Status, body)
	}
	return body, err
}

func copyFolder(from, to string) error { return os.CopyFS(to, os.DirFS(from)) }
