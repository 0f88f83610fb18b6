package sqlite

import (
	"database/sql/driver"
	"fmt"
	"time"

	"secondring/market"
)

// holdColumn stores the fields of a product's Hold as columns of the table products. They
// are NULL if the Hold is nil.
type holdColumn struct{ target **market.Hold }

func (c *holdColumn) text(field func(*market.Hold) *string) holdText { return holdText{c, field} }

func (c *holdColumn) time(field func(*market.Hold) *time.Time) holdTime { return holdTime{c, field} }

func (c *holdColumn) flag(field func(*market.Hold) *bool) holdFlag { return holdFlag{c, field} }

// ensureHold returns the product's Hold. It creates it if it is nil, which happens at the
// first column that is not NULL.
func (c *holdColumn) ensureHold() *market.Hold {
	if *c.target == nil {
		*c.target = &market.Hold{}
	}
	return *c.target
}

type holdText struct {
	*holdColumn
	field func(*market.Hold) *string
}

// Value returns the value to store, which is NULL if the Hold is nil.
func (t holdText) Value() (driver.Value, error) {
	if *t.target == nil {
		return nil, nil
	}
	return *t.field(*t.target), nil
}

// Scan sets the field to a stored value. It leaves the field unchanged for NULL.
func (t holdText) Scan(src any) error {
	switch text := src.(type) {
	case nil:
		return nil
	case string:
		*t.field(t.ensureHold()) = text
		return nil
	default:
		return fmt.Errorf("sqlite: a hold's text is stored as %T", src)
	}
}

type holdTime struct {
	*holdColumn
	field func(*market.Hold) *time.Time
}

// Value returns the value to store, which is NULL if the Hold is nil.
func (t holdTime) Value() (driver.Value, error) {
	if *t.target == nil {
		return nil, nil
	}
	return timeParam(*t.field(*t.target)).Value()
}

// Scan sets the field to a stored value. It leaves the field unchanged for NULL.
func (t holdTime) Scan(src any) error {
	if src == nil {
		return nil
	}
	return timeColumn{t.field(t.ensureHold())}.Scan(src)
}

type holdFlag struct {
	*holdColumn
	field func(*market.Hold) *bool
}

// Value returns the value to store, which is NULL if the Hold is nil.
func (f holdFlag) Value() (driver.Value, error) {
	if *f.target == nil {
		return nil, nil
	}
	return *f.field(*f.target), nil
}

// Scan sets the field to a stored value. It leaves the field unchanged for NULL, which is
// also stored for holds that were made before waitlists existed.
func (f holdFlag) Scan(src any) error {
	switch n := src.(type) {
	case nil:
		return nil
	case int64:
		*f.field(f.ensureHold()) = n != 0
		return nil
	default:
		return fmt.Errorf("sqlite: a hold's flag is stored as %T", src)
	}
}
