package images_test

import (
	"context"
	"testing"
	"time"
)

// full is a counter in which every user has reached the quota of a day.
type full struct{}

func (full) Count(context.Context, string, time.Duration, int) (int, time.Duration, error) {
	return 401, 90 * time.Second, nil
}

func TestUploadBeyondQuotaIsRefused(t *testing.T) {
	e := newEnv(t, func(e *env) { e.count = full{} })
	refused := e.upload(jpegOf(t, quarters(64, 48)))
	refused.refused(429, "You have reached today's upload limit. Please continue tomorrow.")
	if after := refused.Header.Get("Retry-After"); after != "91" {
		t.Errorf("Retry-After %q", after)
	}
}
