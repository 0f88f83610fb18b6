package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"secondring/hub"
	"secondring/market"
)

// maxBody is how long an event's data may be, in bytes: the limit of request bodies in the
// product.
const maxBody = 1 << 20

// eventType is the type of every published event.
const eventType = "bench"

// topicPrefix is the prefix of all topics, so that no published event reaches the topics of
// the hub itself, such as the one that ends sessions.
const topicPrefix = "bench/"

// authorize is the Authorize of hub.Config: every viewer may read every topic.
func authorize(ctx context.Context, v hub.Viewer, topic string) (brokerTopic string, ok bool, err error) {
	_, ok, err = hub.AllowAnyTopic(ctx, v, topic)
	return topicPrefix + topic, ok, err
}

// publish publishes the body of a request, unchanged, as an event's data. It responds with
// 204 after the broker has accepted the event.
func (s *server) publish(w http.ResponseWriter, r *http.Request) {
	topic, ok, _ := authorize(r.Context(), hub.Viewer{}, r.URL.Query().Get("topic"))
	if !ok {
		http.Error(w, "topic is to be 1 to 64 of A-Z, a-z, 0-9, colon, underscore and hyphen", http.StatusBadRequest)
		return
	}
	data, err := readBody(w, r)
	var tooBig *http.MaxBytesError
	switch {
	case errors.As(err, &tooBig):
		http.Error(w, "the body is over 1 MB", http.StatusRequestEntityTooLarge)
		return
	case err != nil || !json.Valid(data):
		http.Error(w, "the body is not JSON", http.StatusBadRequest)
		return
	}
	e := market.Event{Topic: topic, Type: eventType, At: time.Now(), Data: data}
	if err := s.broker.Publish(r.Context(), []market.Event{e}); err != nil {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "the broker does not take it", http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// readBody reads the whole body, into one buffer if its length is declared.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if n := r.ContentLength; n > 0 && n <= maxBody {
		data := make([]byte, n)
		_, err := io.ReadFull(r.Body, data)
		return data, err
	}
	return io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
}
