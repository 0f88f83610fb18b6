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

// apiVersion is the version of Stripe's API whose forms these are: the one that
// stripe-go v76 asks for and accepts events of.
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
	id      string // of the path
	request string // its own id
	key     string // the Idempotency-Key; "" without
	account string // the connected account of the header Stripe-Account; "" without
	// op identifies the work. Each repetition of a request with an Idempotency-Key
	// has the same op, and the ids of what it creates are made from it. So work that was
	// done, but not answered because the process was killed, is found again.
	op string
	params
}

// endpoint is one kind of request.
type endpoint struct {
	public bool     // the publishable key is enough, with the right client secret
	known  []string // its parameters
	// check checks the parameters alone. A request that it refuses stores nothing, not even
	// the idempotency key. Its result is passed to run.
	check func(s *Sandbox, c *call) (any, error)
	run   func(ctx context.Context, s *Sandbox, c *call, checked any) (object, error)
}

// answer is a status and a body, kept for repetitions.
type answer struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
}

// call serves an endpoint.
func (s *Sandbox) call(e endpoint) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		request := "req_" + rand.Text()[:14]
		w.Header().Set("Request-Id", request)
		w.Header().Set("Stripe-Version", apiVersion)
		c, checked, err := s.read(e, r)
		if err != nil {
			s.answer(r.Context(), w, answer{}, err)
			return
		}
		c.request = request
		if c.key != "" {
			w.Header().Set("Idempotency-Key", c.key)
		}
		run := func(ctx context.Context) (answer, error) { return outcome(e.run(ctx, s, c, checked)) }
		if c.key == "" || r.Method != http.MethodPost {
			c.op = rand.Text()
			a, err := run(r.Context())
			s.answer(r.Context(), w, a, err)
			return
		}
		a, original, err := s.once(r.Context(), r, c, run)
		if original != "" {
			w.Header().Set("Idempotent-Replayed", "true")
			w.Header().Set("Original-Request", original)
		}
		s.answer(r.Context(), w, a, err)
	}
}

// read reads a request: who calls, and with which parameters.
func (s *Sandbox) read(e endpoint, r *http.Request) (*call, any, error) {
	who, err := s.identify(r)
	if err != nil {
		return nil, nil, err
	}
	if who == publishableKey && !e.public {
		return nil, nil, &failure{
			Status: http.StatusForbidden, Type: invalidRequest, Code: "secret_key_required",
			Message: "This call needs the secret key; a publishable one was used.",
		}
	}
	p, err := readParams(r, e.known)
	if err != nil {
		return nil, nil, err
	}
	c := &call{who: who, id: chi.URLParam(r, "id"), key: strings.TrimSpace(r.Header.Get("Idempotency-Key")), account: r.Header.Get("Stripe-Account"), params: p}
	if len(c.key) > maxKey {
		return nil, nil, refuse("", "", "An idempotency key can have at most 255 characters.")
	}
	checked, err := e.check(s, c)
	return c, checked, err
}

// identify finds the key, given as a bearer or as the user of basic
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
	case same(key, s.config.SecretKey):
		return secretKey, nil
	case same(key, s.config.PublishableKey):
		return publishableKey, nil
	default: // the key is not in the answer: it may be a real one
		refused.Message = "Invalid API Key provided."
		return 0, refused
	}
}

// outcome makes an answer of the result of a run. It returns an error if that is not about
// the request; such a run may be repeated.
func outcome(o object, err error) (answer, error) {
	var f *failure
	switch {
	case errors.As(err, &f):
		return fail(f), nil
	case err != nil:
		return answer{}, err
	}
	body, err := json.Marshal(o)
	return answer{http.StatusOK, body}, err
}

// fail is a failure as an answer.
func fail(f *failure) answer {
	body, err := json.Marshal(map[string]*failure{"error": f})
	if err != nil { // only for a type that no failure has
		return answer{http.StatusInternalServerError, json.RawMessage(`{}`)}
	}
	return answer{f.Status, body}
}

// answer writes the response to a call.
func (s *Sandbox) answer(ctx context.Context, w http.ResponseWriter, a answer, err error) {
	var f *failure
	switch {
	case errors.As(err, &f):
		a = fail(f)
	case err != nil:
		s.config.Log.ErrorContext(ctx, "the payment sandbox failed", "request", w.Header().Get("Request-Id"), "error", err)
		a = fail(&failure{
			Status: http.StatusInternalServerError, Type: apiError, Message: "The sandbox could not do this now. Try again.",
		})
	}
	write(w, a)
}

func write(w http.ResponseWriter, a answer) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	if a.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Basic realm="Stripe sandbox"`)
	}
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // fails only if the caller has disconnected
}
