package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"

	"secondring/market"
)

// photosColumn keeps a phone's photographs as one JSON text: they are read and
// written together. Triggers keep the table product_pictures, by which they are
// found (pictures.go). None is NULL.
type photosColumn struct{ of *[]market.Photo }

// Value returns what is stored.
func (c photosColumn) Value() (driver.Value, error) {
	if len(*c.of) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(*c.of)
	return string(text), err
}

// Scan takes what was stored.
func (c photosColumn) Scan(src any) error {
	*c.of = nil
	switch text := src.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(text), c.of)
	default:
		return fmt.Errorf("sqlite: photographs are stored as %T", src)
	}
}
