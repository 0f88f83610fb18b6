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
	"sync"

	"secondring/bench/process"
)

// dataset is a market of SecondRing, filled through its API.
type dataset struct {
	folder string
	binary string

	brands  []brand
	sellers []person
	buyers  []person
	phones  []string            // IDs of the phones that the buyers book at the same time
	bodies  map[string][][]byte // SecondRing's response bodies for each kind of read, which the peer rawhttp sends
}

type brand struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
}

type person struct{ name, email, token string }

const password = "a long enough password"

func (d *dataset) start(binary, data string) (*process.Process, error) {
	return process.Start([]string{binary}, "DATA_DIR="+data, "RATE_LIMIT=off", "ADVERTISE=all", "MAX_HOLDS=1000")
}

// build fills a new market: 10,000 phones of 100 sellers, 160 of them advertised,
// and 200 buyers.
func (d *dataset) build() (err error) {
	if err := os.MkdirAll(d.folder, 0o700); err != nil {
		return err
	}
	p, err := d.start(d.binary, d.folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()
	c := &caller{base: "http://" + p.Addr}
	if err := c.call(http.MethodGet, "/allCategories", "", nil, &d.brands); err != nil {
		return err
	}
	d.brands = d.brands[:min(brands, len(d.brands))]
	d.sellers = make([]person, sellers)
	d.buyers = make([]person, racers)
	if err := parallel(sellers, func(i int) error { return c.signUp(&d.sellers[i], "Seller", i) }); err != nil {
		return err
	}
	if err := parallel(racers, func(i int) error { return c.signUp(&d.buyers[i], "User", i) }); err != nil {
		return err
	}
	ids := make([]string, phones)
	if err := parallel(phones, func(i int) error { return d.addPhone(c, i, &ids[i]) }); err != nil {
		return err
	}
	for i, id := range ids[:advertised] {
		if err := c.call(http.MethodPut, "/products/advertise/"+id, d.sellers[i%sellers].token, nil, nil); err != nil {
			return err
		}
	}
	d.phones = ids[advertised : advertised+races]
	return d.storeBodies(c)
}

// storeBodies stores SecondRing's response bodies, which the peer rawhttp sends. It stores all of
// them, because it costs more to send a hundred different lists than one list, which would stay in
// the processor's cache.
func (d *dataset) storeBodies(c *caller) error {
	d.bodies = map[string][][]byte{}
	for _, read := range []struct {
		kind string
		path func(int) string
		n    int
	}{
		{"R1", d.brandPath, len(d.brands)},
		{"R2", func(int) string { return advertisedPath }, 1},
		{"R3", d.sellerPath, sellers},
		{"R4", d.rolePath, sellers},
	} {
		for i := range read.n {
			var body json.RawMessage
			if err := c.call(http.MethodGet, read.path(i), d.sellers[i].token, nil, &body); err != nil {
				return err
			}
			d.bodies[read.kind] = append(d.bodies[read.kind], body)
		}
	}
	return nil
}

const advertisedPath = "/products/advertised?limit=200"

func (d *dataset) brandPath(i int) string { return "/categories/" + d.brands[i].ID + "?limit=50" }
func (d *dataset) sellerPath(i int) string {
	return "/products?email=" + d.sellers[i].email + "&limit=100"
}
func (d *dataset) rolePath(i int) string { return "/users/seller/" + d.sellers[i].email }

func (d *dataset) addPhone(c *caller, i int, id *string) error {
	var response struct{ InsertedID string }
	seller := d.sellers[i%sellers]
	err := c.call(http.MethodPost, "/products", seller.token, d.phone(seller, i%len(d.brands), fmt.Sprintf("Phone %d", i), 300+i%97), &response)
	*id = response.InsertedID
	return err
}

func (d *dataset) phone(s person, brandIndex int, name string, price int) map[string]any {
	b := d.brands[brandIndex]
	return map[string]any{
		"name": name, "brand": b.Name, "id": b.ID, "img": "/images/demo/phone-1.webp", "originalPrice": 700,
		"resalePrice": price, "productCondition": "Good", "usedTime": "2 years", "description": description,
		"sellerName": s.name, "email": s.email, "location": "Dhaka", "phone": "01712345678", "selling_post_date": "2026-01-02",
	}
}

// open starts a build of SecondRing with a copy of the market.
func (d *dataset) open(binary, data string) (peer, error) {
	if err := copyFolder(d.folder, data); err != nil {
		return peer{}, err
	}
	p, err := d.start(binary, data)
	if err != nil {
		return peer{}, err
	}
	c := &caller{base: "http://" + p.Addr}
	etag, err := c.etag(d.brandPath(0), d.sellers[0].token)
	if err != nil {
		return peer{}, errors.Join(err, p.Stop())
	}
	return peer{process: p, calls: d.calls(etag), book: d.book}, nil
}

func (d *dataset) calls(etag string) map[string]*call {
	token := d.sellers[0].token
	var brandPaths []string
	for i := range d.brands {
		brandPaths = append(brandPaths, d.brandPath(i))
	}
	calls := map[string]*call{
		"R1":  read(token, 200, brandPaths),
		"R2":  read("", 200, []string{advertisedPath}),
		"R3":  readOwn(d.sellers, d.sellerPath),
		"R4":  readOwn(d.sellers, d.rolePath),
		"304": read(token, 304, brandPaths[:1], "If-None-Match: "+etag),
		"W1":  {status: http.StatusOK, newRequest: d.newPhone},
	}
	calls["W3"] = mixed(calls)
	return calls
}

// readOwn returns a call with which a random person reads their own data.
func readOwn(people []person, path func(int) string) *call {
	var requests [][]byte
	for i, p := range people {
		requests = append(requests, request(http.MethodGet, path(i), p.token, nil))
	}
	return &call{status: http.StatusOK, newRequest: func(rng *rand.Rand) []byte { return requests[rng.IntN(len(requests))] }}
}

func (d *dataset) newPhone(rng *rand.Rand) []byte {
	seller := d.sellers[rng.IntN(len(d.sellers))]
	body, err := json.Marshal(d.phone(seller, rng.IntN(len(d.brands)), fmt.Sprintf("Phone %d", rng.Uint32()), 100+rng.IntN(500)))
	if err != nil {
		panic(err) // cannot happen with strings and numbers
	}
	return request(http.MethodPost, "/products", seller.token, body)
}

func (d *dataset) book(phone, buyer int) []byte {
	b := d.buyers[buyer]
	body := fmt.Appendf(nil, `{"productID":%q,"userName":%q,"email":%q,"phone":"01812345678","location":"Sylhet"}`, d.phones[phone], b.name, b.email)
	return request(http.MethodPut, "/bookings", b.token, body)
}

// caller makes the calls that prepare the market.
type caller struct{ base string }

func (c *caller) request(method, path, token string, body any) (*http.Request, error) {
	var reader io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		reader = bytes.NewReader(text)
	}
	r, err := http.NewRequest(method, c.base+path, reader)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return r, nil
}

func (c *caller) call(method, path, token string, body, into any) error {
	r, err := c.request(method, path, token, body)
	if err != nil {
		return err
	}
	text, err := fetch(r)
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func (c *caller) etag(path, token string) (string, error) {
	r, err := c.request(http.MethodGet, path, token, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(io.Discard, response.Body)
	return response.Header.Get("ETag"), errors.Join(err, response.Body.Close())
}

// newAccount creates an account and returns its session cookie.
func (c *caller) newAccount(p *person) (*http.Cookie, error) {
	r, err := c.request(http.MethodPost, "/identity/sign-up", "", map[string]string{"email": p.email, "password": password, "displayName": p.name})
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	if err := response.Body.Close(); err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusServiceUnavailable { // too many password hashes at the same time, on a busy machine
		return c.newAccount(p)
	}
	if len(response.Cookies()) == 0 {
		return nil, errors.New("the response has no session cookie: " + response.Status)
	}
	return response.Cookies()[0], nil
}

// signUp creates an account with a role, and gets its token.
func (c *caller) signUp(p *person, accountType string, i int) error {
	p.name, p.email = fmt.Sprintf("%s %d", accountType, i), fmt.Sprintf("%s%d@example.com", accountType, i)
	cookie, err := c.newAccount(p)
	if err != nil {
		return err
	}
	withCookie := func(method, path string, body, into any) error {
		r, err := c.request(method, path, "", body)
		if err != nil {
			return err
		}
		r.AddCookie(cookie)
		text, err := fetch(r)
		if err != nil || into == nil {
			return err
		}
		return json.Unmarshal(text, into)
	}
	if err := withCookie(http.MethodPost, "/users", map[string]string{"name": p.name, "email": p.email, "accountType": accountType}, nil); err != nil {
		return err
	}
	var token struct{ AccessToken string }
	if err := withCookie(http.MethodGet, "/jwt?email="+p.email, nil, &token); err != nil {
		return err
	}
	p.token = token.AccessToken
	return nil
}

// parallel calls a function n times, with at most 16 calls at the same time.
func parallel(n int, do func(int) error) error {
	var wg sync.WaitGroup
	errs := make([]error, n)
	slots := make(chan struct{}, 16)
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			errs[i] = do(i)
			<-slots
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
