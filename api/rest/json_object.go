package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxFields is the maximum number of fields in an object of a body. A body of 1 MB with
// nothing but fields would use 20 MB as a map.
const maxFields = 1000

// object parses a JSON object into its fields. It returns false for anything else. Of two
// fields with the same name the last one counts. It stops at one field above maxFields.
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

// list parses the first limit values of a JSON list. It returns false for anything else.
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

// reads returns whether the next token is this one.
func reads(d *json.Decoder, expected json.Delim) bool {
	token, err := d.Token()
	return err == nil && token == expected
}

// atEnd returns whether the input has ended.
func atEnd(d *json.Decoder) bool {
	_, err := d.Token()
	return errors.Is(err, io.EOF)
}
