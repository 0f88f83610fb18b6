package images

import (
	"context"
	"errors"
	"net/http/httptest"
	"os"
	"strconv"
	"testing"
	"time"

	"secondring/api/rest"
)

// mapCounter is a Counter whose windows last another hour.
type mapCounter map[string]int

func (c mapCounter) Count(ctx context.Context, key string, _ time.Duration, n int) (int, time.Duration, error) {
	c[key] += n
	return c[key], time.Hour, ctx.Err()
}

func person(uid string) []uploader { return []uploader{{key: uid, quotas: 1}} }

// A person with many accounts has the quota of a few.
func TestUploadQuotaPerNetwork(t *testing.T) {
	q := quota{counter: mapCounter{}, images: 2, bytes: 1 << 20}
	upload := func(account int, address string) error {
		ctx := rest.WithCaller(t.Context(), rest.Caller{Address: address})
		return q.begin(ctx, httptest.NewRecorder(), uploadersOf(ctx, strconv.Itoa(account)))
	}
	for account := range 2 * networkQuotas {
		if err := upload(account, "2001:db8::1"); err != nil {
			t.Fatalf("upload %d: %v", account, err)
		}
	}
	for address, want := range map[string]error{
		"2001:db8::2": errQuota, "2001:db8:0:1::1": nil, "203.0.113.7": nil, "127.0.0.1": nil, "::1": nil,
	} {
		if err := upload(99, address); !errors.Is(err, want) {
			t.Errorf("an upload from %s: %v, want %v", address, err, want)
		}
		q.counter.(mapCounter)["images:99"] = 0
	}
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
				if err := errors.Join(q.begin(t.Context(), httptest.NewRecorder(), person("a")), q.add(cancelled, person("a"), sixtyBytes)); err != nil {
					t.Fatal(err)
				}
			}
			w := httptest.NewRecorder()
			if err := q.begin(t.Context(), w, person("a")); !errors.Is(err, errQuota) || w.Header().Get("Retry-After") != "3601" {
				t.Errorf("%v, Retry-After %q", err, w.Header().Get("Retry-After"))
			}
			if err := q.begin(t.Context(), httptest.NewRecorder(), person("b")); err != nil {
				t.Errorf("another user: %v", err)
			}
		})
	}
	if err := (quota{}).begin(t.Context(), httptest.NewRecorder(), person("a")); err != nil {
		t.Errorf("without a counter: %v", err)
	}
}
