package api

import (
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"secondring/api/rest"
)

const (
	jsonMedia = "application/json"
	formMedia = "multipart/form-data"
)

var tags = []*huma.Tag{
	{Name: "identity", Description: "Sign-up, sign-in, access tokens"},
	{Name: "brands", Description: "Brands, also called categories, and their phones"},
	{Name: "products", Description: "Phones on the market"},
	{Name: "bookings", Description: "Orders"},
	{Name: "reports", Description: "Complaints about phones"},
	{Name: "users", Description: "People of the market"},
	{Name: "images", Description: "The image host"},
	{Name: "live", Description: "What changes, as it changes"},
	{Name: "operations", Description: "For the client's start and for those who run the server"},
}

// Document is the OpenAPI 3.1 description of a table of calls, as JSON.
func Document(calls []rest.Call) ([]byte, error) {
	doc, err := json.Marshal(describe(calls))
	if err != nil {
		return nil, err
	}
	var indented strings.Builder
	encoder := json.NewEncoder(&indented)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(json.RawMessage(doc))
	return []byte(indented.String()), err
}

func describe(calls []rest.Call) *huma.OpenAPI {
	schemas := huma.NewMapRegistry("#/components/schemas/", schemaName)
	doc := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "SecondRing", Version: "1.0.0",
			Description: "A live marketplace for used phones. Lists are plain arrays, newest first. " +
				"Prices are whole US dollars. Unknown fields are ignored.",
		},
		Tags:  tags,
		Paths: map[string]*huma.PathItem{},
		Components: &huma.Components{
			Schemas: schemas,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"bearer": {Type: "http", Scheme: "bearer", Description: "An access token from GET /jwt"},
				"cookie": {Type: "apiKey", In: "cookie", Name: "sr_session", Description: "The identity provider's session; over https the name begins with __Host-"},
			},
		},
	}
	for _, call := range calls {
		item, known := doc.Paths[call.Path]
		if !known {
			item = &huma.PathItem{}
			doc.Paths[call.Path] = item
		}
		place(item, call.Method, operation(schemas, call))
	}
	for _, schema := range schemas.Map() {
		relax(schema)
	}
	return doc
}

// schemaName is the type's name as the callers know it.
func schemaName(t reflect.Type, hint string) string {
	return strings.TrimSuffix(huma.DefaultSchemaNamer(t, hint), "View")
}

// relax says what the readers of bodies do: they ignore what they do not know,
// and no list is null.
func relax(s *huma.Schema) {
	if s.Type == huma.TypeObject && s.AdditionalProperties == false {
		s.AdditionalProperties = nil
	}
	if s.Type == huma.TypeArray {
		s.Nullable = false
	}
	for _, property := range s.Properties {
		property.Nullable = false // what has no value is left out
		relax(property)
	}
	if s.Items != nil {
		relax(s.Items)
	}
}

func place(item *huma.PathItem, method string, op *huma.Operation) {
	switch method {
	case http.MethodGet:
		item.Get = op
	case http.MethodPost:
		item.Post = op
	case http.MethodPut:
		item.Put = op
	case http.MethodPatch:
		item.Patch = op
	case http.MethodDelete:
		item.Delete = op
	}
}

var pathParam = regexp.MustCompile(`\{(\w+)\}`)

func operation(schemas huma.Registry, c rest.Call) *huma.Operation {
	op := &huma.Operation{
		OperationID: c.ID, Summary: c.Summary, Tags: []string{c.Tag},
		Parameters: parameters(schemas, c), Responses: responses(schemas, c), Security: security(c.Access),
	}
	body, media := c.Body, jsonMedia
	if c.Form != nil {
		body, media = c.Form, formMedia
	}
	if body != nil {
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{media: {Schema: schemaOf(schemas, body)}}}
	}
	return op
}

func schemaOf(schemas huma.Registry, value any) *huma.Schema {
	schema := huma.SchemaFromType(schemas, reflect.TypeOf(value))
	if t := reflect.TypeOf(value); t.Kind() == reflect.Struct {
		schema = schemas.Schema(t, true, "")
	}
	relax(schema)
	return schema
}

func parameters(schemas huma.Registry, c rest.Call) []*huma.Param {
	params := []*huma.Param{}
	for _, match := range pathParam.FindAllStringSubmatch(c.Path, -1) {
		params = append(params, &huma.Param{Name: match[1], In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}})
	}
	query := c.Query
	if c.Lists {
		query = append(slices.Clip(query), rest.PageParams...)
	}
	for _, q := range query {
		sample := q.Type
		if sample == nil {
			sample = ""
		}
		schema := schemaOf(schemas, sample)
		if c.Lists && q.Name == "limit" {
			low, high := 1.0, float64(rest.MaxLimit)
			schema.Minimum, schema.Maximum, schema.Default = &low, &high, rest.DefaultLimit
		}
		params = append(params, &huma.Param{Name: q.Name, In: "query", Description: q.About, Required: q.Required, Schema: schema})
	}
	return params
}

func security(access rest.Access) []map[string][]string {
	bearer, cookie := map[string][]string{"bearer": {}}, map[string][]string{"cookie": {}}
	switch access {
	case rest.Bearer:
		return []map[string][]string{bearer}
	case rest.Optional:
		return []map[string][]string{bearer, {}}
	case rest.Cookie:
		return []map[string][]string{cookie}
	case rest.Either:
		return []map[string][]string{bearer, cookie}
	default:
		return nil
	}
}

func responses(schemas huma.Registry, c rest.Call) map[string]*huma.Response {
	success := &huma.Response{Description: "Done", Headers: map[string]*huma.Param{}}
	if c.Media != "" {
		success.Content = map[string]*huma.MediaType{c.Media: {Schema: &huma.Schema{Type: huma.TypeString}}}
	} else if c.Answer != nil {
		success.Content = map[string]*huma.MediaType{jsonMedia: {Schema: schemaOf(schemas, c.Answer)}}
	}
	if c.Lists {
		for name, about := range listHeaders {
			success.Headers[name] = &huma.Param{Description: about, Schema: &huma.Schema{Type: huma.TypeString}}
		}
	}
	all := map[string]*huma.Response{strconv.Itoa(c.Success()): success}
	for _, status := range refusals(c) {
		all[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status),
			Content:     map[string]*huma.MediaType{jsonMedia: {Schema: schemaOf(schemas, rest.Refusal{})}},
		}
	}
	return all
}

var listHeaders = map[string]string{
	"X-Total-Count": "How many there are in all",
	"Link":          "The next page, with rel=next, where there is one",
	"Live-Position": "topic=position, to subscribe from at GET /live, where the list has a topic for this reader",
}

// refusals are the statuses a call may fail with: its own, and those that its
// credentials, its body and its list bring.
func refusals(c rest.Call) []int {
	all := append([]int{http.StatusInternalServerError, http.StatusServiceUnavailable}, c.Refuses...)
	if c.Access != rest.Anyone {
		all = append(all, http.StatusUnauthorized)
	}
	if c.Access == rest.Cookie && c.Method != http.MethodGet {
		all = append(all, http.StatusForbidden)
	}
	if !c.Free {
		all = append(all, http.StatusTooManyRequests)
	}
	if c.Lists {
		all = append(all, http.StatusBadRequest)
	}
	if c.Body != nil || c.Form != nil {
		all = append(all, http.StatusBadRequest, http.StatusRequestEntityTooLarge,
			http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity)
	}
	return all
}
