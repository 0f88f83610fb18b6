package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxFields is how many fields an object of a body may have. A body of 1 MB with nothing
// but fields would take 20 MB as a map.
const maxFields = 1000

// object reads a JSON object into its fields; false for anything else. Of two fields of one
// name the last counts. It stops at one field above maxFields.
func object(raw []byte) (map[string]json.RawMessage, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if !reads(d, json.Delim('{')) {
		return nil, false
	}
	fields := map[string]json.RawMessage{}
	for d.More() {
		if len(fields) > maxFields {
			return fields, true
		}
		token, err := d.Token()
		name, isName := token.(string)
		var value json.RawMessage
		if err != nil || !isName || d.Decode(&value) != nil {
			return nil, false
		}
		fields[name] = value
	}
	return fields, reads(d, json.Delim('}')) && atEnd(d)
}

// list reads the first values of a JSON list; false for anything else.
func list(raw []byte, limit int) ([]json.RawMessage, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if !reads(d, json.Delim('[')) {
		return nil, false
	}
	values := []json.RawMessage{}
	for d.More() {
		if len(values) == limit {
			return values, true
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil, false
		}
		values = append(values, value)
	}
	return values, reads(d, json.Delim(']')) && atEnd(d)
}

// reads tells whether the next token is this one.
func reads(d *json.Decoder, want json.Delim) bool {
	token, err := d.Token()
	return err == nil && token == want
}

// atEnd tells whether nothing follows.
func atEnd(d *json.Decoder) bool {
	_, err := d.Token()
	return errors.Is(err, io.EOF)
}
