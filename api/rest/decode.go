package rest

import (
	"net/http"
	"reflect"
	"strings"

	"secondring/market"
)

// Decode reads a request's JSON body into a T: a struct of string, int, *string and *int
// fields, and of lists of such structs, by their json names. An integer with the tag
// number:"price" is read by Body.Price, one with number:"digits" by Body.Digits. The returned fields have a wrong type; the market
// returns them with the errors of its own checks. Unknown fields are ignored. It returns
// the errors of ReadBody.
func Decode[T any](w http.ResponseWriter, r *http.Request) (T, market.Fields, error) {
	var into T
	body, err := ReadBody(w, r)
	if err != nil {
		return into, nil, err
	}
	decode(body, reflect.ValueOf(&into).Elem())
	return into, body.Wrong, nil
}

// DecodeOptional is Decode for a call whose body may be missing or empty. Then it returns the
// zero value.
func DecodeOptional[T any](w http.ResponseWriter, r *http.Request) (T, market.Fields, error) {
	var none T
	if err := BufferBody(w, r); err != nil {
		return none, nil, err
	}
	if body, isBuffered := r.Body.(bufferedBody); !isBuffered || len(body.all) == 0 {
		return none, nil, nil
	}
	return Decode[T](w, r)
}

func decode(body *Body, target reflect.Value) {
	for i := range target.NumField() {
		tag := target.Type().Field(i).Tag
		name, _, _ := strings.Cut(tag.Get("json"), ",")
		integer := body.Int
		switch tag.Get("number") {
		case "price":
			integer = body.Price
		case "digits":
			integer = body.Digits
		}
		switch field := target.Field(i).Addr().Interface().(type) {
		case *string:
			*field = body.Text(name)
		case *int:
			*field = integer(name)
		case **string:
			*field = body.OptText(name)
		case **int:
			*field = body.optInt(name, integer)
		default:
			decodeList(body, name, target.Field(i))
		}
	}
}

// decodeList sets the list to nil if it was not sent; an empty list is not nil.
func decodeList(body *Body, name string, target reflect.Value) {
	if target.Kind() != reflect.Slice || target.Type().Elem().Kind() != reflect.Struct {
		panic("rest: Decode cannot read " + name)
	}
	objects := body.Objects(name)
	if objects == nil {
		return
	}
	target.Set(reflect.MakeSlice(target.Type(), len(objects), len(objects)))
	for i, object := range objects {
		decode(object, target.Index(i))
	}
}
