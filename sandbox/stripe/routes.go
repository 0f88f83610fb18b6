package stripe

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
)

// apiVersion is the version of Stripe's API that the sandbox implements: the one that
// stripe-go v76 requests, and whose events it accepts.
const apiVersion = "2023-10-16"

// object is a JSON object.
type object map[string]any

// caller is the kind of caller, by its key.
type caller int

const (
	secretKey caller = iota
	publishableKey
)

// call is one request whose key and parameters are valid.
type call struct {
	who     caller
	id      string // the ID in the path
	request string // the ID of the request
	key     string // the Idempotency-Key; "" if there is none
	account string // the connected account in the header Stripe-Account; "" if there is none
	// op identifies the work. Each repetition of a request with an Idempotency-Key
	// has the same op, and the ids of what it creates are made from it. So work that was
	// done, but whose response was not sent because the process was killed, is found again.
	op string
	params
}

// endpoint is one kind of request. T is the type of what check returns.
type endpoint[T any] struct {
	public  bool     // the publishable key is sufficient, with the right client secret
	allowed []string // its parameters
	// check checks the parameters alone. A request that it refuses stores nothing, not even
	// the idempotency key. Its result is passed to run.
	check func(s *Sandbox, c *call) (T, error)
	run   func(ctx context.Context, s *Sandbox, c *call, checked T) (object, error)
}

// none is the T of an endpoint whose check returns only errors.
type none struct{}

// response is a status and a body. It is stored for repeated requests.
type response struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
}

// routes returns the router of all calls.
func (s *Sandbox) routes() http.Handler {
	r := chi.NewRouter()
	r.Route(Path, func(r chi.Router) {
		addFiles(r)
		s.addOnboarding(r)
		r.Post("/v1/payment_intents", handle(s, createIntent))
		r.Get("/v1/payment_intents", handle(s, listIntents))
		r.Get("/v1/payment_intents/{id}", handle(s, retrieveIntent))
		r.Post("/v1/payment_intents/{id}/confirm", handle(s, confirmIntent))
		r.Post("/v1/payment_intents/{id}/cancel", handle(s, cancelIntent))
		r.Post("/v1/payment_intents/{id}/authenticate", handle(s, authenticateIntent))
		r.Post("/v1/payment_methods", handle(s, createMethod))
		r.Post("/v1/refunds", handle(s, createRefund))
		r.Get("/v1/refunds/{id}", handle(s, retrieveRefund))
		r.Get("/v1/charges/{id}", handle(s, retrieveCharge))
		r.Post("/v1/accounts", handle(s, createAccount))
		r.Get("/v1/accounts/{id}", handle(s, retrieveAccount))
		r.Post("/v1/account_links", handle(s, createLink))
		r.Post("/v1/transfers", handle(s, createTransfer))
		r.Get("/v1/transfers", handle(s, listTransfers))
		r.Get("/v1/transfers/{id}", handle(s, retrieveTransfer))
		r.Post("/v1/transfers/{id}/reversals", handle(s, createReversal))
		r.Post("/v1/payouts", handle(s, createPayout))
		r.Get("/v1/disputes", handle(s, listDisputes))
		r.Post("/v1/disputes/{id}", handle(s, updateDispute))
	})
	r.NotFound(s.unknown)
	r.MethodNotAllowed(s.unknown)
	return r
}

// handle returns the handler of an endpoint.
func handle[T any](s *Sandbox, e endpoint[T]) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		request := "req_" + rand.Text()[:14]
		w.Header().Set("Request-Id", request)
		w.Header().Set("Stripe-Version", apiVersion)
		c, checked, err := read(s, e, r)
		if err != nil {
			s.respond(r.Context(), w, response{}, err)
			return
		}
		c.request = request
		if c.key != "" {
			w.Header().Set("Idempotency-Key", c.key)
		}
		run := func(ctx context.Context) (response, error) { return outcome(e.run(ctx, s, c, checked)) }
		if c.key == "" || r.Method != http.MethodPost {
			c.op = rand.Text()
			a, err := run(r.Context())
			s.respond(r.Context(), w, a, err)
			return
		}
		a, original, err := s.runOnce(r.Context(), r, c, run)
		if original != "" {
			w.Header().Set("Idempotent-Replayed", "true")
			w.Header().Set("Original-Request", original)
		}
		s.respond(r.Context(), w, a, err)
	}
}

// read authenticates a request, and reads and checks its parameters.
func read[T any](s *Sandbox, e endpoint[T], r *http.Request) (c *call, checked T, err error) {
	who, err := s.identify(r)
	if err != nil {
		return nil, checked, err
	}
	if who == publishableKey && !e.public {
		return nil, checked, &failure{
			Status: http.StatusForbidden, Type: invalidRequest, Code: "secret_key_required",
			Message: "This call needs the secret key; a publishable one was used.",
		}
	}
	p, err := readParams(r, e.allowed)
	if err != nil {
		return nil, checked, err
	}
	c = &call{
		who: who, id: chi.URLParam(r, "id"), key: strings.TrimSpace(r.Header.Get("Idempotency-Key")),
		account: r.Header.Get("Stripe-Account"), params: p,
	}
	if len(c.key) > maxKey {
		return nil, checked, badRequest("", "", "An idempotency key can have at most 255 characters.")
	}
	checked, err = e.check(s, c)
	return c, checked, err
}

// identify returns which key the request has, as a bearer token or as the user of basic
// authentication.
func (s *Sandbox) identify(r *http.Request) (caller, error) {
	scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if user, _, basic := r.BasicAuth(); basic {
		key = user
	} else if !strings.EqualFold(scheme, "Bearer") {
		key = ""
	}
	refused := &failure{Status: http.StatusUnauthorized, Type: invalidRequest}
	switch key = strings.TrimSpace(key); {
	case key == "":
		refused.Message = "You did not provide an API key: send it as a bearer in the Authorization header."
		return 0, refused
	case secureEqual(key, s.config.SecretKey):
		return secretKey, nil
	case secureEqual(key, s.config.PublishableKey):
		return publishableKey, nil
	default: // the key is not in the response: it may be a live one
		refused.Message = "Invalid API Key provided."
		return 0, refused
	}
}

// outcome converts the result of a run to a response. It returns an error if the error is not about
// the request; then the run may be repeated.
func outcome(o object, err error) (response, error) {
	var f *failure
	switch {
	case errors.As(err, &f):
		return errorResponse(f), nil
	case err != nil:
		return response{}, err
	}
	body, err := json.Marshal(o)
	return response{http.StatusOK, body}, err
}

// errorResponse converts a failure to a response.
func errorResponse(f *failure) response {
	body, err := json.Marshal(map[string]*failure{"error": f})
	if err != nil { // impossible for the types of a failure
		return response{http.StatusInternalServerError, json.RawMessage(`{}`)}
	}
	return response{f.Status, body}
}

// respond writes the response to a call. It logs an error of the sandbox, unless the call has
// ended because the caller has disconnected.
func (s *Sandbox) respond(ctx context.Context, w http.ResponseWriter, a response, err error) {
	var f *failure
	switch {
	case errors.As(err, &f):
		a = errorResponse(f)
	case err != nil:
		if !errors.Is(ctx.Err(), context.Canceled) {
			s.config.Log.ErrorContext(ctx, "the payment sandbox failed", "request", w.Header().Get("Request-Id"), "error", err)
		}
		a = errorResponse(&failure{
			Status: http.StatusInternalServerError, Type: apiError, Message: "The sandbox could not do this now. Try again.",
		})
	}
	write(w, a)
}

func write(w http.ResponseWriter, a response) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	if a.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Basic realm="Stripe sandbox"`)
	}
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // fails only if the caller has disconnected
}
