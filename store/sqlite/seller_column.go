package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"

	"secondring/market"
)

// sellerColumn keeps how to reach a paid order's seller as one JSON text: it is
// read and written together, and nothing is ever looked up by it. None is NULL.
type sellerColumn struct{ of **market.Contact }

// Value returns what is stored.
func (c sellerColumn) Value() (driver.Value, error) {
	if *c.of == nil {
		return nil, nil
	}
	text, err := json.Marshal(*c.of)
	return string(text), err
}

// Scan takes what was stored.
func (c sellerColumn) Scan(src any) error {
	*c.of = nil
	switch text := src.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(text), c.of)
	default:
		return fmt.Errorf("sqlite: an order's seller is stored as %T", src)
	}
}
