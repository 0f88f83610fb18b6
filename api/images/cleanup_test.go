package images_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"secondring/api/images"
	"secondring/market"
	"secondring/market/markettest"
)

const beingDeleted = "An old copy of this image is being deleted. Please try again in a few minutes."

// fileOf returns a JPEG of that width. Each width is another picture.
func (e *env) fileOf(width int) []byte {
	e.t.Helper()
	return jpegOf(e.t, quarters(width, 48))
}

// phone stores a phone with a picture and returns it.
func (e *env) phone(id, img string, photos ...string) market.Product {
	e.t.Helper()
	err := e.engine.AddBrand(e.t.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1})
	if err != nil && !errors.Is(err, market.ErrExists) {
		e.t.Fatal(err)
	}
	p := market.Product{ID: id, BrandID: "b", Brand: "Nokia", Img: img, Version: 1}
	for _, url := range photos {
		p.Photos = append(p.Photos, market.Photo{URL: url})
	}
	must(e.t, e.engine.AddProduct(e.t.Context(), p, nil))
	return p
}

// step runs the jobs of a node that are due.
func (e *env) step(node *images.Host) error {
	return markettest.Runner(e.clock, node.AddJobs).Step(e.t.Context())
}

// deleteUnused moves the clock and runs the jobs of one node.
func (e *env) deleteUnused(after time.Duration) {
	e.t.Helper()
	e.clock.Pass(after)
	must(e.t, e.step(e.node()))
}

// wantStatus fails the test unless each of these URLs has this status.
func (e *env) wantStatus(want int, urls ...string) {
	e.t.Helper()
	for _, url := range urls {
		if got := e.get(url); got.Status != want {
			e.t.Errorf("%s: %d, want %d", url, got.Status, want)
		}
	}
}

func TestUnusedPicturesAreDeletedAfterADay(t *testing.T) {
	e := newEnv(t)
	unused, variant := e.upload(e.fileOf(400)).url(), "-160.webp"
	used, second := e.upload(e.fileOf(64)).url(), e.upload(e.fileOf(65)).url()
	inBooking, inReport := e.upload(e.fileOf(66)).url(), e.upload(e.fileOf(401)).url()
	phone := e.phone("p", used, used, second)
	ctx := t.Context()
	must(t, e.engine.AddBooking(ctx, market.Booking{ID: "o", Img: "https://phones.example" + inBooking, Version: 1}, 1, nil))
	must(t, e.engine.AddCase(ctx, market.Case{ID: "c", Img: strings.Replace(inReport, ".jpg", variant, 1), Version: 1}, nil))
	reported := []string{inReport, strings.Replace(inReport, ".jpg", variant, 1)}

	e.deleteUnused(24*time.Hour - time.Minute)
	e.wantStatus(200, append(reported, unused, used, second, inBooking)...)
	e.deleteUnused(2 * time.Minute)
	e.wantStatus(404, unused, strings.Replace(unused, ".jpg", variant, 1))
	e.wantStatus(200, append(reported, used, second, inBooking)...)
	if got := len(e.files()); got != 3+3 {
		t.Errorf("the folder contains %v", e.files())
	}

	phone.Version++
	must(t, e.engine.RemoveProduct(ctx, phone, nil))
	e.deleteUnused(7 * 24 * time.Hour)
	e.wantStatus(404, used, second)
	e.wantStatus(200, append(reported, inBooking)...)

	for _, purged := range []string{"before", "after"} {
		if _, err := e.node().Metadata(ctx, unused); !errors.Is(err, market.ErrPictureGone) {
			t.Errorf("Metadata %s the record is purged: %v, want picture gone", purged, err)
		}
		_, err := e.store.PurgeRecords(ctx, e.clock.Now().Add(25*time.Hour), 99)
		must(t, err)
	}
	if _, err := e.store.Record(ctx, "image", strings.TrimPrefix(unused, "/images/")); !errors.Is(err, market.ErrNotFound) {
		t.Errorf("the purged record: %v, want not found", err)
	}
}

// A deleted picture can be uploaded again, before and after its record has expired. The
// cleanup checks it again.
func TestDeletedPictureCanBeUploadedAgain(t *testing.T) {
	e := newEnv(t)
	url := e.upload(e.fileOf(400)).url()
	for _, isPurged := range []bool{false, true} {
		e.deleteUnused(25 * time.Hour)
		e.wantStatus(404, url)
		if isPurged {
			_, err := e.store.PurgeRecords(t.Context(), e.clock.Now().AddDate(1, 0, 0), 99)
			must(t, err)
		}
		e.upload(e.fileOf(400)).url()
		e.wantStatus(200, url, strings.Replace(url, ".jpg", "-320.webp", 1))
		_, err := e.node().Metadata(t.Context(), url)
		must(t, err)
		n, err := e.store.PurgeRecords(t.Context(), e.clock.Now().AddDate(1, 0, 0), 99)
		if must(t, err); n != 0 {
			t.Error("the record of a stored picture was purged")
		}
	}
	e.deleteUnused(25 * time.Hour)
	e.wantStatus(404, url)
}

func TestRepeatedUploadExtendsPicture(t *testing.T) {
	e := newEnv(t)
	url := e.upload(e.fileOf(64)).url()
	e.deleteUnused(20 * time.Hour)
	e.upload(e.fileOf(64)).url()
	e.deleteUnused(20 * time.Hour)
	e.wantStatus(200, url)
	e.deleteUnused(5 * time.Hour)
	e.wantStatus(404, url)
}

// A picture that a request names for a phone is kept until the phone is stored, also if the
// cleanup has just found that nothing shows it.
func TestReservedPictureIsKept(t *testing.T) {
	e := newEnv(t)
	url := e.upload(e.fileOf(400)).url()
	e.clock.Pass(25 * time.Hour)
	e.afterShows = func() {
		_, err := e.node().Metadata(t.Context(), strings.Replace(url, ".jpg", "-160.webp", 1))
		if !errors.Is(err, market.ErrNotFound) {
			t.Error(err)
		}
	}
	e.deleteUnused(0)
	e.wantStatus(200, url)
	e.afterShows = nil
	e.deleteUnused(time.Hour) // the request that named it has ended by then
	e.wantStatus(200, url)
	e.phone("p", url)
	e.deleteUnused(25 * time.Hour)
	e.wantStatus(200, url)

	other := e.upload(e.fileOf(65)).url()
	e.clock.Pass(24*time.Hour - time.Minute)
	_, err := e.node().Metadata(t.Context(), "https://phones.example"+other) // just before it is due
	must(t, err)
	e.deleteUnused(time.Hour)
	e.wantStatus(200, other)
}

// saveHook is a store that calls a function before it saves a record, and returns its error.
type saveHook struct {
	market.DocumentStore
	beforeSave func(market.Record) error
}

// SaveRecord implements market.DocumentStore.
func (s saveHook) SaveRecord(ctx context.Context, r market.Record) error {
	if err := s.beforeSave(r); err != nil {
		return err
	}
	return s.DocumentStore.SaveRecord(ctx, r)
}

// errKilled is the error of the writes of a killed process.
var errKilled = errors.New("killed")

// The node is killed before each of its writes. Another one finishes.
func TestCleanupIsKilledAtEachWrite(t *testing.T) {
	for writes := range 3 {
		e := newEnv(t)
		url := e.upload(e.fileOf(400)).url()
		e.clock.Pass(25 * time.Hour)
		store, left := e.store.DocumentStore, writes
		e.store.DocumentStore = saveHook{store, func(market.Record) error {
			if left--; left < 0 {
				return errKilled
			}
			return nil
		}}
		if err := e.step(e.node()); !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		e.store.DocumentStore = store
		if writes == 2 { // the deletion has begun
			if _, err := e.node().Metadata(t.Context(), url); !errors.Is(err, market.ErrPictureGone) {
				t.Errorf("Metadata while the picture is being deleted: %v, want picture gone", err)
			}
			e.upload(e.fileOf(400)).wantError(503, beingDeleted)
			e.deleteUnused(9 * time.Second)
			e.upload(e.fileOf(400)).wantError(503, beingDeleted)
		}
		e.deleteUnused(2 * time.Minute)
		e.wantStatus(404, url)
		if got := e.files(); len(got) != 0 {
			t.Errorf("killed before write %d, the folder contains %v", writes, got)
		}
		e.upload(e.fileOf(400)).url()
		e.wantStatus(200, url)
	}
}

// A process that stalled during a deletion does not continue after another has deleted the
// picture, because it may have been uploaded again.
func TestStalledCleanupDoesNotDelete(t *testing.T) {
	e := newEnv(t)
	url := e.upload(e.fileOf(400)).url()
	e.clock.Pass(25 * time.Hour)
	store, saves := e.store.DocumentStore, 0
	e.store.DocumentStore = saveHook{store, func(market.Record) error {
		if saves++; saves == 2 { // the deletion has begun
			e.clock.Pass(time.Minute)
		}
		return nil
	}}
	must(t, e.step(e.node()))
	e.wantStatus(200, url)
	e.deleteUnused(5 * time.Minute)
	e.wantStatus(404, url)
}

// A picture whose record was never due is from an earlier version, and is kept.
func TestPicturesWithoutDueTimeAreKept(t *testing.T) {
	e := newEnv(t)
	url := e.upload(e.fileOf(64)).url()
	record, err := e.store.Record(t.Context(), "image", strings.TrimPrefix(url, "/images/"))
	must(t, err)
	record.Due, record.Version = time.Time{}, record.Version+1
	must(t, e.store.SaveRecord(t.Context(), record))
	e.deleteUnused(365 * 24 * time.Hour)
	e.upload(e.fileOf(64)).url()
	e.deleteUnused(365 * 24 * time.Hour)
	e.wantStatus(200, url)
}

// The cleanup deletes remaining files of a picture that was taken down.
func TestCleanupFinishesTakedowns(t *testing.T) {
	e := newEnv(t)
	url := e.upload(e.fileOf(400)).url()
	file, err := os.ReadFile(filepath.Join(e.folder, strings.TrimPrefix(url, "/images/")))
	must(t, err)
	e.takeDown(admin.UID, url).wantDeleted(1)
	must(t, os.WriteFile(filepath.Join(e.folder, strings.TrimPrefix(url, "/images/")), file, 0o600))
	e.deleteUnused(11 * time.Minute)
	if got := e.files(); len(got) != 0 {
		t.Errorf("the folder contains %v", got)
	}
	due, err := e.store.RecordsDue(t.Context(), "image-removed", e.clock.Now().AddDate(1, 0, 0), 9)
	if must(t, err); len(due) != 0 {
		t.Errorf("takedowns that are still due: %v", due)
	}
	e.upload(e.fileOf(400)).wantError(422, takenDown)
}

// Several nodes work on many pictures at once.
func TestConcurrentCleanups(t *testing.T) {
	e := newEnv(t)
	var used []string
	for i := range 12 {
		if url := e.upload(e.fileOf(40 + i)).url(); i%3 == 0 {
			used = append(used, url)
			e.phone(url, url)
		}
	}
	e.clock.Pass(25 * time.Hour)
	results := make(chan error)
	for _, node := range []*images.Host{e.node(), e.node(), e.node()} {
		go func() { results <- e.step(node) }()
	}
	for range 3 {
		must(t, <-results)
	}
	e.wantStatus(200, used...)
	if got := len(e.files()); got != len(used) {
		t.Errorf("%d pictures are stored, want the %d in use", got, len(used))
	}
}
