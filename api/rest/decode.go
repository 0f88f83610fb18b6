package rest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"secondring/market"
	"secondring/market/texts"
)

// maxItems is how many items of a list are read. Every list has a lower limit, so a longer one is
// refused anyway.
const maxItems = 250

// Decode reads a request's JSON object into a T: a struct, or a map of texts. Unknown fields are
// ignored. Texts are cleaned by their names (cleaners). An integer with the tag number:"price" or
// number:"digits" may also be sent as a text (numbers). The returned fields have a wrong type; the
// market returns them with the errors of its own checks. Decode returns 415 for another type than
// JSON, 413 for more than MaxBody, and 400 for anything but one complete JSON object.
func Decode[T any](w http.ResponseWriter, r *http.Request) (T, market.Fields, error) {
	return decode[T](w, r, false)
}

// DecodeOptional is Decode for a call whose body may be missing or empty. Then it returns the
// zero value.
func DecodeOptional[T any](w http.ResponseWriter, r *http.Request) (T, market.Fields, error) {
	return decode[T](w, r, true)
}

func decode[T any](w http.ResponseWriter, r *http.Request, optional bool) (into T, wrong market.Fields, err error) {
	raw, err := readBody(w, r)
	if optional && err == nil && len(raw) == 0 {
		return into, nil, nil
	}
	if err = cmp.Or(mustBeJSON(r), err); err == nil {
		err = mustBeObject(raw)
	}
	if err != nil {
		return into, nil, err
	}
	d := decoder{market.Fields{}}
	d.value(raw, reflect.ValueOf(&into).Elem(), "", "")
	return into, d.wrong, nil
}

// decoder reads the values of a body one by one with encoding/json, because json.Unmarshal of the
// whole body returns an error only for the first one that has a wrong type.
type decoder struct{ wrong market.Fields }

// value reads one value of valid JSON. name is that of its field. path is the name with those of the
// objects and lists around it, as in photos[2].url.
func (d decoder) value(raw []byte, into reflect.Value, name, path string) {
	switch into.Kind() {
	case reflect.Struct:
		d.object(raw, into, path)
	case reflect.Map:
		d.texts(raw, into, path)
	case reflect.Slice:
		d.list(raw, into, path)
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		d.value(raw, into.Elem(), name, path)
	default:
		d.unmarshal(raw, into.Addr().Interface(), path)
		cleanText(into.Addr().Interface(), name)
	}
}

func (d decoder) object(raw []byte, into reflect.Value, path string) {
	sent, prefix := d.fields(raw, path)
	for i := range into.NumField() {
		tag := into.Type().Field(i).Tag
		name, _, _ := strings.Cut(tag.Get("json"), ",")
		value, isSent := sent[name]
		if !isSent || string(value) == "null" {
			continue
		}
		var text string
		if parse := numbers[tag.Get("number")]; parse != nil && json.Unmarshal(value, &text) == nil {
			number, reason := parse(text)
			if value = strconv.AppendInt(nil, int64(number), 10); reason != "" {
				d.wrong.Add(prefix+name, reason)
			}
		}
		d.value(value, into.Field(i), name, prefix+name)
	}
}

// texts reads an object of texts, whose names are not known.
func (d decoder) texts(raw []byte, into reflect.Value, path string) {
	sent, prefix := d.fields(raw, path)
	if len(sent) > maxItems {
		d.wrong.Add(path, fmt.Sprintf("must have at most %d", maxItems))
		return
	}
	texts := map[string]string{}
	for name, value := range sent {
		var text string
		d.value(value, reflect.ValueOf(&text).Elem(), name, prefix+name)
		texts[name] = text
	}
	into.Set(reflect.ValueOf(texts))
}

// list leaves nil what is no list; an empty list is not nil.
func (d decoder) list(raw []byte, into reflect.Value, path string) {
	var items []json.RawMessage
	if !d.unmarshal(raw, &items, path) {
		return
	}
	n := min(len(items), maxItems)
	into.Set(reflect.MakeSlice(into.Type(), n, n))
	for i, item := range items[:n] {
		d.value(item, into.Index(i), "", fmt.Sprintf("%s[%d]", path, i))
	}
}

// fields returns the fields of an object, and what comes before their names in a path. Of two fields
// with the same name the last one counts.
func (d decoder) fields(raw []byte, path string) (sent map[string]json.RawMessage, prefix string) {
	if path != "" {
		prefix = path + "."
	}
	if d.unmarshal(raw, &sent, path) && sent == nil { // null
		d.wrong.Add(path, "must be an object")
	}
	return sent, prefix
}

// unmarshal is json.Unmarshal with its error as the reason why a field is wrong. The reason contains
// nothing of what was sent.
func (d decoder) unmarshal(raw []byte, into any, path string) (ok bool) {
	err := json.Unmarshal(raw, into)
	if err == nil {
		return true
	}
	reason := "must be a text"
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		switch mismatch.Type.Kind() {
		case reflect.Int:
			reason = "must be a whole number"
		case reflect.Bool:
			reason = "must be true or false"
		case reflect.Slice:
			reason = "must be a list"
		case reflect.Map:
			reason = "must be an object"
		}
	}
	d.wrong.Add(path, reason)
	return false
}

// numbers parse an integer that was sent as a text, by the tag of its field. They return the reason if
// it is none.
var numbers = map[string]func(text string) (number int, reason string){
	"price":  texts.ParseDollars,
	"digits": parseDigits,
}

// parseDigits parses what HTML forms send of a number.
func parseDigits(text string) (number int, reason string) {
	number, err := strconv.Atoi(texts.CleanNumber(text))
	if err != nil || number < 0 {
		return 0, "must be a whole number"
	}
	return number, ""
}
