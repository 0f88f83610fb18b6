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

// schema is the part of JSON Schema that the document uses.
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

// schemas are the document's schemas by name.
type schemas map[string]*schema

func (s schemas) of(want *schema) *schema {
	for want != nil && want.Ref != "" {
		want = s[want.Ref[strings.LastIndex(want.Ref, "/")+1:]]
	}
	return want
}

// check returns how a value differs from its schema; "" if it does not. A property that the
// schema does not name is a difference.
func (s schemas) check(at string, want *schema, value any) string {
	want = s.of(want)
	if want == nil {
		return at + " has no schema"
	}
	if want.Type == "" && want.Ref == "" && len(want.Properties) == 0 { // anything
		return ""
	}
	if len(want.Enum) > 0 && !slices.Contains(want.Enum, value) {
		return fmt.Sprintf("%s is %v, none of %v", at, value, want.Enum)
	}
	switch v := value.(type) {
	case map[string]any:
		return s.checkObject(at, want, v)
	case []any:
		if want.Type != "array" || want.MinItems != nil && len(v) < *want.MinItems || want.MaxItems != nil && len(v) > *want.MaxItems {
			return fmt.Sprintf("%s is a list of %d", at, len(v))
		}
		for i, item := range v {
			if wrong := s.check(fmt.Sprintf("%s[%d]", at, i), want.Items, item); wrong != "" {
				return wrong
			}
		}
	case string:
		return checkText(at, want, v)
	case float64:
		isInteger := v == math.Trunc(v)
		if want.Type != "number" && (want.Type != "integer" || !isInteger) || want.Minimum != nil && v < *want.Minimum || want.Maximum != nil && v > *want.Maximum {
			return fmt.Sprintf("%s is %v", at, v)
		}
	case bool:
		if want.Type != "boolean" {
			return fmt.Sprintf("%s is %v", at, v)
		}
	default:
		return at + " is null"
	}
	return ""
}

func (s schemas) checkObject(at string, want *schema, value map[string]any) string {
	if want.Type != "object" {
		return at + " is an object"
	}
	for _, name := range want.Required {
		if _, exists := value[name]; !exists {
			return at + " has no " + name
		}
	}
	for name, v := range value {
		property := want.Properties[name]
		if property == nil {
			property = want.Additional
		}
		if wrong := s.check(at+"."+name, property, v); wrong != "" {
			return wrong
		}
	}
	return ""
}

func checkText(at string, want *schema, v string) string {
	var err error
	switch want.Format {
	case "date":
		_, err = time.Parse(time.DateOnly, v)
	case "date-time":
		_, err = time.Parse(time.RFC3339, v)
	}
	if want.Type != "string" || err != nil || want.MaxLength != nil && utf8.RuneCountInString(v) > *want.MaxLength {
		return fmt.Sprintf("%s is %.60q", at, v)
	}
	return ""
}

// responseSchema is one response of an operation.
type responseSchema struct {
	Ref     string `json:"$ref"`
	Content map[string]struct{ Schema *schema }
}

// checkResponse returns how a response differs from the document.
func (d *document) checkResponse(responses map[string]responseSchema, a response) string {
	want, listed := responses[fmt.Sprint(a.StatusCode)]
	if !listed {
		return "the document does not list the status"
	}
	if want.Ref != "" {
		want = d.Components.Responses[want.Ref[strings.LastIndex(want.Ref, "/")+1:]]
	}
	if a.StatusCode/100 == 3 { // net/http adds a body to redirects
		return ""
	}
	media, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	content, listed := want.Content[media]
	if !listed && (len(want.Content) > 0 || len(a.body) > 0) {
		return fmt.Sprintf("the document does not list a body of type %q", media)
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
