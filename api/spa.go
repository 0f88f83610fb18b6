package api

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
)

const (
	indexFile = "index.html"
	brotliEnd = ".br"
	// The names of built files and of photographs change with their content.
	immutable = "public, max-age=31536000, immutable"
)

// client is the built client, in memory.
type client struct {
	files  map[string]*file // by path, with the leading slash
	policy string           // of the page
	// known tells whether the browser brings a session cookie. Who brings none
	// gets the visitors' page, which saves the client asking who is signed in.
	known  func(*http.Request) bool
	common pages            // of every screen without one of its own
	pages  map[string]pages // by the screen's pattern
	brands *brandsPage      // nil where the build has no still of them
}

// file is one file of the client, compressed when first asked for.
type file struct {
	body  []byte
	media string
	tag   string // ETag
	small func() []byte
	// least is the Brotli copy that the build has laid beside it; nil without.
	least []byte
}

// readClient reads the built client and writes into its page what the server
// knows of it: the settings, for everybody; before all scripts, that of the
// sandbox, which visitors, who cannot pay, are spared.
func (a *api) readClient() (*client, error) {
	c := &client{files: map[string]*file{}, known: a.HasSession}
	if err := c.read(a.Client); err != nil {
		return nil, err
	}
	index, built := c.files["/"+indexFile]
	if !built { // the calls work without
		return c, nil
	}
	c.policy = a.contentPolicy(index.inlineScripts()...)
	settings, err := a.Settings.block()
	if err != nil {
		return nil, err
	}
	index = index.with(headEnd, settings+headEnd)
	visitors := index.with(headBegin, headBegin+visitorMark)
	if a.Settings.Stripe.Sandbox {
		index = index.with(headBegin, headBegin+sandboxMark)
	}
	c.files["/"+indexFile] = index
	return c, c.makePages(pages{visitors: visitors, known: index}, a.Market)
}

// read reads all files of the client; nil and an empty folder have none.
func (c *client) read(from fs.FS) error {
	if from == nil {
		return nil
	}
	err := fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			return err
		}
		body, err := fs.ReadFile(from, name)
		c.files["/"+name] = newFile(name, body)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	c.joinBrotli()
	return err
}

// joinBrotli takes the Brotli copies to the files that they are copies of.
func (c *client) joinBrotli() {
	for name, packed := range c.files {
		if f, found := c.files[strings.TrimSuffix(name, brotliEnd)]; found && f != packed {
			f.least = packed.body
			delete(c.files, name)
		}
	}
}

// with is the page with more at one place of its text.
func (f *file) with(place, more string) *file {
	return newFile(indexFile, bytes.Replace(f.body, []byte(place), []byte(more), 1))
}

// withAll is the page with all of one text replaced.
func (f *file) withAll(text, instead string) *file {
	return newFile(indexFile, bytes.ReplaceAll(f.body, []byte(text), []byte(instead)))
}

// inline is a script that a page has in itself; those with attributes are files
// or data.
var inline = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// inlineScripts names the scripts in the built page as its policy does, by their
// hashes (CSP3, section 2.3.1).
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
	// visitorMark tells the client that the browser brought no session cookie.
	visitorMark = `<meta name="session" content="none" />`
	// sandboxMark brings the sandbox's stand-in for Stripe.js. Deferred scripts
	// run in the order of the page: before the client, which is a module.
	sandboxMark = `<script defer src="/sandbox/stripe/v3.js"></script>`
)

func newFile(name string, body []byte) *file {
	media := mime.TypeByExtension(path.Ext(name))
	if media == "" {
		media = http.DetectContentType(body)
	}
	hash := sha256.Sum256(body)
	f := &file{body: body, media: media, tag: base64.RawURLEncoding.EncodeToString(hash[:12])}
	f.small = sync.OnceValue(func() []byte {
		packed, text := &bytes.Buffer{}, strings.HasPrefix(media, "text/") || strings.Contains(media, "javascript") ||
			strings.Contains(media, "json") || strings.Contains(media, "svg")
		if !text || len(body) < minGzip {
			return nil
		}
		w, _ := gzip.NewWriterLevel(packed, gzip.BestCompression) // the level is a known one
		_, _ = w.Write(body)                                      // into memory
		_ = w.Close()
		return packed.Bytes()
	})
	return f
}

// rootFiles are the paths of the files beside index.html, such as the icon.
func (c *client) rootFiles() []string {
	paths := []string{}
	for name := range c.files {
		if !strings.HasPrefix(name, "/assets/") && name != "/"+indexFile {
			paths = append(paths, name)
		}
	}
	return paths
}

// screen answers one of the client's own addresses.
func (c *client) screen(w http.ResponseWriter, r *http.Request) {
	if !c.page(w, r, http.StatusOK) {
		http.Error(w, "The client is not in this build: run make build", http.StatusNotFound)
	}
}

// screenOr answers an address that is a call as well.
func screenOr(screen http.HandlerFunc, call http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept")
		if wantsScreen(r) {
			screen(w, r)
			return
		}
		call.ServeHTTP(w, r)
	})
}

// notFound answers with the client, which says so. False without a client.
func (c *client) notFound(w http.ResponseWriter, r *http.Request) bool {
	return c.page(w, r, http.StatusNotFound)
}

// page answers with the client's one page. False without a client.
func (c *client) page(w http.ResponseWriter, r *http.Request, status int) bool {
	index := c.index(r)
	if index == nil {
		return false
	}
	c.send(w, r, index, status)
	return true
}

// send answers with a page that depends on whether there is a session cookie.
func (c *client) send(w http.ResponseWriter, r *http.Request, page *file, status int) {
	w.Header().Add("Vary", "Cookie")
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("Content-Security-Policy", c.policy)
	page.serve(w, r, status)
}

// asset answers a file of the client by its own path.
func (a *api) asset(w http.ResponseWriter, r *http.Request) {
	f, found := a.client.files[r.URL.Path]
	if !found {
		a.notFound(w, r)
		return
	}
	policy := "no-cache"
	if strings.HasPrefix(r.URL.Path, "/assets/") {
		policy = immutable
	}
	w.Header().Set("Cache-Control", policy)
	f.serve(w, r, http.StatusOK)
}

// serve writes the file, compressed where the caller takes that.
func (f *file) serve(w http.ResponseWriter, r *http.Request, status int) {
	h, body, tag := w.Header(), f.body, `"`+f.tag+`"`
	h.Add("Vary", "Accept-Encoding")
	h.Set("Content-Type", f.media)
	if f.least != nil && takesBrotli(r) {
		body, tag = f.least, `"`+f.tag+`-br"`
		h.Set("Content-Encoding", "br")
	} else if takesGzip(r) {
		if small := f.small(); small != nil {
			body, tag = small, `"`+f.tag+`-gzip"`
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
	_, _ = w.Write(body) // the caller may have gone: nobody is left to tell
}

// hashed is a name that changes with its file's content.
var hashed = regexp.MustCompile(`-[0-9a-f]{10}(\.jpg|-[0-9]+\.webp)$`)

// photos serves the demo's photographs; a folder is nothing to look at.
func (a *api) photos() http.HandlerFunc {
	files := http.StripPrefix("/photos/", http.FileServerFS(a.Photos))
	return func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/photos/")
		if about, err := fs.Stat(a.Photos, name); err != nil || about.IsDir() {
			a.notFound(w, r)
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
