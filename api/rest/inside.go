package rest

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
)

// Inside returns an HTTP client whose requests reach a handler inside the
// process, whatever host they name. The product asks its sandboxes through it,
// so that they work whatever address, proxy or port lies before the server.
func Inside(handler http.Handler) *http.Client { return &http.Client{Transport: inside{handler}} }

// inside is a transport that calls a handler.
type inside struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (t inside) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	in := r.Clone(r.Context())
	in.RequestURI = r.URL.RequestURI()
	if in.Body == nil {
		in.Body = http.NoBody
	}
	body := in.Body // the handler may put a limit around it
	out := &reply{header: http.Header{}}
	t.handler.ServeHTTP(out, in)
	if err := body.Close(); err != nil {
		return nil, err
	}
	out.WriteHeader(http.StatusOK)
	return &http.Response{
		Status: strconv.Itoa(out.status) + " " + http.StatusText(out.status), StatusCode: out.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: out.header, Body: io.NopCloser(&out.body), ContentLength: int64(out.body.Len()), Request: r,
	}, nil
}

// reply keeps what a handler answers.
type reply struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (w *reply) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *reply) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write implements http.ResponseWriter.
func (w *reply) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}
