package demo

import (
	"slices"
	"strings"
	"time"

	"secondring/cmd/secondring/demo/models"
)

// reference is when the newest phone was posted, before New moves all times.
var reference = time.Date(2026, time.November, 20, 18, 0, 0, 0, time.UTC)

// Account types of Person.
const (
	User   = "User"
	Seller = "Seller"
)

// Conditions of Phone.
const (
	Excellent = "Excellent"
	Good      = "Good"
	Fair      = "Fair"
)

// Brand is a brand of phones.
type Brand struct {
	Name    string
	Img     string    // site-relative URL
	Created time.Time // newest first is alphabetical order
}

// Person is a user with an account.
type Person struct {
	Name        string
	Email       string // at example.com, a reserved domain
	Password    string // empty: this person cannot sign in
	AccountType string // User or Seller
	Admin       bool
	Verified    bool
	Phone       string // from unused ranges
	Location    string
	Created     time.Time
}

// Phone is one phone for sale.
type Phone struct {
	Name          string
	Brand         string  // Brand.Name
	Photos        []Photo // one at least, the first is the card's
	Colour        string  // of the phone in the picture
	Drawn         bool    // the model has drawings, and no photos
	Storage       int     // GB; 0 where there was one size only
	OriginalPrice int     // whole US dollars, new
	ResalePrice   int     // whole US dollars, always below OriginalPrice
	MeetOnly      bool    // otherwise the seller also sends it
	Postage       int     // of a phone that is sent, whole US dollars
	UsedTime      string  // such as "2 years"
	Condition     string  // Excellent, Good or Fair
	Description   string
	Seller        string // Person.Email
	SellerName    string
	Location      string
	ContactPhone  string
	PostedOn      string    // YYYY-MM-DD
	Created       time.Time // on PostedOn, no two the same
	Advertised    bool      // only phones of verified sellers
	BookedBy      string    // Person.Email of a buyer, empty while available
}

// Photo is one photo of a phone.
type Photo struct {
	URL string // site-relative
	Alt string // what it shows
}

// Catalogue is all data of the demo. Brands are in alphabetical order, People begin with those of
// Logins, Phones are oldest first.
type Catalogue struct {
	Brands []Brand
	People []Person
	Phones []Phone
	Orders []Order
	// Reports are the open ones.
	Reports       []Report
	Conversations []Conversation
}

// Login is an account of the demo that can sign in.
type Login struct {
	Role     string `json:"role"` // admin, seller-verified, seller, buyer or buyer2
	Email    string `json:"email"`
	Password string `json:"password"`
}

// Logins lists the demo's logins, for the login screen and the terminal.
func Logins() []Login {
	return []Login{
		{"admin", "admin@example.com", "admin-demo"},
		{"seller-verified", "nusrat@example.com", "seller-demo"},
		{"seller", "tanvir@example.com", "seller-demo"},
		{"buyer", "rafi@example.com", "buyer-demo"},
		{"buyer2", "maya@example.com", "buyer-demo"},
	}
}

// Brands lists the brands that every new store starts with, demo or not.
func Brands() []Brand {
	all := models.Brands()
	out := make([]Brand, len(all))
	for i, b := range all {
		// The last in the alphabet was created first.
		out[i] = Brand{b.Name, TilePath(b.Name), opening.Add(time.Duration(len(all)-i) * time.Minute)}
	}
	return out
}

// opening is when the demo's market began.
var opening = time.Date(2026, time.May, 4, 9, 0, 0, 0, time.UTC)

// New makes the catalogue of a market that has run until now: 12 brands and 300 phones, every time the
// same but for the times. The newest phone was posted on the day before.
func New(now time.Time) Catalogue {
	c := Catalogue{Brands: Brands(), People: People()}
	c.Phones = phones(c.People)
	shift := now.UTC().Truncate(24 * time.Hour).Add(-6 * time.Hour).Sub(reference) // whole days
	for i := range c.People {
		c.People[i].Created = c.People[i].Created.Add(shift)
	}
	for i := range c.Phones {
		p := &c.Phones[i]
		p.Created = p.Created.Add(shift)
		p.PostedOn = p.Created.Format(time.DateOnly)
	}
	slices.SortFunc(c.Phones, func(a, b Phone) int {
		if d := a.Created.Compare(b.Created); d != 0 {
			return d
		}
		return strings.Compare(a.Description, b.Description)
	})
	c.Orders, c.Reports = orderHistory(c.Phones), reports(c.Phones)
	c.Conversations = conversations(c.Phones, c.Orders, now)
	return c
}
