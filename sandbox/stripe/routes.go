package stripe

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"secondring/market"
	"secondring/sandbox/page"
)

// object is a JSON object.
type object map[string]any

// call is a request with a valid key.
type call struct {
	id        string                // the ID in the path
	form      url.Values            // the parameters in the query or the body
	file      *multipart.FileHeader // of the call that uploads one
	isBrowser bool                  // it has the publishable key, so it needs the client secret of its intent
	account   string                // the connected account in the header Stripe-Account
	// op identifies the work. Each repetition of a request with an Idempotency-Key
	// has the same op, and the IDs of what it creates are made from it. So work that was
	// done, but whose response was not sent because the process was killed, is found again.
	op string
}

// operation does the work of a call and returns the response's object. It returns a *failure, or
// market.ErrNotFound, if the call is wrong.
type operation func(ctx context.Context, c *call) (object, error)

// routes returns the routes of all calls, pages and files.
func (s *Sandbox) routes() *http.ServeMux {
	const secret, public = false, true // whether the publishable key is sufficient
	mux := http.NewServeMux()
	for _, route := range []struct {
		pattern  string
		isPublic bool
		do       operation
	}{
		{"POST /v1/payment_intents", secret, s.createIntent},
		{"GET /v1/payment_intents", secret, s.listIntents},
		{"GET /v1/payment_intents/{id}", public, s.retrieveIntent},
		{"POST /v1/payment_intents/{id}/confirm", public, s.confirmIntent},
		{"POST /v1/payment_intents/{id}/authenticate", public, s.authenticateIntent},
		{"POST /v1/payment_intents/{id}/cancel", secret, s.cancelIntent},
		{"POST /v1/payment_methods", public, s.createMethod},
		{"POST /v1/refunds", secret, s.createRefund},
		{"GET /v1/disputes", secret, s.listDisputes},
		{"GET /v1/disputes/{id}", secret, s.retrieveDispute},
		{"POST /v1/disputes/{id}", secret, s.updateDispute},
		{"POST /v1/files", secret, s.createFile},
		{"GET /v1/files/{id}", secret, s.retrieveFile},
		{"POST /v1/accounts", secret, s.createAccount},
		{"GET /v1/accounts/{id}", secret, s.retrieveAccount},
		{"POST /v1/account_links", secret, s.createLink},
		{"POST /v1/payouts", secret, s.createPayout},
		{"POST /v1/transfers", secret, s.createTransfer},
		{"GET /v1/transfers", secret, s.listTransfers},
		{"GET /v1/transfers/{id}", secret, s.retrieveTransfer},
		{"POST /v1/transfers/{id}/reversals", secret, s.createReversal},
	} {
		mux.HandleFunc(under(route.pattern), s.handle(route.isPublic, route.do))
	}
	mux.HandleFunc(under("GET /onboarding/{id}"), s.showOnboarding)
	mux.HandleFunc(under("POST /onboarding/{id}"), s.endOnboarding)
	mux.HandleFunc(under("GET /onboarding.css"), page.Style)
	mux.Handle(under("GET /v3.js"), staticFile("script/stripe.js"))
	mux.Handle(under("GET /v3.css"), staticFile("script/stripe.css"))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		write(w, failed(&failure{
			Status: http.StatusNotFound, Type: invalidRequest, Message: "Unrecognized request URL (" + r.Method + ": " + r.URL.Path + ").",
		}))
	})
	return mux
}

// under returns a pattern for the router, with its path below Path.
func under(pattern string) string { return strings.Replace(pattern, " ", " "+Path, 1) }

// handle returns the handler of a call. It logs an error of the sandbox, unless the caller has
// disconnected.
func (s *Sandbox) handle(isPublic bool, do operation) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id := "req_" + rand.Text()
		w.Header().Set("Request-Id", id)
		a, err := s.respond(r, isPublic, do)
		if err != nil {
			if r.Context().Err() == nil {
				s.config.Log.ErrorContext(r.Context(), "the payment sandbox failed", "request", id, "error", err)
			}
			a = failed(&failure{Status: http.StatusInternalServerError, Type: apiError, Message: "The sandbox could not do this now. Try again."})
		}
		write(w, a)
	}
}

// respond does the work of a request, once if it has an Idempotency-Key.
func (s *Sandbox) respond(r *http.Request, isPublic bool, do operation) (response, error) {
	c, err := s.read(r, isPublic)
	if err != nil {
		return responseOf(nil, err)
	}
	if key := r.Header.Get("Idempotency-Key"); key != "" && r.Method == http.MethodPost && !c.isBrowser {
		return s.once(r, key, c, do)
	}
	return responseOf(do(r.Context(), c))
}

// read authenticates a request and reads its parameters.
func (s *Sandbox) read(r *http.Request, isPublic bool) (*call, error) {
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	c := &call{id: r.PathValue("id"), account: r.Header.Get("Stripe-Account"), op: rand.Text()}
	switch c.isBrowser = secureEqual(key, s.config.PublishableKey); {
	case c.isBrowser && !isPublic:
		return nil, &failure{
			Status: http.StatusForbidden, Type: invalidRequest, Code: "secret_key_required",
			Message: "This call needs the secret key; a publishable one was used.",
		}
	case !c.isBrowser && !secureEqual(key, s.config.SecretKey): // the response does not contain the key, which may be a live one
		return nil, &failure{Status: http.StatusUnauthorized, Type: invalidRequest, Message: "Invalid API Key provided."}
	}
	if err := parseForm(r); err != nil {
		return nil, invalid("", "", "The parameters cannot be read as a form.")
	}
	c.form = r.Form
	if form := r.MultipartForm; form != nil && len(form.File["file"]) == 1 {
		c.file = form.File["file"][0]
	}
	return c, nil
}

// parseForm reads the parameters, also those beside a file.
func parseForm(r *http.Request) error {
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		return r.ParseMultipartForm(maxUpload)
	}
	return r.ParseForm()
}

// text returns a parameter; "" if it is missing.
func (c *call) text(name string) string { return c.form.Get(name) }

// cents returns an amount.
func (c *call) cents(name string) (int64, error) {
	const most = 99_999_999
	n, err := strconv.ParseInt(c.text(name), 10, 64)
	if err != nil || n < 1 || n > most {
		return 0, invalid("parameter_invalid_integer", name, "This value must be a whole number from 1 to 99999999.")
	}
	return n, nil
}

// list returns the elements of a list, which are sent as name[] or name[0].
func (c *call) list(name string) (all []string) {
	for _, key := range slices.Sorted(maps.Keys(c.form)) {
		if strings.HasPrefix(key, name+"[") {
			all = append(all, c.form[key]...)
		}
	}
	return all
}

// expands reports whether an object or a part of it is to be in the response in place of its ID.
func (c *call) expands(property string) bool {
	return slices.ContainsFunc(c.list("expand"), func(e string) bool { return e == property || strings.HasPrefix(e, property+".") })
}

func (c *call) metadata() map[string]string { return c.pairs("metadata") }

// pairs returns the values of an object, which are sent as name[key].
func (c *call) pairs(object string) map[string]string {
	pairs := map[string]string{}
	for name := range c.form {
		if key, ok := strings.CutPrefix(name, object+"["); ok {
			pairs[strings.TrimSuffix(key, "]")] = c.text(name)
		}
	}
	return pairs
}

// response is a status and a body. It is stored for repeated requests.
type response struct {
	Status     int             `json:"status"`
	Body       json.RawMessage `json:"body"`
	isRepeated bool
}

// responseOf converts the result of an operation to a response. It returns an error if the error is
// not about the call; then the call may be repeated.
func responseOf(o object, err error) (response, error) {
	var f *failure
	switch {
	case errors.As(err, &f):
		return failed(f), nil
	case errors.Is(err, market.ErrNotFound):
		return failed(missing("")), nil
	case err != nil:
		return response{}, err
	}
	body, err := json.Marshal(o)
	return response{Status: http.StatusOK, Body: body}, err
}

func failed(f *failure) response {
	body, err := json.Marshal(object{"error": f})
	if err != nil { // impossible for the types of a failure
		panic(err)
	}
	return response{Status: f.Status, Body: body}
}

func write(w http.ResponseWriter, a response) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	if a.isRepeated {
		h.Set("Idempotent-Replayed", "true")
	}
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // fails only if the caller has disconnected
}
