package images_test

import (
	"context"
	"testing"
	"time"
)

// fullCounter is a counter in which every user has reached the daily quota.
type fullCounter struct{}

func (fullCounter) Count(context.Context, string, time.Duration, int) (int, time.Duration, error) {
	return 401, 90 * time.Second, nil
}

func TestUploadBeyondQuotaIsRefused(t *testing.T) {
	e := newEnv(t, func(e *env) { e.count = fullCounter{} })
	got := e.upload(jpegOf(t, quarters(64, 48)))
	got.wantError(429, "You have reached today's upload limit. Please continue tomorrow.")
	if after := got.Header.Get("Retry-After"); after != "91" {
		t.Errorf("Retry-After %q", after)
	}
}
