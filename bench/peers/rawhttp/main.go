// Command rawhttp is a reference for the highest rate of reads with Go's HTTP server.
// It sends prepared bytes from memory and checks no credentials. The generator sends these
// bytes with PUT before the measurement.
package main

import (
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
)

func main() {
	var mu sync.RWMutex
	bodies := map[string][]byte{}
	handle := func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			mu.Lock()
			bodies[r.URL.Path] = body
			mu.Unlock()
			return
		}
		mu.RLock()
		body, ok := bodies[r.URL.Path]
		mu.RUnlock()
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		h := w.Header()
		h["Content-Type"] = []string{"application/json"}
		h["Content-Length"] = []string{strconv.Itoa(len(body))}
		_, _ = w.Write(body)
	}
	panic(http.ListenAndServe(os.Getenv("ADDR"), http.HandlerFunc(handle)))
}
