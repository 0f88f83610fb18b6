package search

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
	SortAvailable Sort = "available"  // those that can be bought, then held, then sold ones; within these, those with all words in brand, name, storage or colour first
	SortPriceUp   Sort = "price-up"   // lowest resale price first
	SortPriceDown Sort = "price-down" // highest resale price first
	SortSaving    Sort = "saving"     // largest saving first, as a share of the original price
)

// Sorts are all orders. The first is the default of GET /products/search.
var Sorts = []Sort{SortAvailable, SortNewest, SortPriceUp, SortPriceDown, SortSaving}

// Query selects phones and their order. The zero Query selects all, newest first.
// Matches and SortKey define its meaning; an engine may find the phones in any way.
type Query struct {
	Text       string   `json:"text,omitempty"`       // each word is a token of brand, name, storage, colour or description; with "*" at the end, the last one may be the beginning of one
	Location   string   `json:"location,omitempty"`   // the same for the location, where the last word may always be a beginning
	Brands     []string `json:"brands,omitempty"`     // the brand's ID is one of these; none for any
	Conditions []string `json:"conditions,omitempty"` // the condition is one of these; none for any
	MinPrice   int      `json:"minPrice,omitempty"`   // the lowest resale price, in whole US dollars
	MaxPrice   int      `json:"maxPrice,omitempty"`   // the highest resale price, in whole US dollars; 0 for no limit
	MinStorage int      `json:"minStorage,omitempty"` // the least storage, in whole GB; 0 for any, also for phones without it
	Storage    []int    `json:"storage,omitempty"`    // the storage is one of these, in whole GB; none for any
	Colours    []string `json:"colours,omitempty"`    // the phone has one of these colours; none for any. See Phone.Colours
	Verified   *bool    `json:"verified,omitempty"`   // whether the seller is verified; nil for any
	Available  *bool    `json:"available,omitempty"`  // whether the phone is not booked; nil for any
	Sort       Sort     `json:"sort,omitempty"`
}

// Terms returns the terms of the text; none if it has no words.
func (q Query) Terms() []Term { return terms(q.Text, hasStar(q.Text)) }

// hasStar returns whether the last word of a text is the beginning of one.
func hasStar(text string) bool { return strings.HasSuffix(strings.TrimSpace(text), "*") }

// PlaceTerms returns the terms of the location.
func (q Query) PlaceTerms() []Term { return terms(q.Location, true) }

// Narrows returns whether the query has words or filters other than brands. Totals of
// queries that do not narrow are always exact.
func (q Query) Narrows() bool {
	return len(q.Terms()) > 0 || len(q.PlaceTerms()) > 0 || len(q.Conditions) > 0 ||
		q.MinPrice > 0 || q.MaxPrice > 0 || q.MinStorage > 0 || len(q.Storage) > 0 || len(q.Colours) > 0 || q.Verified != nil || q.Available != nil
}

// Matches returns whether the query selects the phone.
func (q Query) Matches(p Phone) bool { return NewMatcher(p).Matches(q) }

// Matcher compares a phone with many queries. It splits the phone's texts into tokens only
// once, when they are needed first.
type Matcher struct {
	phone                  Phone
	words, places, colours func() tokenSet
}

// NewMatcher returns a matcher that may be used concurrently.
func NewMatcher(p Phone) *Matcher {
	return &Matcher{
		phone:   p,
		words:   sync.OnceValue(func() tokenSet { return newTokenSet(slices.Concat(p.TitleTokens(), p.TextTokens())) }),
		places:  sync.OnceValue(func() tokenSet { return newTokenSet(p.PlaceTokens()) }),
		colours: sync.OnceValue(func() tokenSet { return newTokenSet(p.Colours()) }),
	}
}

// Matches returns whether the query selects the phone.
func (m *Matcher) Matches(q Query) bool {
	p, storage := m.phone, 0
	if q.MinStorage > 0 || len(q.Storage) > 0 {
		storage = p.StorageGB()
	}
	return among(q.Brands, p.BrandID) && among(q.Conditions, p.Condition) && among(q.Storage, storage) &&
		p.ResalePrice >= q.MinPrice && storage >= q.MinStorage && (q.MaxPrice == 0 || p.ResalePrice <= q.MaxPrice) &&
		(q.Verified == nil || *q.Verified == p.Verified) && (q.Available == nil || *q.Available != p.Booked) &&
		m.hasAll(q.ColourTerms(), m.colours) && m.hasAll(q.Terms(), m.words) && m.hasAll(q.PlaceTerms(), m.places)
}

func (*Matcher) hasAll(terms []Term, tokens func() tokenSet) bool {
	return len(terms) == 0 || tokens().hasAll(terms)
}

// among returns whether the value is allowed; an empty list allows all.
func among[T comparable](allowed []T, value T) bool {
	return len(allowed) == 0 || slices.Contains(allowed, value)
}

// SortKey is the position of a phone in an order: larger keys first, then larger IDs. The
// key is 0 if the order is by ID alone.
type SortKey struct {
	Key int64
	ID  string
}

// SortKey returns the position of the phone in the query's order.
func (q Query) SortKey(p Phone) SortKey {
	switch q.Sort {
	case SortPriceUp:
		return SortKey{-int64(p.ResalePrice), p.ID}
	case SortPriceDown:
		return SortKey{int64(p.ResalePrice), p.ID}
	case SortSaving:
		return SortKey{p.Saving(), p.ID}
	case SortAvailable:
		key := 2 * p.Availability() // one more if the title has all words
		if p.HasInTitle(q.Terms()) {
			key++
		}
		return SortKey{key, p.ID}
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
	meaning := fmt.Sprintf("%v %v %q %q %d %d %d %d %v %s %s %s", q.Terms(), q.PlaceTerms(), Distinct(q.Brands), Distinct(q.Conditions),
		q.MinPrice, q.MaxPrice, q.MinStorage, Distinct(q.Storage), Distinct(q.colourKeys()), choice(q.Verified), choice(q.Available), sort)
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
	for _, gb := range q.Storage {
		number("storage", gb)
	}
	number("minStorage", q.MinStorage)
	add("colour", q.Colours...)
	add("location", q.Location)
	flag("verified", q.Verified)
	flag("available", q.Available)
	add("sort", string(q.Sort))
	return strings.Join(all, "&")
}

// Distinct returns the different values in order; nil for none.
func Distinct[T cmp.Ordered](all []T) []T {
	sorted := append([]T(nil), all...)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

func choice(b *bool) string {
	if b == nil {
		return "any"
	}
	return strconv.FormatBool(*b)
}
