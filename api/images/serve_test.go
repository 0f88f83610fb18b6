package images_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPicturesAreServedImmutable(t *testing.T) {
	e := newEnv(t)
	url := e.upload(jpegOf(t, quarters(64, 48))).url()
	got := e.get(url)
	tag := `"` + strings.TrimSuffix(strings.TrimPrefix(url, "/images/"), ".jpg") + `"`
	for name, want := range map[string]string{
		"Content-Type": "image/jpeg", "Cache-Control": "public, max-age=31536000, immutable", "ETag": tag,
		"X-Content-Type-Options": "nosniff", "Content-Disposition": "inline",
		"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
	} {
		if got.Header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.Header.Get(name), want)
		}
	}
	cached := e.get(url, func(r *http.Request) { r.Header.Set("If-None-Match", tag) })
	if cached.Status != 304 || len(cached.Body) != 0 {
		t.Errorf("with If-None-Match: %d with %d bytes", cached.Status, len(cached.Body))
	}
	part := e.get(url, func(r *http.Request) { r.Header.Set("Range", "bytes=0-2") })
	if part.Status != 206 || string(part.Body) != "\xff\xd8\xff" {
		t.Errorf("with Range: %d %x", part.Status, part.Body)
	}
}

func TestOtherFilesAreNotServed(t *testing.T) {
	e := newEnv(t)
	url := e.upload(jpegOf(t, quarters(64, 48))).url()
	must(t, os.WriteFile(filepath.Join(filepath.Dir(e.folder), "secret.txt"), []byte("secret"), 0o600))
	must(t, os.WriteFile(filepath.Join(e.folder, "note.txt"), []byte("note"), 0o600))
	for _, path := range []string{
		"/images/" + strings.Repeat("0", 64) + ".jpg", // no such picture
		"/images/note.txt",
		"/images/..%2fsecret.txt",
		"/images/%2e%2e%2fsecret.txt",
		strings.ToUpper(url[:20]) + url[20:],
		strings.TrimSuffix(url, ".jpg"),
		url + ".attrs",
		url + "%0a",
		url + "%00",
		"/images/" + strings.Repeat("a", 10_000),
	} {
		got := e.get(path)
		if got.Status != 404 || strings.Contains(string(got.Body), "secret") {
			t.Errorf("%.80s: the response is %d %s, want 404", path, got.Status, got.Body)
		}
	}
}
