package mongo_test

import (
	"context"
	"net/http" //nolint:depguard // the interface of the suite requires it
	"testing"

	"gocloud.dev/blob/driver"
	"gocloud.dev/blob/drivertest"
)

// harness implements drivertest.Harness with a store whose database is empty.
type harness struct{ store *opened }

func (h harness) MakeDriver(context.Context) (driver.Bucket, error) {
	return h.store.engine.ImagesDriver(), nil
}

func (h harness) MakeDriverForNonexistentBucket(context.Context) (driver.Bucket, error) {
	return nil, nil
}

func (h harness) HTTPClient() *http.Client         { return nil }
func (h harness) SupportsCopy() bool               { return true }
func (h harness) SupportsNonSlashDelimiters() bool { return true }
func (h harness) Close()                           {}

func TestImages(t *testing.T) {
	uri := database(t)
	drivertest.RunConformanceTests(t, func(_ context.Context, t *testing.T) (drivertest.Harness, error) {
		t.Helper()
		s := open(t, uri)
		return harness{s}, s.engine.Empty(t.Context())
	}, nil)
}
