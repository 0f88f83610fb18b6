// Package models has the demo's brands and phone models: their prices new and used, and
// the photos that show them. The tables are CSV files beside this one, so that a price can
// be corrected without touching code.
package models

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed models.csv
var modelsCSV string

//go:embed drawn.csv
var drawnCSV string

//go:embed brands.csv
var brandsCSV string

// Brand is a brand of phones.
type Brand struct {
	Name string
	Hero string // file, without its extension, of the photo on the brand's tile
	Tint string // ground of the tile, "#rrggbb"
}

// Model is one phone model. Amounts are whole US dollars.
type Model struct {
	Brand  string
	Name   string
	Year   int // of its launch
	Launch int // price new, without a contract, with the least storage
	Used   int // price today in good condition, with the least storage
	// Storage lists the sizes it was sold in, in GB, ascending; empty when
	// there was only one, which sellers do not mention.
	Storage []int
	Step    int // what each larger size added to Launch
	Traits  []string
	Photos  []Photo
	// Cameras and Screen name the back and the front of the drawing of a model
	// without photos; both are empty for one with photos.
	Cameras, Screen string
}

// Photo is a photo of a model. File is its name in the package of photos, without
// extension.
type Photo struct {
	File   string
	Colour string
	// BackFirst means that the back of the phone is on the left of the photo.
	BackFirst bool
	// Hex is the body's colour in a drawing, six digits; empty for a photo.
	Hex string
}

// Side is what one view of a phone shows.
type Side string

// The sides, in the order in which a gallery shows them.
const (
	Front Side = "front"
	Back  Side = "back"
	Edge  Side = "edge"
)

// Has returns whether the model has a property, such as "water" or "removable".
func (m Model) Has(trait string) bool { return slices.Contains(m.Traits, trait) }

// FullName returns the brand's name and the model's, without repeating the brand.
func (m Model) FullName() string {
	if strings.HasPrefix(m.Name, m.Brand+" ") {
		return m.Name
	}
	return m.Brand + " " + m.Name
}

var load = sync.OnceValues(func() ([]Model, error) {
	return rows(modelsCSV, 9, parseModel)
})

// All lists every model, by brand and then by year. It panics if the table
// compiled into the program is malformed, which the package's test rules out.
func All() []Model {
	all, err := load()
	if err != nil {
		panic("models.csv: " + err.Error())
	}
	return slices.Clone(all)
}

var loadDrawn = sync.OnceValues(func() ([]Model, error) {
	return rows(drawnCSV, 11, parseDrawn)
})

// Drawn lists the models since 2019, which are drawn, because there are no photos of
// them under a free licence. It panics as All does.
func Drawn() []Model {
	all, err := loadDrawn()
	if err != nil {
		panic("drawn.csv: " + err.Error())
	}
	return slices.Clone(all)
}

// Brands lists the brands in alphabetical order. It panics as All does.
func Brands() []Brand {
	all, err := rows(brandsCSV, 3, func(f []string) (Brand, error) {
		return Brand{Name: f[0], Hero: f[1], Tint: f[2]}, nil
	})
	if err != nil {
		panic("brands.csv: " + err.Error())
	}
	return all
}

func rows[T any](text string, fields int, parse func([]string) (T, error)) ([]T, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = fields
	records, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	out := make([]T, 0, len(records)-1)
	for i, record := range records[1:] { // the first line names the columns
		row, err := parse(record)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
		out = append(out, row)
	}
	return out, nil
}

// backFirst follows a photo's colour if the back is on the left.
const backFirst = "back first"

func parseModel(f []string) (Model, error) {
	m, err := parseFacts(f)
	if err != nil {
		return m, err
	}
	for _, photo := range split(f[8]) {
		words := strings.Split(photo, ":")
		if len(words) < 2 || (len(words) == 3 && words[2] != backFirst) || len(words) > 3 {
			return m, fmt.Errorf("photo %q is not file:colour, or file:colour:%s", photo, backFirst)
		}
		m.Photos = append(m.Photos, Photo{File: words[0], Colour: words[1], BackFirst: len(words) == 3})
	}
	return m, nil
}

func parseDrawn(f []string) (Model, error) {
	m, err := parseFacts(f)
	if err != nil {
		return m, err
	}
	m.Cameras, m.Screen = f[8], f[9]
	for _, colour := range split(f[10]) {
		name, hex, _ := strings.Cut(colour, ":")
		if len(hex) != 6 {
			return m, fmt.Errorf("colour %q is not name:rrggbb", colour)
		}
		m.Photos = append(m.Photos, Photo{Colour: name, Hex: hex})
	}
	return m, nil
}

// parseFacts reads the columns that both tables begin with.
func parseFacts(f []string) (Model, error) {
	m := Model{Brand: f[0], Name: f[1], Traits: strings.Fields(f[7])}
	for i, into := range map[int]*int{2: &m.Year, 3: &m.Launch, 4: &m.Used, 6: &m.Step} {
		n, err := strconv.Atoi(f[i])
		if err != nil {
			return m, err
		}
		*into = n
	}
	for _, size := range split(f[5]) {
		n, err := strconv.Atoi(size)
		if err != nil {
			return m, err
		}
		m.Storage = append(m.Storage, n)
	}
	return m, nil
}

func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "|")
}
