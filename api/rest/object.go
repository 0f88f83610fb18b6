package rest

import (
	"bytes"
	"encoding/json"
)

const (
	// fieldsRoom is how many fields room is made for: a new phone has sixteen.
	fieldsRoom = 16
	// maxFields is how many names an object may have: as a megabyte of nothing but
	// names it would become twenty in memory.
	maxFields = 1000
)

// object parts a JSON object, in valid UTF-8, into its fields; false for anything else. Of two
// fields of one name the last counts. The values are parts of raw: nothing is
// copied, and what a field holds is looked at where it is asked for. Past maxFields
// it gives up, with one more than that.
func object(raw []byte) (map[string]json.RawMessage, bool) {
	rest := blanks(raw)
	if len(rest) == 0 || rest[0] != '{' || !json.Valid(raw) {
		return nil, false
	}
	fields := make(map[string]json.RawMessage, fieldsRoom)
	for rest = blanks(rest[1:]); rest[0] == '"' && len(fields) <= maxFields; {
		end := textEnd(rest)
		name := fieldName(rest[:end])
		rest = blanks(blanks(rest[end:])[len(":"):])
		end = valueEnd(rest)
		fields[name] = json.RawMessage(rest[:end:end])
		if rest = blanks(rest[end:]); rest[0] == ',' {
			rest = blanks(rest[1:])
		}
	}
	return fields, true
}

// list parts a JSON list into its values, without copying them, up to so many;
// false for what is no list. The JSON is valid.
func list(raw []byte, most int) ([]json.RawMessage, bool) {
	rest := blanks(raw)
	if len(rest) == 0 || rest[0] != '[' {
		return nil, false
	}
	values := []json.RawMessage{}
	for rest = blanks(rest[1:]); rest[0] != ']' && len(values) < most; {
		end := valueEnd(rest)
		values = append(values, json.RawMessage(rest[:end:end]))
		if rest = blanks(rest[end:]); rest[0] == ',' {
			rest = blanks(rest[1:])
		}
	}
	return values, true
}

func blanks(raw []byte) []byte { return bytes.TrimLeft(raw, " \t\r\n") }

// fieldName reads the text of a name.
func fieldName(text []byte) string {
	name, plain := unescaped(text)
	if !plain {
		_ = json.Unmarshal(text, &name) // it is valid: that was seen before
	}
	return name
}

// textEnd is where the text at the beginning of valid JSON ends.
func textEnd(raw []byte) int {
	for i := 1; ; i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

// valueEnd is where the value at the beginning of valid JSON ends, in an object
// or a list.
func valueEnd(raw []byte) int {
	depth := 0
	for i := 0; ; i++ {
		switch raw[i] {
		case '"':
			i += textEnd(raw[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i // of what it is in
			}
			depth--
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
}
