package images_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"gocloud.dev/blob"

	"secondring/api/images"
	"secondring/api/rest"
	"secondring/market"
	"secondring/market/markettest"
	"secondring/store/sqlite/sqlitetest"
)

var (
	seller  = market.User{UID: "seller", AccountType: market.AccountSeller}
	other   = market.User{UID: "other", AccountType: market.AccountSeller}
	buyer   = market.User{UID: "buyer", AccountType: market.AccountUser}
	admin   = market.User{ID: "admin id", UID: "admin", Name: "Root", AccountType: market.AccountSeller, Admin: true}
	removed = market.User{UID: "removed", AccountType: market.AccountSeller, Removed: true}
)

func userOf(uid string) market.User {
	users := []market.User{seller, other, buyer, admin, removed}
	return users[slices.IndexFunc(users, func(u market.User) bool { return u.UID == uid })]
}

// env is the image host with a real folder and a real HTTP server. Test headers name the
// caller, who otherwise comes from the context.
type env struct {
	t          *testing.T
	folder     string
	bucket     *blob.Bucket
	store      *records
	server     *httptest.Server
	count      rest.Counter
	engine     market.Store // the store that store wraps
	afterShows func()       // runs after the host has checked whether something shows a picture; may be nil
	clock      *markettest.Clock
}

// origin is the origin of the URLs in answers.
const origin = "https://phones.example"

// records is a store that a test can replace by an empty one.
type records struct {
	market.DocumentStore
	open func() market.DocumentStore // opens an empty store
}

// reset replaces the store by an empty one.
func (r *records) reset() { r.DocumentStore = r.open() }

// node returns another host with the same folder and store.
func (e *env) node() *images.Host {
	m := market.New(e.engine, e.clock, market.Rules{}, market.NoPayments{})
	host := images.New(images.Config{
		Bucket: e.bucket, Records: e.store, Market: m, Shows: e.shows, Origin: origin, Counter: e.count,
		Clock: e.clock, Log: slog.New(slog.DiscardHandler),
	})
	m.UseTakedowns(host)
	return host
}

func (e *env) shows(ctx context.Context, urls []string) (bool, error) {
	shown, err := e.engine.ShowsPicture(ctx, urls)
	if e.afterShows != nil {
		e.afterShows()
	}
	return shown, err
}

func newEnv(t *testing.T, change ...func(*env)) *env {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "images")
	bucket, err := images.OpenFolder(folder)
	must(t, err)
	t.Cleanup(func() { must(t, bucket.Close()) })
	log := slog.New(slog.DiscardHandler)
	var e *env
	e = &env{t: t, folder: folder, bucket: bucket, clock: markettest.NewTicking(time.Now().UTC().Truncate(time.Second)), store: &records{open: func() market.DocumentStore {
		store, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "store.db"))
		must(t, err)
		t.Cleanup(func() { must(t, store.Close()) })
		e.engine = store
		return store
	}}}
	e.store.reset()
	for _, apply := range change {
		apply(e)
	}
	host := e.node()
	router := chi.NewRouter()
	for _, call := range host.Routes() {
		router.MethodFunc(call.Method, call.Path, func(w http.ResponseWriter, r *http.Request) {
			ctx := r.Context()
			if uid := r.Header.Get("Test-Bearer"); uid != "" {
				ctx = rest.WithActor(ctx, market.Actor{User: userOf(uid)})
			}
			r = r.WithContext(ctx)
			if err := call.Handle(w, r); err != nil {
				rest.FailUpload(w, r, log, err)
			}
		})
	}
	e.server = httptest.NewServer(router)
	t.Cleanup(e.server.Close)
	return e
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// part is one part of a multipart form.
type part struct {
	field, name string
	content     []byte
}

func form(t *testing.T, parts ...part) (body *bytes.Buffer, contentType string) {
	t.Helper()
	body = &bytes.Buffer{}
	w := multipart.NewWriter(body)
	for _, p := range parts {
		to, err := w.CreateFormFile(p.field, p.name)
		must(t, err)
		_, err = to.Write(p.content)
		must(t, err)
	}
	must(t, w.Close())
	return body, w.FormDataContentType()
}

// response is a complete response.
type response struct {
	t      *testing.T
	Status int
	Header http.Header
	Body   []byte
}

func (e *env) do(r *http.Request) response {
	e.t.Helper()
	res, err := http.DefaultClient.Do(r)
	must(e.t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(e.t, err)
	return response{t: e.t, Status: res.StatusCode, Header: res.Header, Body: body}
}

func (e *env) post(body io.Reader, contentType string, change ...func(*http.Request)) response {
	e.t.Helper()
	r, err := http.NewRequestWithContext(e.t.Context(), "POST", e.server.URL+"/images?key=any", body)
	must(e.t, err)
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Test-Bearer", seller.UID)
	for _, apply := range change {
		apply(r)
	}
	return e.do(r)
}

func (e *env) send(parts ...part) response {
	e.t.Helper()
	body, contentType := form(e.t, parts...)
	return e.post(body, contentType)
}

// upload sends one file as the seller.
func (e *env) upload(content []byte) response {
	e.t.Helper()
	return e.send(part{"image", "photo.jpg", content})
}

func (e *env) get(path string, change ...func(*http.Request)) response {
	e.t.Helper()
	r, err := http.NewRequestWithContext(e.t.Context(), "GET", e.server.URL+strings.TrimPrefix(path, origin), nil)
	must(e.t, err)
	for _, apply := range change {
		apply(r)
	}
	return e.do(r)
}

// url fails the test unless the upload succeeded, and returns the path of the picture's URL.
func (a response) url() string {
	a.t.Helper()
	var got images.Uploaded
	if err := json.Unmarshal(a.Body, &got); err != nil || a.Status != 200 || !got.Success || got.Data.URL == "" {
		a.t.Fatalf("status %d: %s", a.Status, a.Body)
	}
	path, isOwn := strings.CutPrefix(got.Data.URL, origin)
	if !isOwn || got.Data.Srcset != "" && !strings.HasPrefix(got.Data.Srcset, got.Data.URL[:len(got.Data.URL)-len(".jpg")]) {
		a.t.Fatalf("the URLs are not absolute: %s", a.Body)
	}
	return path
}

// wantError fails the test unless the response is an error in the image host's format.
func (a response) wantError(status int, message string) {
	a.t.Helper()
	var got map[string]any
	must(a.t, json.Unmarshal(a.Body, &got))
	problem, _ := got["error"].(map[string]any)
	if a.Status != status || got["success"] != false || problem["message"] != message {
		a.t.Fatalf("status %d: %s, want %d %q", a.Status, a.Body, status, message)
	}
}

// picture uploads a file and returns the stored JPEG.
func (e *env) picture(content []byte) (stored []byte, decoded image.Image) {
	e.t.Helper()
	stored = e.get(e.upload(content).url()).Body
	decoded, err := jpeg.Decode(bytes.NewReader(stored))
	must(e.t, err)
	return stored, decoded
}

var (
	red   = color.RGBA{255, 0, 0, 255}
	green = color.RGBA{0, 128, 0, 255}
	blue  = color.RGBA{0, 0, 255, 255}
	white = color.RGBA{255, 255, 255, 255}
)

// quarters returns a picture whose orientation is recognizable: red, green, blue, and
// transparent at the bottom right.
func quarters(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			switch {
			case x < w/2 && y < h/2:
				img.Set(x, y, red)
			case y < h/2:
				img.Set(x, y, green)
			case x < w/2:
				img.Set(x, y, blue)
			}
		}
	}
	return img
}

// wantQuarters fails the test unless the quarters have these colours: top left, top right, bottom
// left, bottom right.
func wantQuarters(t *testing.T, img image.Image, want ...color.RGBA) {
	t.Helper()
	size := img.Bounds().Size()
	for i, c := range want {
		x, y := size.X/4+i%2*size.X/2, size.Y/4+i/2*size.Y/2
		r, g, b, _ := img.At(x, y).RGBA()
		if differs(r, c.R) || differs(g, c.G) || differs(b, c.B) {
			t.Errorf("quarter %d is %v, want %v", i, img.At(x, y), c)
		}
	}
}

// differs returns whether two values of a colour differ more than by the loss of JPEG.
func differs(got uint32, want uint8) bool {
	d := int(got>>8) - int(want)
	return d < -25 || d > 25
}

func wantSize(t *testing.T, img image.Image, w, h int) {
	t.Helper()
	if got := img.Bounds().Size(); got != image.Pt(w, h) {
		t.Errorf("the size is %v, want %dx%d", got, w, h)
	}
}

func testdata(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	must(t, err)
	return content
}
