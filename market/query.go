package market

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Sort is the order of the phones that were found. Of two that are equal in it
// the newer comes first: by ID, descending.
type Sort string

// The orders.
const (
	SortNewest    Sort = "newest"     // and nothing else; also what "" means
	SortPriceUp   Sort = "price-up"   // lowest resale price first
	SortPriceDown Sort = "price-down" // highest resale price first
	SortSaving    Sort = "saving"     // largest share off the original price first
)

// Sorts are all orders, the first being that of a list without a chosen order.
var Sorts = []Sort{SortNewest, SortPriceUp, SortPriceDown, SortSaving}

// Query selects phones and their order. The zero Query selects all, newest first.
// Matches and Before define its meaning; an engine may find the phones in any way.
type Query struct {
	Text       string   // all its Words occur in name, brand or description, whole; the last one at least as a beginning
	Location   string   // the same of the location
	Brands     []string // the brand is one of these ids; none for any
	Conditions []string // the condition is one of these; none for any
	MinPrice   int      // the resale price, whole US dollars, is not below this
	MaxPrice   int      // nor above this; 0 for no limit
	MinStorage int      // the storage, whole GB, is not below this; 0 for any, said or not
	Verified   *bool    // the seller is verified, or is not
	Available  *bool    // the phone is not booked, or is
	Sort       Sort
}

// Terms are what the text asks for: each word whole, the last one at least as
// the beginning of a word. A text without words asks for nothing.
func (q Query) Terms() []Term { return terms(q.Text) }

// PlaceTerms are what the location asks for, likewise.
func (q Query) PlaceTerms() []Term { return terms(q.Location) }

// Narrows tells whether the query selects anything but whole brands or the whole market.
// Totals of queries that do not narrow are always exact.
func (q Query) Narrows() bool {
	return len(q.Terms()) > 0 || len(q.PlaceTerms()) > 0 || len(q.Conditions) > 0 ||
		q.MinPrice > 0 || q.MaxPrice > 0 || q.MinStorage > 0 || q.Verified != nil || q.Available != nil
}

// Matches tells whether the query wants the phone.
func (q Query) Matches(p Product) bool {
	return among(q.Brands, p.BrandID) && among(q.Conditions, p.Condition) &&
		p.ResalePrice >= q.MinPrice && p.Storage >= q.MinStorage && (q.MaxPrice == 0 || p.ResalePrice <= q.MaxPrice) &&
		(q.Verified == nil || *q.Verified == p.Verified) && (q.Available == nil || *q.Available != p.Booked()) &&
		allIn(q.Terms(), p.Words()) && allIn(q.PlaceTerms(), p.PlaceWords())
}

func among(wanted []string, one string) bool { return len(wanted) == 0 || slices.Contains(wanted, one) }

// Words are what a phone is found by.
func (p Product) Words() []string {
	return slices.Concat(Words(p.Name), Words(p.Brand), Words(p.Description))
}

// PlaceWords are what its location is found by.
func (p Product) PlaceWords() []string { return Words(p.Location) }

// savingUnits is how many units of Saving make the whole price. Two different
// shares of prices up to maxPrice are at least one unit apart.
const savingUnits = maxPrice * maxPrice

// Saving is the share that the resale price is below the original price, in
// ten-billionths, rounded towards zero; below zero where the phone became
// dearer, and zero where there is no original price.
func (p Product) Saving() int64 {
	if p.OriginalPrice == 0 {
		return 0
	}
	return int64(p.OriginalPrice-p.ResalePrice) * savingUnits / int64(p.OriginalPrice)
}

// SortKey is the position of a phone in an order: larger keys first, then larger IDs.
// The key is 0 where the ID alone decides.
type SortKey struct {
	Key int64
	ID  string
}

// SortKey is the phone's place in the query's order.
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

// Before orders places, and with slices.SortFunc phones: negative where a
// comes first.
func (a SortKey) Before(b SortKey) int {
	return cmp.Or(cmp.Compare(b.Key, a.Key), cmp.Compare(b.ID, a.ID))
}

// String is the place as Page.After takes it.
func (a SortKey) String() string { return strconv.FormatInt(a.Key, 10) + ":" + a.ID }

// ParseSortKey reads what String wrote, and nothing else.
func ParseSortKey(s string) (SortKey, bool) {
	key, id, found := strings.Cut(s, ":")
	n, err := strconv.ParseInt(key, 10, 64)
	p := SortKey{n, id}
	return p, found && err == nil && id != "" && p.String() == s
}

// Fingerprint is the same for two queries that mean the same, and else another:
// a page's place is worth nothing in the pages of another query.
func (q Query) Fingerprint() string {
	sort := cmp.Or(q.Sort, SortNewest)
	meaning := fmt.Sprintf("%v %v %q %q %d %d %d %s %s %s", q.Terms(), q.PlaceTerms(), set(q.Brands), set(q.Conditions),
		q.MinPrice, q.MaxPrice, q.MinStorage, choice(q.Verified), choice(q.Available), sort)
	hash := sha256.Sum256([]byte(meaning))
	return base64.RawURLEncoding.EncodeToString(hash[:9])
}

func set(all []string) []string { return slices.Compact(slices.Sorted(slices.Values(all))) }

func choice(b *bool) string {
	if b == nil {
		return "any"
	}
	return strconv.FormatBool(*b)
}
