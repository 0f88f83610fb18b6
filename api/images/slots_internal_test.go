package images

import (
	"context"
	"errors"
	"math"
	"net/http/httptest"
	"strconv"
	"testing"
	"testing/synctest"

	"golang.org/x/sync/semaphore"
)

func TestUploadSlotsDependOnMemoryLimit(t *testing.T) {
	for limit, want := range map[int64]int64{
		math.MaxInt64: 32, 900 << 20: 11, 64 << 20: 4, 0: 4, 1 << 40: 64,
	} {
		if got := maxConcurrentUploads(limit); got != want {
			t.Errorf("%d MB: %d slots, want %d", limit>>20, got, want)
		}
	}
}

// All users together have no more slots than the process. A cancelled wait takes no slot.
func TestUploadSlotsAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newUploadSlots()
		s.all = semaphore.NewWeighted(3)
		take := func(ctx context.Context, user int) (func(), string, error) {
			w := httptest.NewRecorder()
			release, err := s.reserve(ctx, w, strconv.Itoa(user))
			return release, w.Header().Get("Retry-After"), err
		}
		var releases []func()
		for user := range 3 {
			release, _, err := take(t.Context(), user)
			if err != nil {
				t.Fatal(err)
			}
			releases = append(releases, release)
		}
		if _, retry, err := take(t.Context(), 3); !errors.Is(err, errAllUploads) || retry == "" {
			t.Errorf("the fourth upload: %v, Retry-After %q", err, retry)
		}
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := take(cancelled, 4); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled wait: %v", err)
		}
		waited := make(chan error)
		go func() {
			release, _, err := take(t.Context(), 5)
			if err == nil {
				release()
			}
			waited <- err
		}()
		synctest.Wait()
		for _, release := range releases {
			release()
		}
		if err := <-waited; err != nil {
			t.Errorf("a waiting upload: %v", err)
		}
		if len(s.people) != 0 {
			t.Errorf("%d users are still stored, want none", len(s.people))
		}
	})
}
