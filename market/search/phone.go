package search

import "strconv"

// Limits of a phone. The storage is far above that of any.
const (
	MaxPrice   = 100_000 // whole US dollars
	MaxStorage = 8192    // GB
)

// Phone is what searches compare of a phone.
type Phone struct {
	ID            string
	BrandID       string
	Brand         string
	Name          string
	Colour        string
	Description   string
	Condition     string
	Location      string
	Storage       int // GB; 0 if it is not given
	OriginalPrice int // whole US dollars
	ResalePrice   int // whole US dollars
	Verified      bool
	Booked        bool // held or sold
	Sold          bool
}

// TitleTokens returns the tokens of brand, name, storage and colour, which Query.Text is compared
// with. A phone that has all words of a query here precedes others in SortAvailable.
func (p Phone) TitleTokens() []string {
	return append(titleTokens(p.Brand+" "+p.Name+" "+gigabytes(p.StorageGB())), titleTokens(p.Colour)...)
}

// HasInTitle returns whether the phone has all words of a query in brand, name, storage or colour.
func (p Phone) HasInTitle(terms []Term) bool {
	return len(terms) == 0 || newTokenSet(p.TitleTokens()).hasAll(terms)
}

// TextTokens returns the tokens of the description, which Query.Text is compared with too.
func (p Phone) TextTokens() []string { return splitWords(p.Description) }

// PlaceTokens returns the tokens that Query.Location is compared with.
func (p Phone) PlaceTokens() []string { return titleTokens(p.Location) }

// gigabytes returns a storage as a text; "" for 0.
func gigabytes(gb int) string {
	if gb == 0 {
		return ""
	}
	return strconv.Itoa(gb) + "gb"
}

// StorageGB returns the phone's storage in GB: the field, or if it is missing, what the name
// says; 0 if neither has it.
func (p Phone) StorageGB() int {
	if p.Storage > 0 {
		return p.Storage
	}
	return storageIn(p.Name)
}

// savingUnits is the number of units of Saving in the whole price. Two different shares of
// prices up to maxPrice differ by at least one unit.
const savingUnits = MaxPrice * MaxPrice

// Saving is the share that the resale price is below the original price, in
// ten-billionths, rounded towards zero. It is negative if the resale price is higher, and
// zero if there is no original price.
func (p Phone) Saving() int64 {
	if p.OriginalPrice == 0 {
		return 0
	}
	return int64(p.OriginalPrice-p.ResalePrice) * savingUnits / int64(p.OriginalPrice)
}

// Availability is 2 if the phone can be bought, 1 if it is held, and 0 if it is sold.
func (p Phone) Availability() int64 {
	switch {
	case p.Sold:
		return 0
	case p.Booked:
		return 1
	}
	return 2
}

// Colours returns the colours of the phone that Query.Colours is compared with, which may repeat:
// the field, and the basic colours in it and in brand and name. If the field has no basic colour,
// those in the description count too.
func (p Phone) Colours() []string {
	var all []string
	add := func(text string) {
		for _, word := range splitWords(text) {
			if isColour(word) {
				all = append(all, spelled(word))
			}
		}
	}
	add(p.Colour)
	if len(all) == 0 {
		add(p.Description)
	}
	add(p.Brand + " " + p.Name)
	if key := ColourKey(p.Colour); key != "" {
		all = append(all, key)
	}
	return all
}
