package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"secondring/market"
	"secondring/store/sqlite"
)

func TestRemovalsExpire(t *testing.T) {
	path := filepath.Join(t.TempDir(), "removals.db")
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	list := removalsAt(t, path, now)
	user := market.Removal{Kind: market.RemovalUser, ID: "ann", At: now, Leaving: true}
	first := market.Removal{Kind: market.RemovalCredentials, ID: "bob", At: now.Add(time.Hour), Credentials: &market.Credentials{PasswordHash: "first"}}
	second := market.Removal{Kind: market.RemovalCredentials, ID: "bob", At: now.Add(2 * time.Hour), Credentials: &market.Credentials{PasswordHash: "second", GoogleSub: "g"}}
	for _, r := range []market.Removal{user, first, second, {Kind: market.RemovalCredentials, ID: "cy", At: now}} {
		if err := list.Record(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if err := list.Delete(t.Context(), market.RemovalCredentials, "cy"); err != nil {
		t.Fatal(err)
	}
	other := removalsAt(t, path, now) // another process
	wantSince(t, other, now, user, second)
	wantSince(t, other, now.Add(time.Millisecond), second)
	later := removalsAt(t, path, now.Add(market.RemovalRetention+time.Hour))
	wantSince(t, later, now, second)
}

// removalsAt opens the list of removals at a time.
func removalsAt(t *testing.T, path string, now time.Time) *sqlite.Removals {
	t.Helper()
	list, err := sqlite.OpenRemovals(t.Context(), path, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := list.Close(); err != nil {
			t.Error(err)
		}
	})
	return list
}

func wantSince(t *testing.T, list *sqlite.Removals, from time.Time, want ...market.Removal) {
	t.Helper()
	got, err := list.Since(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("removals since %v (-want +got)\n%s", from, diff)
	}
}
