package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"
)

// timeColumn stores a time as milliseconds since 1970, UTC, and the zero time as NULL. It is used
// as a parameter and as a destination of Scan.
type timeColumn struct{ t *time.Time }

// Value returns the value to store.
func (c timeColumn) Value() (driver.Value, error) {
	if c.t.IsZero() {
		return nil, nil
	}
	return c.t.UnixMilli(), nil
}

// Scan sets the field to a stored value.
func (c timeColumn) Scan(src any) error {
	switch ms := src.(type) {
	case nil:
		*c.t = time.Time{}
	case int64:
		*c.t = time.UnixMilli(ms).UTC()
	default:
		return fmt.Errorf("sqlite: a time is stored as %T", src)
	}
	return nil
}

// timeParam returns the parameter of a time that is not a field.
func timeParam(t time.Time) timeColumn { return timeColumn{&t} }

// jsonColumn stores a field as JSON, for fields whose parts no statement of this package reads;
// triggers and the generated column bookings.state read some. A nil pointer or an empty list is
// NULL.
type jsonColumn[T any] struct{ field *T }

// Value returns the value to store.
func (c jsonColumn[T]) Value() (driver.Value, error) {
	text, err := json.Marshal(*c.field)
	if s := string(text); err != nil || s == "null" || s == "[]" {
		return nil, err
	}
	return string(text), nil
}

// Scan sets the field to a stored value.
func (c jsonColumn[T]) Scan(src any) error {
	var zero T
	*c.field = zero
	switch text := src.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(text), c.field)
	default:
		return fmt.Errorf("sqlite: JSON is stored as %T", src)
	}
}

// asJSON returns the column of a field that is stored as JSON.
func asJSON[T any](field *T) jsonColumn[T] { return jsonColumn[T]{field} }
