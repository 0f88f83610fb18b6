package stripe

import (
	"errors"
	"maps"
	"mime"
	"net/http"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of parameters.
const (
	maxValue        = 5000 // characters of any value
	maxMetadata     = 50   // pairs
	maxMetadataKey  = 40   // characters
	maxMetadataText = 500  // characters
)

// params are a request's parameters. Only lists have more than one value.
type params struct{ values url.Values }

// listKey matches the index in a list's key: expand[0] becomes expand[].
var listKey = regexp.MustCompile(`\[\d+\]$`)

// readParams reads the query of a GET or the form of a POST. It returns an error for a parameter
// that is not allowed. In the allowed names, [*] stands for any one key and [] for
// the index of a list.
func readParams(r *http.Request, allowed []string) (params, error) {
	sent := r.URL.Query()
	if r.Method == http.MethodPost {
		if err := readForm(r); err != nil {
			return params{}, err
		}
		sent = r.PostForm
	}
	p := params{url.Values{}}
	for _, key := range slices.Sorted(maps.Keys(sent)) {
		values := sent[key]
		name, known := parameterName(key, allowed)
		if !known {
			return params{}, badRequest("parameter_unknown", key, "Received unknown parameter: "+short(key))
		}
		list := strings.HasSuffix(name, "[]")
		if len(values) > 1 && !list {
			return params{}, badRequest("", key, "This parameter may be given once only.")
		}
		for _, v := range values {
			if !utf8.ValidString(v) || !utf8.ValidString(key) || utf8.RuneCountInString(v) > maxValue {
				return params{}, badRequest("", short(key), "Invalid string: it must be UTF-8 of at most 5000 characters.")
			}
		}
		p.values[name] = append(p.values[name], values...)
	}
	return p, nil
}

// parameterName returns the name of a parameter that was sent with a key, which is another one for
// an element of a list. It returns false if the parameter is not allowed. A number is also a valid
// key in place of [*].
func parameterName(key string, allowed []string) (name string, known bool) {
	for _, name := range []string{key, listKey.ReplaceAllString(key, "[]")} {
		if slices.ContainsFunc(allowed, func(k string) bool { return k == name || anyKey(k, name) }) {
			return name, true
		}
	}
	return "", false
}

func readForm(r *http.Request) error {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.Header.Get("Content-Type") != "" && (err != nil || media != "application/x-www-form-urlencoded") {
		return badRequest("", "", "Invalid request: the content type must be application/x-www-form-urlencoded.")
	}
	err = r.ParseForm()
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return &failure{Status: http.StatusRequestEntityTooLarge, Type: invalidRequest, Message: "The request's body is too long."}
	case err != nil:
		return badRequest("", "", "Invalid request: its body could not be read as a form.")
	}
	return nil
}

// anyKey reports whether a name matches a pattern like metadata[*], with one key in place of
// the star.
func anyKey(known, name string) bool {
	stem, starred := strings.CutSuffix(known, "[*]")
	key, ok := strings.CutPrefix(name, stem+"[")
	return starred && ok && len(key) > 1 && strings.IndexByte(key, ']') == len(key)-1 && !strings.Contains(key, "[")
}

// short shortens a value for an error message.
func short(s string) string {
	s = strings.ToValidUTF8(s, "?")
	if utf8.RuneCountInString(s) > 100 {
		s = string([]rune(s)[:100]) + "…"
	}
	return s
}

func (p params) text(name string) string      { return p.values.Get(name) }
func (p params) has(name string) bool         { return p.values.Has(name) }
func (p params) list(name string) []string    { return p.values[name+"[]"] }
func (p params) expands(property string) bool { return slices.Contains(p.list("expand"), property) }

// hasAny reports whether the request has a parameter in a hash such as payment_method_data.
func (p params) hasAny(hash string) bool {
	for name := range p.values {
		if strings.HasPrefix(name, hash+"[") {
			return true
		}
	}
	return false
}

// required returns a parameter. It returns an error if the parameter is missing or empty.
func (p params) required(name string) (string, error) {
	switch v := p.text(name); {
	case !p.has(name):
		return "", badRequest("parameter_missing", name, "Missing required param: "+name+".")
	case v == "":
		return "", badRequest("parameter_invalid_empty", name, "This parameter must not be empty.")
	default:
		return v, nil
	}
}

// oneOf returns a parameter; "" if it is missing. It returns an error if it is not one of the words.
func (p params) oneOf(name string, words ...string) (string, error) {
	v := p.text(name)
	if !p.has(name) || slices.Contains(words, v) {
		return v, nil
	}
	return "", badRequest("", name, "Invalid "+name+": must be one of "+strings.Join(words, ", ")+".")
}

func (p params) flag(name string) (bool, error) {
	v, err := p.oneOf(name, "true", "false")
	return v == "true", err
}

// positive returns a whole number, such as an amount in cents. It returns an error if the number
// is missing or less than 1.
func (p params) positive(name string) (int64, error) {
	v, err := p.required(name)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || strings.HasPrefix(v, "+") {
		return 0, badRequest("parameter_invalid_integer", name, "Invalid integer: "+short(v))
	}
	if n < 1 {
		return 0, badRequest("parameter_invalid_integer", name, "This value must be at least 1.")
	}
	return n, nil
}

func (p params) email(name string) (string, error) {
	v := p.text(name)
	if v == "" {
		return "", nil
	}
	if at, err := mail.ParseAddress(v); err != nil || at.Address != v || len(v) > 512 {
		return "", badRequest("email_invalid", name, "Invalid email address.")
	}
	return v, nil
}

func (p params) url(name string) error {
	if v := p.text(name); v != "" {
		if u, err := url.Parse(v); err != nil || u.Host == "" {
			return badRequest("url_invalid", name, "Not a valid URL.")
		}
	}
	return nil
}

// metadata returns the metadata. It skips keys without a value.
func (p params) metadata() (map[string]string, error) {
	pairs := map[string]string{}
	for name, values := range p.values {
		key, ok := strings.CutPrefix(name, "metadata[")
		if !ok || values[0] == "" {
			continue
		}
		key = strings.TrimSuffix(key, "]")
		switch {
		case utf8.RuneCountInString(key) > maxMetadataKey:
			return nil, badRequest("", "metadata", "Metadata keys can have at most 40 characters.")
		case utf8.RuneCountInString(values[0]) > maxMetadataText:
			return nil, badRequest("", short(name), "Metadata values can have at most 500 characters.")
		}
		pairs[key] = values[0]
	}
	if len(pairs) > maxMetadata {
		return nil, badRequest("", "metadata", "Metadata can have at most 50 keys.")
	}
	return pairs, nil
}

// expandable checks the names of the objects to expand, which are shown in place of their ids.
func (p params) expandable(properties ...string) error {
	for _, e := range p.list("expand") {
		if !slices.Contains(properties, e) {
			return badRequest("", "expand", "This property cannot be expanded: "+short(e))
		}
	}
	return nil
}

// within returns the parameters for a part of the response: the properties to expand in
// it.
func (p params) within(property string) params {
	inner := params{url.Values{}}
	for _, e := range p.list("expand") {
		if rest, ok := strings.CutPrefix(e, property+"."); ok {
			inner.values.Add("expand[]", rest)
		}
	}
	return inner
}
