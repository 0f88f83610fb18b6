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

// town is our market, filled through its own calls as people would.
type town struct {
	folder string
	binary string

	brands  []brand
	sellers []person
	buyers  []person
	phones  []string            // ids of those that are raced for
	answers map[string][][]byte // what ours answers to each kind of read, for the ceiling
}

type brand struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
}

type person struct{ name, email, token string }

const password = "a long enough password"

func (t *town) start(binary, data string) (*process.Process, error) {
	return process.Start([]string{binary}, "DATA_DIR="+data, "RATE_LIMIT=off", "ADVERTISE=all", "MAX_HOLDS=1000")
}

// build fills a new market: 10,000 phones of 100 sellers, 160 of them advertised,
// and 200 buyers.
func (t *town) build() (err error) {
	if err := os.MkdirAll(t.folder, 0o700); err != nil {
		return err
	}
	p, err := t.start(t.binary, t.folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()
	c := &caller{base: "http://" + p.Addr}
	if err := c.call(http.MethodGet, "/allCategories", "", nil, &t.brands); err != nil {
		return err
	}
	t.brands = t.brands[:min(brands, len(t.brands))]
	t.sellers = make([]person, sellers)
	t.buyers = make([]person, racers)
	if err := together(sellers, func(i int) error { return c.join(&t.sellers[i], "Seller", i) }); err != nil {
		return err
	}
	if err := together(racers, func(i int) error { return c.join(&t.buyers[i], "User", i) }); err != nil {
		return err
	}
	ids := make([]string, phones)
	if err := together(phones, func(i int) error { return t.sell(c, i, &ids[i]) }); err != nil {
		return err
	}
	for i, id := range ids[:advertised] {
		if err := c.call(http.MethodPut, "/products/advertise/"+id, t.sellers[i%sellers].token, nil, nil); err != nil {
			return err
		}
	}
	t.phones = ids[advertised : advertised+races]
	return t.remember(c)
}

// remember keeps what ours answers, as the ceiling's ready bytes: all of it, for
// sending a hundred lists in turn costs more than one that the processor has at hand.
func (t *town) remember(c *caller) error {
	t.answers = map[string][][]byte{}
	for _, read := range []struct {
		kind string
		path func(int) string
		n    int
	}{
		{"R1", t.brandPath, len(t.brands)},
		{"R2", func(int) string { return advertisedPath }, 1},
		{"R3", t.sellerPath, sellers},
		{"R4", t.rolePath, sellers},
	} {
		for i := range read.n {
			var body json.RawMessage
			if err := c.call(http.MethodGet, read.path(i), t.sellers[i].token, nil, &body); err != nil {
				return err
			}
			t.answers[read.kind] = append(t.answers[read.kind], body)
		}
	}
	return nil
}

const advertisedPath = "/products/advertised?limit=200"

func (t *town) brandPath(i int) string { return "/categories/" + t.brands[i].ID + "?limit=50" }
func (t *town) sellerPath(i int) string {
	return "/products?email=" + t.sellers[i].email + "&limit=100"
}
func (t *town) rolePath(i int) string { return "/users/seller/" + t.sellers[i].email }

func (t *town) sell(c *caller, i int, id *string) error {
	var answer struct{ InsertedID string }
	seller := t.sellers[i%sellers]
	err := c.call(http.MethodPost, "/products", seller.token, t.phone(seller, i%len(t.brands), fmt.Sprintf("Phone %d", i), 300+i%97), &answer)
	*id = answer.InsertedID
	return err
}

func (t *town) phone(s person, ofBrand int, name string, price int) map[string]any {
	b := t.brands[ofBrand]
	return map[string]any{
		"name": name, "brand": b.Name, "id": b.ID, "img": "/images/demo/phone-1.webp", "originalPrice": 700,
		"resalePrice": price, "productCondition": "Good", "usedTime": "2 years", "description": description,
		"sellerName": s.name, "email": s.email, "location": "Dhaka", "phone": "01712345678", "selling_post_date": "2026-01-02",
	}
}

// open starts a build of our server on a copy of the market.
func (t *town) open(binary, data string) (peer, error) {
	if err := copyFolder(t.folder, data); err != nil {
		return peer{}, err
	}
	p, err := t.start(binary, data)
	if err != nil {
		return peer{}, err
	}
	c := &caller{base: "http://" + p.Addr}
	etag, err := c.etag(t.brandPath(0), t.sellers[0].token)
	if err != nil {
		return peer{}, errors.Join(err, p.Stop())
	}
	return peer{process: p, calls: t.calls(etag), book: t.book}, nil
}

func (t *town) calls(etag string) map[string]*call {
	token := t.sellers[0].token
	var ofBrands []string
	for i := range t.brands {
		ofBrands = append(ofBrands, t.brandPath(i))
	}
	calls := map[string]*call{
		"R1":  read(token, 200, ofBrands),
		"R2":  read("", 200, []string{advertisedPath}),
		"R3":  own(t.sellers, t.sellerPath),
		"R4":  own(t.sellers, t.rolePath),
		"304": read(token, 304, ofBrands[:1], "If-None-Match: "+etag),
		"W1":  {status: http.StatusOK, make: t.newPhone},
	}
	calls["W3"] = mixed(calls)
	return calls
}

// own is a read that each may make only of what is theirs.
func own(people []person, path func(int) string) *call {
	var ready [][]byte
	for i, p := range people {
		ready = append(ready, request(http.MethodGet, path(i), p.token, nil))
	}
	return &call{status: http.StatusOK, make: func(chance *rand.Rand) []byte { return ready[chance.IntN(len(ready))] }}
}

func (t *town) newPhone(chance *rand.Rand) []byte {
	seller := t.sellers[chance.IntN(len(t.sellers))]
	body, err := json.Marshal(t.phone(seller, chance.IntN(len(t.brands)), fmt.Sprintf("Phone %d", chance.Uint32()), 100+chance.IntN(500)))
	if err != nil {
		panic(err) // of strings and numbers
	}
	return request(http.MethodPost, "/products", seller.token, body)
}

func (t *town) book(phone, buyer int) []byte {
	b := t.buyers[buyer]
	body := fmt.Appendf(nil, `{"productID":%q,"userName":%q,"email":%q,"phone":"01812345678","location":"Sylhet"}`, t.phones[phone], b.name, b.email)
	return request(http.MethodPut, "/bookings", b.token, body)
}

// caller makes the calls of the preparations.
type caller struct{ base string }

func (c *caller) request(method, path, token string, body any) (*http.Request, error) {
	var send io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		send = bytes.NewReader(text)
	}
	r, err := http.NewRequest(method, c.base+path, send)
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
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.Header.Get("ETag"), errors.Join(err, answer.Body.Close())
}

// join makes an account with its role and token.
func (c *caller) join(p *person, accountType string, i int) error {
	p.name, p.email = fmt.Sprintf("%s %d", accountType, i), fmt.Sprintf("%s%d@example.com", accountType, i)
	r, err := c.request(http.MethodPost, "/identity/sign-up", "", map[string]string{"email": p.email, "password": password, "displayName": p.name})
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	if err := answer.Body.Close(); err != nil {
		return err
	}
	if answer.StatusCode == http.StatusServiceUnavailable { // too many passwords at once, on a busy machine
		return c.join(p, accountType, i)
	}
	if len(answer.Cookies()) == 0 {
		return errors.New("no session: " + answer.Status)
	}
	cookie := answer.Cookies()[0]
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

// together does n things, 16 at a time.
func together(n int, do func(int) error) error {
	var wg sync.WaitGroup
	errs := make([]error, n)
	places := make(chan struct{}, 16)
	for i := range n {
		places <- struct{}{}
		wg.Go(func() {
			errs[i] = do(i)
			<-places
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
