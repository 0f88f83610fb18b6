package openapi

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// The data of docs.html, made from the OpenAPI description.
type (
	docsView struct {
		Title, About string
		Groups       []docsGroup
		Schemas      []docsSchema
	}
	docsGroup struct {
		Name, About string
		Calls       []docsCall
	}
	docsCall struct {
		ID, Method, Path, Summary, Access string
		Params                            []docsField
		Body                              []docsType
		Responses                         []docsResponse
	}
	docsResponse struct {
		Status, About string
		Type          docsType
	}
	docsSchema struct {
		Name   string
		Fields []docsField
	}
	docsField struct {
		Name, About string
		Required    bool
		Type        docsType
	}
	// docsType describes a type, and has the name of its schema if it has one.
	docsType struct{ Text, Schema string }
)

func groupOf(doc *huma.OpenAPI, tag *huma.Tag) docsGroup {
	group := docsGroup{Name: tag.Name, About: tag.Description}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		item := doc.Paths[path]
		for _, on := range []struct {
			method string
			op     *huma.Operation
		}{
			{http.MethodGet, item.Get},
			{http.MethodPost, item.Post},
			{http.MethodPut, item.Put},
			{http.MethodPatch, item.Patch},
			{http.MethodDelete, item.Delete},
		} {
			if on.op != nil && slices.Contains(on.op.Tags, tag.Name) {
				group.Calls = append(group.Calls, callOf(doc, on.method, path, on.op))
			}
		}
	}
	return group
}

func callOf(doc *huma.OpenAPI, method, path string, op *huma.Operation) docsCall {
	call := docsCall{ID: op.OperationID, Method: method, Path: path, Summary: op.Summary, Access: accessOf(op)}
	for _, p := range op.Parameters {
		call.Params = append(call.Params, docsField{Name: p.Name, About: p.Description, Required: p.Required, Type: typeOf(p.Schema)})
	}
	if op.RequestBody != nil {
		for media, content := range op.RequestBody.Content {
			body := typeOf(content.Schema)
			if media != jsonMedia {
				body.Text = media + " " + body.Text
			}
			call.Body = append(call.Body, body)
		}
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		response := op.Responses[status]
		if name := response.Ref[strings.LastIndex(response.Ref, "/")+1:]; name != "" {
			response = doc.Components.Responses[name]
		}
		view := docsResponse{Status: status, About: response.Description}
		for media, content := range response.Content {
			if view.Type = typeOf(content.Schema); media != jsonMedia {
				view.Type = docsType{Text: media}
			}
		}
		call.Responses = append(call.Responses, view)
	}
	return call
}

// accessOf returns in words which credentials a call requires.
func accessOf(op *huma.Operation) string {
	ways := []string{}
	for _, scheme := range op.Security {
		ways = append(ways, slices.Sorted(maps.Keys(scheme))...)
		if len(scheme) == 0 {
			ways = append(ways, "none")
		}
	}
	if len(ways) == 0 {
		return "none"
	}
	return strings.Join(ways, " or ")
}

func fieldsOf(s *huma.Schema) []docsField {
	fields := []docsField{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		fields = append(fields, docsField{
			Name: name, About: property.Description, Required: slices.Contains(s.Required, name), Type: typeOf(property),
		})
	}
	return fields
}

func typeOf(s *huma.Schema) docsType {
	switch {
	case s.Ref != "":
		name := s.Ref[strings.LastIndex(s.Ref, "/")+1:]
		return docsType{Text: name, Schema: name}
	case s.Type == huma.TypeArray:
		inner := typeOf(s.Items)
		return docsType{Text: "list of " + inner.Text, Schema: inner.Schema}
	case len(s.Enum) > 0:
		choices := []string{}
		for _, choice := range s.Enum {
			choices = append(choices, fmt.Sprint(choice))
		}
		return docsType{Text: strings.Join(choices, " | ")}
	case s.Format != "" && s.Type == huma.TypeString:
		return docsType{Text: s.Format}
	}
	return docsType{Text: s.Type}
}
