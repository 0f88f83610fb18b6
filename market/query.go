package market

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Sort is the order of found phones. Phones that are equal in it are ordered by ID, newest
// first.
type Sort string

// The orders.
const (
	SortNewest    Sort = "newest"     // and nothing else; also what "" means
	SortPriceUp   Sort = "price-up"   // lowest resale price first
	SortPriceDown Sort = "price-down" // highest resale price first
	SortSaving    Sort = "saving"     // largest saving first, as a share of the original price
)

// Sorts are all orders. The first is the default.
var Sorts = []Sort{SortNewest, SortPriceUp, SortPriceDown, SortSaving}

// Query selects phones and their order. The zero Query selects all, newest first.
// Matches and SortKey define its meaning; an engine may find the phones in any way.
type Query struct {
	Text       string   `json:"text,omitempty"`       // all its words occur in name, brand or description; the last one may be a prefix of a word
	Location   string   `json:"location,omitempty"`   // the same for the location
	Brands     []string `json:"brands,omitempty"`     // the brand's ID is one of these; none for any
	Conditions []string `json:"conditions,omitempty"` // the condition is one of these; none for any
	MinPrice   int      `json:"minPrice,omitempty"`   // the lowest resale price, in whole US dollars
	MaxPrice   int      `json:"maxPrice,omitempty"`   // the highest resale price, in whole US dollars; 0 for no limit
	MinStorage int      `json:"minStorage,omitempty"` // the least storage, in whole GB; 0 for any, also for phones without it
	Verified   *bool    `json:"verified,omitempty"`   // whether the seller is verified; nil for any
	Available  *bool    `json:"available,omitempty"`  // whether the phone is not booked; nil for any
	Sort       Sort     `json:"sort,omitempty"`
}

// Terms returns the terms of the text; none if it has no words.
func (q Query) Terms() []Term { return terms(q.Text) }

// PlaceTerms returns the terms of the location.
func (q Query) PlaceTerms() []Term { return terms(q.Location) }

// Narrows returns whether the query has words or filters other than brands. Totals of
// queries that do not narrow are always exact.
func (q Query) Narrows() bool {
	return len(q.Terms()) > 0 || len(q.PlaceTerms()) > 0 || len(q.Conditions) > 0 ||
		q.MinPrice > 0 || q.MaxPrice > 0 || q.MinStorage > 0 || q.Verified != nil || q.Available != nil
}

// Matches returns whether the query selects the phone.
func (q Query) Matches(p Product) bool { return newMatcher(p).matches(q) }

// matcher compares a phone with many queries. It splits the phone's texts into words only
// once, when they are needed first.
type matcher struct {
	phone         Product
	words, places func() []string
}

// newMatcher returns a matcher that may be used concurrently.
func newMatcher(p Product) *matcher {
	return &matcher{phone: p, words: sync.OnceValue(p.Words), places: sync.OnceValue(p.PlaceWords)}
}

func (m *matcher) matches(q Query) bool {
	p := m.phone
	return among(q.Brands, p.BrandID) && among(q.Conditions, p.Condition) &&
		p.ResalePrice >= q.MinPrice && p.Storage >= q.MinStorage && (q.MaxPrice == 0 || p.ResalePrice <= q.MaxPrice) &&
		(q.Verified == nil || *q.Verified == p.Verified) && (q.Available == nil || *q.Available != p.Booked()) &&
		allIn(q.Terms(), m.words()) && allIn(q.PlaceTerms(), m.places())
}

// among returns whether the value is allowed; an empty list allows all.
func among(allowed []string, value string) bool {
	return len(allowed) == 0 || slices.Contains(allowed, value)
}

// Words returns the words of the phone that Query.Text is compared with.
func (p Product) Words() []string {
	return slices.Concat(Words(p.Name), Words(p.Brand), Words(p.Description))
}

// PlaceWords returns the words of the phone that Query.Location is compared with.
func (p Product) PlaceWords() []string { return Words(p.Location) }

// savingUnits is the number of units of Saving in the whole price. Two different shares of
// prices up to maxPrice differ by at least one unit.
const savingUnits = maxPrice * maxPrice

// Saving is the share that the resale price is below the original price, in
// ten-billionths, rounded towards zero. It is negative if the resale price is higher, and
// zero if there is no original price.
func (p Product) Saving() int64 {
	if p.OriginalPrice == 0 {
		return 0
	}
	return int64(p.OriginalPrice-p.ResalePrice) * savingUnits / int64(p.OriginalPrice)
}

// SortKey is the position of a phone in an order: larger keys first, then larger IDs. The
// key is 0 if the order is by ID alone.
type SortKey struct {
	Key int64
	ID  string
}

// SortKey returns the position of the phone in the query's order.
func (q Query) SortKey(p Product) SortKey {
	switch q.Sort {
	case SortPriceUp:
		return SortKey{-int64(p.ResalePrice), p.ID}
	case SortPriceDown:
		return SortKey{int64(p.ResalePrice), p.ID}
	case SortSaving:
		return SortKey{p.Saving(), p.ID}
	default:
		return SortKey{0, p.ID}
	}
}

// Before compares two positions, for slices.SortFunc: it is negative if a comes first.
func (a SortKey) Before(b SortKey) int {
	return cmp.Or(cmp.Compare(b.Key, a.Key), cmp.Compare(b.ID, a.ID))
}

// String encodes the position for Page.After.
func (a SortKey) String() string { return strconv.FormatInt(a.Key, 10) + ":" + a.ID }

// ParseSortKey parses the result of String. It returns false for any other text.
func ParseSortKey(s string) (SortKey, bool) {
	key, id, found := strings.Cut(s, ":")
	n, err := strconv.ParseInt(key, 10, 64)
	parsed := SortKey{n, id}
	return parsed, found && err == nil && id != "" && parsed.String() == s
}

// Fingerprint returns the same text for queries with the same meaning, and different texts
// for others. A cursor contains it, because a position is only valid for the pages of its
// query.
func (q Query) Fingerprint() string {
	sort := cmp.Or(q.Sort, SortNewest)
	meaning := fmt.Sprintf("%v %v %q %q %d %d %d %s %s %s", q.Terms(), q.PlaceTerms(), set(q.Brands), set(q.Conditions),
		q.MinPrice, q.MaxPrice, q.MinStorage, choice(q.Verified), choice(q.Available), sort)
	hash := sha256.Sum256([]byte(meaning))
	return base64.RawURLEncoding.EncodeToString(hash[:9])
}

// Encode returns the query as parameters of GET /products/search.
func (q Query) Encode() string {
	var all []string
	add := func(name string, values ...string) {
		for _, value := range values {
			if value != "" {
				all = append(all, name+"="+url.QueryEscape(value))
			}
		}
	}
	number := func(name string, n int) {
		if n > 0 {
			add(name, strconv.Itoa(n))
		}
	}
	flag := func(name string, b *bool) {
		if b != nil {
			add(name, strconv.FormatBool(*b))
		}
	}
	add("q", q.Text)
	add("brand", q.Brands...)
	add("condition", q.Conditions...)
	number("minPrice", q.MinPrice)
	number("maxPrice", q.MaxPrice)
	number("minStorage", q.MinStorage)
	add("location", q.Location)
	flag("verified", q.Verified)
	flag("available", q.Available)
	add("sort", string(q.Sort))
	return strings.Join(all, "&")
}

// set returns the different texts in order; nil for none.
func set(all []string) []string {
	sorted := append([]string(nil), all...)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

func choice(b *bool) string {
	if b == nil {
		return "any"
	}
	return strconv.FormatBool(*b)
}
