package openapi

import (
	"reflect"
	"regexp"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"secondring/api/rest"
)

var pathParam = regexp.MustCompile(`\{(\w+)\}`)

func operation(schemas huma.Registry, route rest.Route) *huma.Operation {
	op := &huma.Operation{
		OperationID: route.ID, Summary: route.Summary, Tags: []string{route.Tag},
		Parameters: parameters(schemas, route), Responses: responses(schemas, route), Security: security(route.Access),
	}
	switch {
	case route.Body != nil:
		op.RequestBody = body(jsonMedia, schemaOf(schemas, route.Body), !route.OptionalBody)
	case route.Form != nil:
		op.RequestBody = body(formMedia, formOf(route.Form), true)
	}
	return op
}

func body(media string, schema *huma.Schema, required bool) *huma.RequestBody {
	return &huma.RequestBody{Required: required, Content: map[string]*huma.MediaType{media: {Schema: schema}}}
}

// formOf describes a multipart form by the fields of a struct.
func formOf(form any) *huma.Schema {
	schema := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}}
	for _, field := range reflect.VisibleFields(reflect.TypeOf(form)) {
		name := field.Tag.Get("json")
		schema.Properties[name] = &huma.Schema{Type: huma.TypeString, Format: "binary", Description: field.Tag.Get("doc")}
		schema.Required = append(schema.Required, name)
	}
	return schema
}

func schemaOf(schemas huma.Registry, value any) *huma.Schema {
	schema := huma.SchemaFromType(schemas, reflect.TypeOf(value))
	if t := reflect.TypeOf(value); t.Kind() == reflect.Struct {
		schema = schemas.Schema(t, true, "")
	}
	relax(schema)
	return schema
}

func parameters(schemas huma.Registry, route rest.Route) []*huma.Param {
	params := []*huma.Param{}
	for _, match := range pathParam.FindAllStringSubmatch(route.Path, -1) {
		params = append(params, &huma.Param{Name: match[1], In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}})
	}
	query := route.Query
	if route.IsList {
		query = append(slices.Clip(query), rest.PageParams...)
	}
	for _, q := range query {
		sample := q.Type
		if sample == nil {
			sample = ""
		}
		schema := schemaOf(schemas, sample)
		if route.IsList && q.Name == "limit" {
			low, high := 1.0, float64(rest.MaxLimit)
			schema.Minimum, schema.Maximum, schema.Default = &low, &high, rest.DefaultLimit
		}
		params = append(params, &huma.Param{Name: q.Name, In: "query", Description: q.Description, Required: q.Required, Schema: schema})
	}
	return params
}

func security(access rest.Access) []map[string][]string {
	bearer, cookie := map[string][]string{"bearer": {}}, map[string][]string{"cookie": {}}
	switch access {
	case rest.Bearer:
		return []map[string][]string{bearer, cookie}
	case rest.Optional:
		return []map[string][]string{bearer, cookie, {}}
	case rest.Cookie:
		return []map[string][]string{cookie}
	default:
		return nil
	}
}
