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
)

const beingDeleted = "An old copy of this image is just being deleted. Please try again in a few minutes."

// fileOf is a JPEG of that width: each is another picture.
func (w *world) fileOf(width int) []byte {
	w.t.Helper()
	return jpegOf(w.t, quarters(width, 48))
}

// phone is listed with a picture.
func (w *world) phone(id, img string, photos ...string) market.Product {
	w.t.Helper()
	err := w.engine.AddBrand(w.t.Context(), market.Brand{ID: "b", Name: "Nokia", Version: 1})
	if err != nil && !errors.Is(err, market.ErrExists) {
		w.t.Fatal(err)
	}
	p := market.Product{ID: id, BrandID: "b", Brand: "Nokia", Img: img, Version: 1}
	for _, url := range photos {
		p.Photos = append(p.Photos, market.Photo{URL: url})
	}
	must(w.t, w.engine.AddProduct(w.t.Context(), p, nil))
	return p
}

// tidies lets time go by, and then the janitor of a node do what is due.
func (w *world) tidies(after time.Duration) {
	w.t.Helper()
	w.clock.Pass(after)
	must(w.t, w.node().Step(w.t.Context()))
}

// served wants these addresses to be served, or not.
func (w *world) served(want int, urls ...string) {
	w.t.Helper()
	for _, url := range urls {
		if got := w.get(url); got.Status != want {
			w.t.Errorf("%s: %d, want %d", url, got.Status, want)
		}
	}
}

func TestPicturesThatNothingShowsGoAfterADay(t *testing.T) {
	w := newWorld(t)
	unused, copied := w.upload(w.fileOf(400)).url(), "-160.webp"
	used, second := w.upload(w.fileOf(64)).url(), w.upload(w.fileOf(65)).url()
	absolute, small := w.upload(w.fileOf(66)).url(), w.upload(w.fileOf(401)).url()
	phone := w.phone("p", used, used, second)
	ctx := t.Context()
	must(t, w.engine.AddBooking(ctx, market.Booking{ID: "o", Img: "https://phones.example" + absolute, Version: 1}, 1, nil))
	must(t, w.engine.AddReport(ctx, market.Report{ID: "r", Img: strings.Replace(small, ".jpg", copied, 1), Version: 1}, nil))
	used401 := []string{small, strings.Replace(small, ".jpg", copied, 1)}

	w.tidies(24*time.Hour - time.Minute)
	w.served(200, append(used401, unused, used, second, absolute)...)
	w.tidies(2 * time.Minute)
	w.served(404, unused, strings.Replace(unused, ".jpg", copied, 1))
	w.served(200, append(used401, used, second, absolute)...)
	if got := len(w.files()); got != 3+3 {
		t.Errorf("the folder holds %v", w.files())
	}

	phone.Version++
	must(t, w.engine.RemoveProduct(ctx, phone, nil))
	w.tidies(7 * 24 * time.Hour)
	w.served(404, used, second)
	w.served(200, append(used401, absolute)...)

	for _, purged := range []string{"before", "after"} {
		if _, err := w.node().About(ctx, unused); !errors.Is(err, market.ErrPictureGone) {
			t.Errorf("%s its record is forgotten: %v", purged, err)
		}
		_, err := w.store.PurgeRecords(ctx, w.clock.Now().Add(25*time.Hour), 99)
		must(t, err)
	}
	if _, err := w.store.Record(ctx, "image", strings.TrimPrefix(unused, "/images/")); !errors.Is(err, market.ErrNotFound) {
		t.Errorf("its record stays: %v", err)
	}
}

// A picture that was deleted comes back with its next upload, whether its record
// is forgotten by then or not, and is looked after again.
func TestADeletedPictureMayBeUploadedAgain(t *testing.T) {
	w := newWorld(t)
	url := w.upload(w.fileOf(400)).url()
	for _, forgotten := range []bool{false, true} {
		w.tidies(25 * time.Hour)
		w.served(404, url)
		if forgotten {
			_, err := w.store.PurgeRecords(t.Context(), w.clock.Now().AddDate(1, 0, 0), 99)
			must(t, err)
		}
		w.upload(w.fileOf(400)).url()
		w.served(200, url, strings.Replace(url, ".jpg", "-320.webp", 1))
		_, err := w.node().About(t.Context(), url)
		must(t, err)
		n, err := w.store.PurgeRecords(t.Context(), w.clock.Now().AddDate(1, 0, 0), 99)
		if must(t, err); n != 0 {
			t.Error("the record of a picture that is there has an end")
		}
	}
	w.tidies(25 * time.Hour)
	w.served(404, url)
}

func TestAnUploadAgainKeepsThePictureForAnotherDay(t *testing.T) {
	w := newWorld(t)
	url := w.upload(w.fileOf(64)).url()
	w.tidies(20 * time.Hour)
	w.upload(w.fileOf(64)).url()
	w.tidies(20 * time.Hour)
	w.served(200, url)
	w.tidies(5 * time.Hour)
	w.served(404, url)
}

// What is named for a phone stays until the phone is there to be found: also where
// that is said after the janitor has looked for it.
func TestAPictureThatIsNamedForAPhoneStays(t *testing.T) {
	w := newWorld(t)
	url := w.upload(w.fileOf(400)).url()
	w.clock.Pass(25 * time.Hour)
	w.looked = func() {
		_, err := w.node().About(t.Context(), strings.Replace(url, ".jpg", "-160.webp", 1))
		if !errors.Is(err, market.ErrNotFound) {
			t.Error(err)
		}
	}
	w.tidies(0)
	w.served(200, url)
	w.looked = nil
	w.tidies(time.Hour) // by then the call that named it is over
	w.served(200, url)
	w.phone("p", url)
	w.tidies(25 * time.Hour)
	w.served(200, url)

	other := w.upload(w.fileOf(65)).url()
	w.clock.Pass(24*time.Hour - time.Minute)
	_, err := w.node().About(t.Context(), "https://phones.example"+other) // just before it is due
	must(t, err)
	w.tidies(time.Hour)
	w.served(200, other)
}

// saving lets a test decide about each record that is saved.
type saving struct {
	market.DocumentStore
	save func(market.Record) error
}

// SaveRecord implements market.DocumentStore.
func (s saving) SaveRecord(ctx context.Context, r market.Record) error {
	if err := s.save(r); err != nil {
		return err
	}
	return s.DocumentStore.SaveRecord(ctx, r)
}

// errKilled is what becomes of a process that dies.
var errKilled = errors.New("killed")

// TestAJanitorThatDies is killed before each of its writes. Another one goes on.
func TestAJanitorThatDies(t *testing.T) {
	for writes := range 2 {
		w := newWorld(t)
		url := w.upload(w.fileOf(400)).url()
		w.clock.Pass(25 * time.Hour)
		real, left := w.store.DocumentStore, writes
		w.store.DocumentStore = saving{real, func(market.Record) error {
			if left--; left < 0 {
				return errKilled
			}
			return nil
		}}
		if err := w.node().Step(t.Context()); !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		w.store.DocumentStore = real
		if writes == 1 { // it has begun to delete
			if _, err := w.node().About(t.Context(), url); !errors.Is(err, market.ErrPictureGone) {
				t.Errorf("a phone may show it: %v", err)
			}
			w.upload(w.fileOf(400)).refused(503, beingDeleted)
			w.tidies(9 * time.Minute)
			w.upload(w.fileOf(400)).refused(503, beingDeleted)
		}
		w.tidies(2 * time.Minute)
		w.served(404, url)
		if got := w.files(); len(got) != 0 {
			t.Errorf("killed before write %d, the folder holds %v", writes, got)
		}
		w.upload(w.fileOf(400)).url()
		w.served(200, url)
	}
}

// A process that stood still while it deleted does not go on when another has, for
// the picture may be there anew.
func TestAJanitorThatStandsStill(t *testing.T) {
	w := newWorld(t)
	url := w.upload(w.fileOf(400)).url()
	w.clock.Pass(25 * time.Hour)
	real, first := w.store.DocumentStore, true
	w.store.DocumentStore = saving{real, func(market.Record) error {
		if first {
			first = false
			w.clock.Pass(6 * time.Minute)
		}
		return nil
	}}
	if err := w.node().Step(t.Context()); err == nil {
		t.Error("it went on")
	}
	w.served(200, url)
	w.tidies(5 * time.Minute)
	w.served(404, url)
}

// A picture whose record was never due is one of before, and stays.
func TestPicturesOfBeforeStay(t *testing.T) {
	w := newWorld(t)
	url := w.upload(w.fileOf(64)).url()
	record, err := w.store.Record(t.Context(), "image", strings.TrimPrefix(url, "/images/"))
	must(t, err)
	record.Due, record.Version = time.Time{}, record.Version+1
	must(t, w.store.SaveRecord(t.Context(), record))
	w.tidies(365 * 24 * time.Hour)
	w.upload(w.fileOf(64)).url()
	w.tidies(365 * 24 * time.Hour)
	w.served(200, url)
}

// What was left of a picture that was taken down goes without another call.
func TestTheJanitorFinishesWhatWasTakenDown(t *testing.T) {
	w := newWorld(t)
	url := w.upload(w.fileOf(400)).url()
	kept, err := os.ReadFile(filepath.Join(w.folder, strings.TrimPrefix(url, "/images/")))
	must(t, err)
	w.takeDown(admin.UID, url).deleted(1)
	must(t, os.WriteFile(filepath.Join(w.folder, strings.TrimPrefix(url, "/images/")), kept, 0o600))
	w.tidies(11 * time.Minute)
	if got := w.files(); len(got) != 0 {
		t.Errorf("the folder holds %v", got)
	}
	due, err := w.store.RecordsDue(t.Context(), "image-removed", w.clock.Now().AddDate(1, 0, 0), 9)
	if must(t, err); len(due) != 0 {
		t.Errorf("still to do: %v", due)
	}
	w.upload(w.fileOf(400)).refused(422, takenDown)
}

// TestJanitorsOfManyNodes has several at work on many pictures at once.
func TestJanitorsOfManyNodes(t *testing.T) {
	w := newWorld(t)
	var used []string
	for i := range 12 {
		if url := w.upload(w.fileOf(40 + i)).url(); i%3 == 0 {
			used = append(used, url)
			w.phone(url, url)
		}
	}
	w.clock.Pass(25 * time.Hour)
	failed := make(chan error)
	for _, node := range []*images.Host{w.node(), w.node(), w.node()} {
		go func() { failed <- node.Step(t.Context()) }()
	}
	for range 3 {
		must(t, <-failed)
	}
	w.served(200, used...)
	if got := len(w.files()); got != len(used) {
		t.Errorf("%d pictures are left, %d are shown", got, len(used))
	}
}
