package images_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"secondring/market"
)

const takenDown = "This photo was removed by an admin and cannot be uploaded again. Please choose another one."

// takeDown sends a takedown as a user, and returns the response.
func (e *env) takeDown(uid, url string) response {
	e.t.Helper()
	r, err := http.NewRequestWithContext(e.t.Context(), "DELETE", e.server.URL+url, nil)
	must(e.t, err)
	r.Header.Set("Test-Bearer", uid)
	return e.do(r)
}

// wantDeleted fails the test unless the call has deleted n pictures.
func (a response) wantDeleted(n int) {
	a.t.Helper()
	if want := fmt.Sprintf(`{"acknowledged":true,"deletedCount":%d}`, n); a.Status != 200 || strings.TrimSpace(string(a.Body)) != want {
		a.t.Errorf("%d %s, want %s", a.Status, a.Body, want)
	}
}

// files returns the names of the files in the folder.
func (e *env) files() (names []string) {
	e.t.Helper()
	files, err := os.ReadDir(e.folder)
	must(e.t, err)
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

// uploadWithVariants uploads a picture that has two variants. urls are those of the picture and
// its variants.
func (e *env) uploadWithVariants() (file []byte, url string, urls []string) {
	e.t.Helper()
	file = jpegOf(e.t, quarters(400, 300))
	url = e.upload(file).url()
	return file, url, []string{url, market.CopyURL(url, 160), market.CopyURL(url, 320)}
}

// A picture that was taken down is not served by any node with the same folder and store.
func TestTakenDownPictureIsGoneOnAllNodes(t *testing.T) {
	e := newEnv(t)
	kept := e.upload(jpegOf(t, quarters(64, 48))).url()
	file, url, all := e.uploadWithVariants()
	node := e.node() // it has served the picture before
	if _, err := node.Metadata(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	e.takeDown(admin.UID, url).wantDeleted(1)

	if got := e.files(); len(got) != 1 || "/images/"+got[0] != kept {
		t.Errorf("the folder contains %v", got)
	}
	for _, path := range all {
		if got := e.get(path); got.Status != 404 {
			t.Errorf("%s: the response is %d, want 404", path, got.Status)
		}
	}
	e.upload(file).wantError(422, takenDown)
	for _, path := range all {
		if _, err := node.Metadata(t.Context(), path); !errors.Is(err, market.ErrPictureGone) {
			t.Errorf("Metadata(%q) on another node: %v, want picture gone", path, err)
		}
	}
	e.takeDown(admin.UID, url).wantDeleted(0)
	if got := e.get(kept); got.Status != 200 {
		t.Errorf("another picture has status %d", got.Status)
	}
	if n, err := e.store.PurgeRecords(t.Context(), e.clock.Now().AddDate(1, 0, 0), 9); n != 1 || err != nil {
		t.Errorf("%d records were purged (%v), want that of the picture", n, err)
	}
	e.upload(file).wantError(422, takenDown)
}

// Files that remain after a crash or a restore are not served. They are deleted when the
// call is repeated.
func TestFilesLeftAfterTakedownAreNotServed(t *testing.T) {
	e := newEnv(t)
	_, url, all := e.uploadWithVariants()
	files := map[string][]byte{}
	for _, name := range e.files() {
		files[name], _ = os.ReadFile(filepath.Join(e.folder, name))
	}
	e.takeDown(admin.UID, all[1]).wantDeleted(1) // with a variant's URL
	for name, file := range files {
		must(t, os.WriteFile(filepath.Join(e.folder, name), file, 0o600))
	}
	for _, path := range all {
		if got := e.get(path); got.Status != 404 {
			t.Errorf("%s: the response is %d, want 404", path, got.Status)
		}
	}
	e.takeDown(admin.UID, url).wantDeleted(0)
	if got := e.files(); len(got) != 0 {
		t.Errorf("the folder contains %v", got)
	}
}

func TestOnlyAdminsMayTakePicturesDown(t *testing.T) {
	e := newEnv(t)
	_, url, _ := e.uploadWithVariants()
	for _, uid := range []string{seller.UID, other.UID, buyer.UID} {
		e.takeDown(uid, url).wantError(403, "Only an admin can remove a photo")
	}
	if got := e.get(url); got.Status != 200 {
		t.Errorf("after refused takedowns the picture has status %d", got.Status)
	}
	for _, name := range []string{strings.Repeat("0", 64) + ".jpg", strings.Repeat("0", 64) + "-320.webp", "x.jpg", "..%2fstore.db"} {
		for _, uid := range []string{buyer.UID, admin.UID} { // an unknown picture is reported before the missing role
			e.takeDown(uid, "/images/"+name).wantError(404, "There is no such image")
		}
	}
}

// The audit log has one entry for each picture, even if it is taken down twice.
func TestTakedownAddsAuditEntry(t *testing.T) {
	e := newEnv(t)
	_, url, _ := e.uploadWithVariants()
	e.takeDown(admin.UID, url).wantDeleted(1)
	e.takeDown(admin.UID, url).wantDeleted(0)
	name := strings.TrimPrefix(url, "/images/")
	log, err := e.engine.AuditEntries(t.Context(), market.Page{Limit: 9})
	must(t, err)
	if len(log.Items) != 1 {
		t.Fatalf("the audit log is %+v, want one entry", log.Items)
	}
	entry := log.Items[0]
	if entry.Action != market.ActionRemovePicture || entry.Target != name || entry.TargetID != name ||
		entry.ActorID != admin.ID || entry.Actor != admin.Name {
		t.Errorf("the audit entry is %+v", entry)
	}
}

// recordListener is a store that calls a function after each record that it adds.
type recordListener struct {
	market.DocumentStore
	added func(market.Record, []market.Effect)
}

// AddRecord implements market.DocumentStore.
func (l recordListener) AddRecord(ctx context.Context, r market.Record, effects []market.Effect) error {
	err := l.DocumentStore.AddRecord(ctx, r, effects)
	if err == nil {
		l.added(r, effects)
	}
	return err
}

// A picture is taken down while it is uploaded again: after the upload's files are stored,
// and before its response.
func TestTakedownDuringUpload(t *testing.T) {
	e := newEnv(t)
	store, file := e.store.DocumentStore, jpegOf(t, quarters(400, 300))
	e.store.DocumentStore = recordListener{store, func(r market.Record, _ []market.Effect) {
		if r.Kind == "image" {
			e.takeDown(admin.UID, "/images/"+r.ID).wantDeleted(1)
			// The files are written last, like those of a slower upload.
			must(t, os.WriteFile(filepath.Join(e.folder, r.ID), file, 0o600))
		}
	}}
	e.upload(file).wantError(422, takenDown)
	if got := e.files(); len(got) != 0 {
		t.Errorf("the folder contains %v", got)
	}
}
