package datastore

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"secondring/market"
	"secondring/store/sqlite/sqlitetest"
)

// Two writes change the credentials of an account at the same time. The one that is refused leaves
// no record.
func TestRefusedCredentialsAreNotRecorded(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	plain, err := sqlitetest.Open(ctx, filepath.Join(dir, "store.db"))
	if err != nil {
		t.Fatal(err)
	}
	removals, err := openRemovals(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	store := plain.Hooked(removalRecorder{plain, removals, &sync.Mutex{}}.hook)
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
		if err := removals.Close(); err != nil {
			t.Error(err)
		}
	})
	account := market.Account{UID: "ann", Email: "ann@example.com", PasswordHash: "old", Version: 1}
	if err := store.AddAccount(ctx, account, nil); err != nil {
		t.Fatal(err)
	}
	account.Version, account.CredentialsVersion = 2, 1
	saved := make(chan string, 2)
	var all sync.WaitGroup
	for _, password := range []string{"one", "two"} {
		changed := account
		changed.PasswordHash = password
		all.Go(func() {
			if store.SaveAccount(context.WithoutCancel(ctx), changed, nil) == nil {
				saved <- password
			}
		})
	}
	all.Wait()
	want := <-saved
	recorded, err := removals.Since(ctx, time.Time{})
	if err != nil || len(recorded) != 1 || recorded[0].Credentials.PasswordHash != want {
		t.Errorf("recorded %+v, %v, want the password %q", recorded, err, want)
	}
}
