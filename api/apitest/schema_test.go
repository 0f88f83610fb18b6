package apitest_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// schema has the parts of JSON Schema that the document uses.
type schema struct {
	Ref         string `json:"$ref"`
	Type        string
	Format      string
	Enum        []any
	Required    []string
	Properties  map[string]*schema
	Additional  *schema `json:"additionalProperties"`
	Items       *schema
	Minimum     *float64
	Maximum     *float64
	MaxLength   *int
	MinItems    *int
	MaxItems    *int
	Description string
}

// schemas has the document's schemas by name.
type schemas map[string]*schema

func (s schemas) of(one *schema) *schema {
	for one != nil && one.Ref != "" {
		one = s[one.Ref[strings.LastIndex(one.Ref, "/")+1:]]
	}
	return one
}

// check returns how a value differs from its schema; "" if it does not. A property that the
// schema does not name is a difference.
func (s schemas) check(at string, one *schema, value any) string {
	one = s.of(one)
	if one == nil {
		return at + " has no schema"
	}
	if one.Type == "" && one.Ref == "" && len(one.Properties) == 0 { // anything
		return ""
	}
	if len(one.Enum) > 0 && !slices.Contains(one.Enum, value) {
		return fmt.Sprintf("%s is %v, none of %v", at, value, one.Enum)
	}
	switch v := value.(type) {
	case map[string]any:
		return s.checkObject(at, one, v)
	case []any:
		if one.Type != "array" || one.MinItems != nil && len(v) < *one.MinItems || one.MaxItems != nil && len(v) > *one.MaxItems {
			return fmt.Sprintf("%s is a list of %d", at, len(v))
		}
		for i, item := range v {
			if wrong := s.check(fmt.Sprintf("%s[%d]", at, i), one.Items, item); wrong != "" {
				return wrong
			}
		}
	case string:
		return checkText(at, one, v)
	case float64:
		whole := v == math.Trunc(v)
		if one.Type != "number" && (one.Type != "integer" || !whole) || one.Minimum != nil && v < *one.Minimum || one.Maximum != nil && v > *one.Maximum {
			return fmt.Sprintf("%s is %v", at, v)
		}
	case bool:
		if one.Type != "boolean" {
			return fmt.Sprintf("%s is %v", at, v)
		}
	default:
		return at + " is null"
	}
	return ""
}

func (s schemas) checkObject(at string, one *schema, value map[string]any) string {
	if one.Type != "object" {
		return at + " is an object"
	}
	for _, name := range one.Required {
		if _, there := value[name]; !there {
			return at + " has no " + name
		}
	}
	for name, v := range value {
		property := one.Properties[name]
		if property == nil {
			property = one.Additional
		}
		if wrong := s.check(at+"."+name, property, v); wrong != "" {
			return wrong
		}
	}
	return ""
}

func checkText(at string, one *schema, v string) string {
	var err error
	switch one.Format {
	case "date":
		_, err = time.Parse(time.DateOnly, v)
	case "date-time":
		_, err = time.Parse(time.RFC3339, v)
	}
	if one.Type != "string" || err != nil || one.MaxLength != nil && utf8.RuneCountInString(v) > *one.MaxLength {
		return fmt.Sprintf("%s is %.60q", at, v)
	}
	return ""
}

// described has the document's responses.
type described struct {
	Ref     string `json:"$ref"`
	Content map[string]struct{ Schema *schema }
}

// checkAnswer returns how a response differs from the document.
func (d *document) checkAnswer(responses map[string]described, a answer) string {
	said, listed := responses[fmt.Sprint(a.StatusCode)]
	if !listed {
		return "a status that the document does not list"
	}
	if said.Ref != "" {
		said = d.Components.Responses[said.Ref[strings.LastIndex(said.Ref, "/")+1:]]
	}
	if a.StatusCode/100 == 3 { // net/http adds a body to redirects
		return ""
	}
	media, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	content, listed := said.Content[media]
	if !listed && (len(said.Content) > 0 || len(a.body) > 0) {
		return fmt.Sprintf("a body of type %q", media)
	}
	if media != "application/json" {
		return ""
	}
	var value any
	if err := json.Unmarshal(a.body, &value); err != nil {
		return err.Error()
	}
	return d.Components.Schemas.check("the body", content.Schema, value)
}
