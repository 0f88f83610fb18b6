package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"

	"secondring/api/rest"
)

const (
	indexFile = "index.html"
	brotliExt = ".br"
	// The names of built files and of photos change with their content.
	immutable = "public, max-age=31536000, immutable"
)

// file is one file of the client. It is compressed at the first request.
type file struct {
	body    []byte
	media   string
	tag     string // the ETag
	gzipped func() []byte
	// brotli is the Brotli copy that the build has written; nil if there is none.
	brotli []byte
}

// readFiles reads all files of the client. A nil or empty folder has none.
func (s *Site) readFiles() error {
	if s.Client == nil {
		return nil
	}
	err := fs.WalkDir(s.Client, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			return err
		}
		body, err := fs.ReadFile(s.Client, name)
		s.files["/"+name] = newFile(name, body)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	s.joinBrotli()
	return err
}

// joinBrotli adds the Brotli copies to the original files.
func (s *Site) joinBrotli() {
	for name, packed := range s.files {
		if f, found := s.files[strings.TrimSuffix(name, brotliExt)]; found && f != packed {
			f.brotli = packed.body
			delete(s.files, name)
		}
	}
}

// with returns the page with a part of its text replaced.
func (f *file) with(old, replacement string) *file {
	return newFile(indexFile, bytes.Replace(f.body, []byte(old), []byte(replacement), 1))
}

// inline matches inline scripts; script elements with attributes are files or data.
var inline = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// inlineScripts returns the hashes of the page's inline scripts, as its policy needs them
// (CSP3, section 2.3.1).
func (f *file) inlineScripts() []string {
	names := []string{}
	for _, script := range inline.FindAllSubmatch(f.body, -1) {
		hash := sha256.Sum256(script[1])
		names = append(names, "'sha256-"+base64.StdEncoding.EncodeToString(hash[:])+"'")
	}
	return names
}

const (
	headBegin, headEnd = "<head>", "</head>"
	// visitorMark tells the client that the request had no session cookie.
	visitorMark = `<meta name="session" content="none" />`
	// sandboxMark loads the sandbox's replacement of Stripe.js. Deferred scripts run in the
	// order of the page: before the client, which is a module.
	sandboxMark = `<script defer src="/sandbox/stripe/v3.js"></script>`
)

func newFile(name string, body []byte) *file {
	media := mime.TypeByExtension(path.Ext(name))
	if media == "" {
		media = http.DetectContentType(body)
	}
	hash := sha256.Sum256(body)
	f := &file{body: body, media: media, tag: base64.RawURLEncoding.EncodeToString(hash[:12])}
	f.gzipped = sync.OnceValue(func() []byte {
		text := strings.HasPrefix(media, "text/") || strings.Contains(media, "javascript") ||
			strings.Contains(media, "json") || strings.Contains(media, "svg")
		if !text {
			return nil
		}
		return rest.Gzipped(body, gzip.BestCompression)
	})
	return f
}

// RootFiles returns the paths of the files beside index.html, such as the icon.
func (s *Site) RootFiles() []string {
	paths := []string{}
	for name := range s.files {
		if !strings.HasPrefix(name, "/assets/") && name != "/"+indexFile {
			paths = append(paths, name)
		}
	}
	return paths
}

// Asset sends a file of the client.
func (s *Site) Asset(w http.ResponseWriter, r *http.Request) {
	f, found := s.files[r.URL.Path]
	if !found {
		s.Missing(w, r)
		return
	}
	policy := "no-cache"
	if strings.HasPrefix(r.URL.Path, "/assets/") {
		policy = immutable
	}
	w.Header().Set("Cache-Control", policy)
	f.serve(w, r, http.StatusOK)
}

// serve sends the file, compressed if the caller accepts that.
func (f *file) serve(w http.ResponseWriter, r *http.Request, status int) {
	h, body, tag := w.Header(), f.body, `"`+f.tag+`"`
	h.Add("Vary", "Accept-Encoding")
	h.Set("Content-Type", f.media)
	if f.brotli != nil && rest.AcceptsBrotli(r) {
		body, tag = f.brotli, `"`+f.tag+`-br"`
		h.Set("Content-Encoding", "br")
	} else if rest.AcceptsGzip(r) {
		if gzipped := f.gzipped(); gzipped != nil {
			body, tag = gzipped, `"`+f.tag+`-gzip"`
			h.Set("Content-Encoding", "gzip")
		}
	}
	h.Set("ETag", tag)
	if status == http.StatusOK && strings.Contains(r.Header.Get("If-None-Match"), tag) {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // an error means that the caller has closed the connection
}

// hashed matches names that contain a hash of the file's content.
var hashed = regexp.MustCompile(`-[0-9a-f]{10}(\.jpg|\.svg|-[0-9]+\.webp)$`)

// Photographs serves the demo's photos, without folder listings.
func (s *Site) Photographs() http.HandlerFunc {
	files := http.StripPrefix("/photos/", http.FileServerFS(s.Photos))
	return func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/photos/")
		if about, err := fs.Stat(s.Photos, name); err != nil || about.IsDir() {
			s.Missing(w, r)
			return
		}
		policy := "no-cache"
		if hashed.MatchString(name) {
			policy = immutable
		}
		w.Header().Set("Cache-Control", policy)
		files.ServeHTTP(w, r)
	}
}
