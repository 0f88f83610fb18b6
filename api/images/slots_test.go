package images_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"os"
	"runtime"
	"testing"
	"time"
)

// slowUpload begins an upload that ends when the test calls finish. When slowUpload
// returns, the server has begun to read it.
func (e *env) slowUpload(uid string) (finish func() int) {
	e.t.Helper()
	body, contentType := form(e.t, part{"image", "a.jpg", jpegOf(e.t, quarters(64, 48))})
	reader, writer := io.Pipe()
	reading, status := make(chan struct{}), make(chan int, 1)
	ctx := httptrace.WithClientTrace(e.t.Context(), &httptrace.ClientTrace{Got100Continue: func() { close(reading) }})
	r, err := http.NewRequestWithContext(ctx, "POST", e.server.URL+"/images", reader)
	must(e.t, err)
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Test-Bearer", uid)
	r.Header.Set("Expect", "100-continue")
	transport := &http.Transport{ExpectContinueTimeout: time.Minute}
	e.t.Cleanup(transport.CloseIdleConnections)
	go func() {
		res, err := transport.RoundTrip(r)
		if err != nil {
			status <- 0
			return
		}
		_ = res.Body.Close()
		status <- res.StatusCode
	}()
	select {
	case <-reading:
	case got := <-status:
		e.t.Fatalf("the upload has status %d before it was read", got)
	}
	return func() int {
		_, err := writer.Write(body.Bytes())
		must(e.t, errors.Join(err, writer.Close()))
		return <-status
	}
}

// More than four slow uploads of one user are refused. They do not block other users, and
// leave no files after a kill.
func TestSlowUploadsPerUserAreLimited(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	e := newEnv(t)
	var finish []func() int
	for range 4 {
		finish = append(finish, e.slowUpload(seller.UID))
	}
	fifth := e.upload(jpegOf(t, quarters(64, 48)))
	fifth.wantError(429, "You are uploading too many images at once. Please wait until some uploads have finished.")
	if fifth.Header.Get("Retry-After") == "" {
		t.Error("the 429 has no Retry-After")
	}
	body, contentType := form(t, part{"image", "photo.jpg", jpegOf(t, quarters(64, 48))})
	e.post(body, contentType, func(r *http.Request) { r.Header.Set("Test-Bearer", other.UID) }).url()
	if files, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(files) != 0 && runtime.GOOS != "windows" {
		t.Errorf("temporary files with names: %v, %v", files, err)
	}
	for _, end := range finish {
		if status := end(); status != http.StatusOK {
			t.Errorf("a slow upload has status %d", status)
		}
	}
	e.upload(jpegOf(t, quarters(64, 48))).url()
}
