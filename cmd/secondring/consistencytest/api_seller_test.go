package consistencytest_test

import (
	"net/http"
	"sync"
	"time"
)

// apiSeller is a seller who uses the API directly, and can change one phone more often than
// the history of its topics has events.
type apiSeller struct {
	*browser
	person *person
	brands []brand
	phone  string

	signedInAt time.Time
}

// tokenLifetime is how long a test uses an access token. A token is valid for an hour.
const tokenLifetime = 30 * time.Minute

// renewToken signs in if the access token has expired.
func (s *apiSeller) renewToken() {
	if time.Since(s.signedInAt) > tokenLifetime {
		s.signIn(s.person)
		s.signedInAt = time.Now()
	}
}

type brand struct {
	ID   string `json:"_id"`
	Name string
}

func (e *env) newAPISeller(p *person) *apiSeller {
	e.t.Helper()
	s := &apiSeller{browser: newBrowser(e), person: p}
	s.renewToken()
	s.mustCall(http.MethodGet, "/allCategories", nil, &s.brands)
	s.phone = s.addPhone(s.brands[0], "Phone")
	return s
}

// advertise advertises the seller's phone, so that its changes are also events of the topic
// "advertised".
func (e *env) advertise(seller *apiSeller) {
	e.t.Helper()
	adminBrowser := newBrowser(e)
	adminBrowser.signIn(e.signUpPerson(admin))
	var sellers []struct {
		ID string `json:"_id"`
	}
	adminBrowser.mustCall(http.MethodGet, "/users/sellers", nil, &sellers)
	for _, s := range sellers {
		adminBrowser.mustCall(http.MethodPut, "/users/seller/"+s.ID, nil, nil)
	}
	seller.mustCall(http.MethodPut, "/products/advertise/"+seller.phone, nil, nil)
}

func (s *apiSeller) addPhone(brand brand, name string) string {
	var made struct{ InsertedID string }
	s.mustCall(http.MethodPost, "/products", map[string]any{
		"name": name, "brand": brand.Name, "id": brand.ID, "img": "/images/a.jpg",
		"originalPrice": 500, "resalePrice": 100 + len(name)*7, "productCondition": "Good", "usedTime": "1 year",
		"description": "Rings.", "sellerName": s.person.name, "email": s.person.email, "location": "Dhaka", "phone": "01700000",
		"selling_post_date": "2026-11-01",
	}, &made)
	return made.InsertedID
}

// overflowHistory makes more events than the history of a topic holds.
func (s *apiSeller) overflowHistory() {
	const changes = 2*history + 60 // Redis trims its streams approximately
	s.renewToken()
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for n := range changes / 4 {
				s.call(http.MethodPatch, "/products/"+s.phone, map[string]int{"resalePrice": 100 + i*changes + n})
			}
		})
	}
	all.Wait()
}
