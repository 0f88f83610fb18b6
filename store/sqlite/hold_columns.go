package sqlite

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"secondring/market"
)

// holdColumn makes the fields of a product's Hold columns of the product. They are NULL
// while the Hold is nil.
type holdColumn struct{ of **market.Hold }

func (c *holdColumn) text(field func(*market.Hold) *string) holdText { return holdText{c, field} }

func (c *holdColumn) time(field func(*market.Hold) *time.Time) holdTime { return holdTime{c, field} }

func (c *holdColumn) flag(field func(*market.Hold) *bool) holdFlag { return holdFlag{c, field} }

// hold returns the product's Hold, and makes it for the first column that is not NULL.
func (c *holdColumn) hold() *market.Hold {
	if *c.of == nil {
		*c.of = &market.Hold{}
	}
	return *c.of
}

type holdText struct {
	*holdColumn
	field func(*market.Hold) *string
}

// Value returns what is stored.
func (t holdText) Value() (driver.Value, error) {
	if *t.of == nil {
		return nil, nil
	}
	return *t.field(*t.of), nil
}

// Scan takes what was stored.
func (t holdText) Scan(src any) error {
	switch text := src.(type) {
	case nil:
		return nil
	case string:
		*t.field(t.hold()) = text
		return nil
	default:
		return fmt.Errorf("sqlite: a hold's text is stored as %T", src)
	}
}

type holdTime struct {
	*holdColumn
	field func(*market.Hold) *time.Time
}

// Value returns what is stored.
func (t holdTime) Value() (driver.Value, error) {
	if *t.of == nil {
		return nil, nil
	}
	return at(*t.field(*t.of)).Value()
}

// Scan takes what was stored.
func (t holdTime) Scan(src any) error {
	if src == nil {
		return nil
	}
	return when{t.field(t.hold())}.Scan(src)
}

type holdFlag struct {
	*holdColumn
	field func(*market.Hold) *bool
}

// Value returns what is stored.
func (f holdFlag) Value() (driver.Value, error) {
	if *f.of == nil {
		return nil, nil
	}
	return *f.field(*f.of), nil
}

// Scan takes what was stored. Holds from before the waitlist have NULL.
func (f holdFlag) Scan(src any) error {
	switch n := src.(type) {
	case nil:
		return nil
	case int64:
		*f.field(f.hold()) = n != 0
		return nil
	default:
		return fmt.Errorf("sqlite: a hold's flag is stored as %T", src)
	}
}

// noBrand turns the error of the only foreign key, a phone's brand, into ErrNotFound.
func noBrand(err error) error {
	if codeOf(err) == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY {
		return errors.Join(market.ErrNotFound, err)
	}
	return err
}
