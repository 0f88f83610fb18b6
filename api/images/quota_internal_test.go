package images

import (
	"context"
	"errors"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

// mapCounter is a Counter whose windows last another hour.
type mapCounter map[string]int

func (c mapCounter) Count(ctx context.Context, key string, _ time.Duration, n int) (int, time.Duration, error) {
	c[key] += n
	return c[key], time.Hour, ctx.Err()
}

func TestUploadQuotaPerUser(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	if err == nil {
		err = errors.Join(file.Truncate(60), file.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	sixtyBytes, err := os.Open(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sixtyBytes.Close() }()
	for name, q := range map[string]quota{
		"images": {counter: mapCounter{}, images: 2, bytes: 1 << 20},
		"bytes":  {counter: mapCounter{}, images: 99, bytes: 100},
	} {
		t.Run(name, func(t *testing.T) {
			cancelled, cancel := context.WithCancel(t.Context())
			cancel()
			for range 2 {
				if err := errors.Join(q.begin(t.Context(), httptest.NewRecorder(), "a"), q.add(cancelled, "a", sixtyBytes)); err != nil {
					t.Fatal(err)
				}
			}
			w := httptest.NewRecorder()
			if err := q.begin(t.Context(), w, "a"); !errors.Is(err, errQuota) || w.Header().Get("Retry-After") != "3601" {
				t.Errorf("%v, Retry-After %q", err, w.Header().Get("Retry-After"))
			}
			if err := q.begin(t.Context(), httptest.NewRecorder(), "b"); err != nil {
				t.Errorf("another user: %v", err)
			}
		})
	}
	if err := (quota{}).begin(t.Context(), httptest.NewRecorder(), "a"); err != nil {
		t.Errorf("without a counter: %v", err)
	}
}
