package rest

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
)

// InProcess returns an HTTP client that passes every request to a handler of this process
// and ignores the request's host. The server calls its sandboxes with it, so that they work
// behind any address, proxy or port.
func InProcess(handler http.Handler) *http.Client {
	return &http.Client{Transport: inProcess{handler}}
}

// inProcess is a transport that calls a handler.
type inProcess struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	in := r.Clone(r.Context())
	in.RequestURI = r.URL.RequestURI()
	if in.Body == nil {
		in.Body = http.NoBody
	}
	body := in.Body // the handler may replace it by a limited one
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

// reply records the response of a handler.
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
