package images

import (
	"context"
	"log/slog"
	"mime/multipart"
	"net/http"
	"runtime"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	"golang.org/x/sync/semaphore"

	"secondring/api/rest"
	"secondring/market"
)

// Limits of accepted and stored pictures.
const (
	MaxBytes  = 10 << 20   // size of a file
	MaxPixels = 40_000_000 // of a picture
	maxSide   = 1600       // longest side of a stored picture, in pixels: twice the width of the widest card
	quality   = 85         // of the stored JPEG
)

// decodeMemoryLimit is the memory of all decoders together, in bytes. A phone's photo of 12
// megapixels needs a fifth of it. An image that needs more, up to maxDecodeMemory, is decoded alone.
const decodeMemoryLimit = 384 << 20

// Config is the configuration of the image host.
type Config struct {
	Bucket *blob.Bucket
	// Records stores the metadata of each picture.
	Records market.DocumentStore
	// Market has the orders to which people add photographs.
	Market *market.Market
	// Shows returns whether anything shows a picture at one of these URLs.
	Shows func(ctx context.Context, urls []string) (bool, error)
	// Origin is the origin of the public URLs, like https://phones.example.
	Origin string
	// Counter counts each person's uploads of a day; nil means no limit.
	Counter rest.Counter
	Clock   market.Clock
	Log     *slog.Logger
}

// Host is the image host. It is safe for concurrent use.
type Host struct {
	bucket       *blob.Bucket
	records      market.DocumentStore
	market       *market.Market
	shows        func(ctx context.Context, urls []string) (bool, error)
	origin       string
	clock        market.Clock
	log          *slog.Logger
	decodeMemory *semaphore.Weighted // in bytes, of the pictures that are decoded at the same time
	processors   *semaphore.Weighted // pictures that are worked on at the same time: as many as there are processors
	uploads      *uploadSlots        // uploads that are received at the same time
	quota        quota
}

// New returns the host. The caller closes the bucket.
func New(c Config) *Host {
	return &Host{
		bucket: c.Bucket, records: c.Records, market: c.Market, shows: c.Shows, origin: c.Origin, clock: c.Clock, log: c.Log,
		decodeMemory: semaphore.NewWeighted(decodeMemoryLimit), processors: semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0))),
		uploads: newUploadSlots(), quota: quota{counter: c.Counter, images: quotaImages, bytes: quotaBytes},
	}
}

// OpenFolder opens a folder on this machine as a bucket, and creates it if it does not
// exist. Pictures are written atomically.
func OpenFolder(path string) (*blob.Bucket, error) {
	return fileblob.OpenBucket(path, &fileblob.Options{
		CreateDir:   true,
		DirFileMode: 0o700,
		NoTempDir:   true,                       // a rename must stay in one file system
		Metadata:    fileblob.MetadataDontWrite, // the name contains everything
	})
}

// Uploaded is the response of a successful upload.
type Uploaded struct {
	Success bool `json:"success"`
	Data    Data `json:"data"`
}

// Data is the URL of the picture and its metadata.
type Data struct {
	URL    string `json:"url" doc:"Absolute URL; of a photograph of an order, a path. It never changes"`
	Width  int    `json:"width" doc:"Width in pixels"`
	Height int    `json:"height" doc:"Height in pixels"`
	Blur   string `json:"blur" doc:"Small preview as a data URL, to show while the photo loads"`
	Srcset string `json:"srcset" doc:"The photo in other widths, for the srcset attribute of an img element. Empty if there are none"`
}

// Form is the multipart form of an upload.
type Form struct {
	Image *multipart.FileHeader `json:"image" format:"binary" doc:"JPEG, PNG or WebP file, at most 10 MB and 40 megapixels"`
}

// Routes returns the routes of the image host.
func (h *Host) Routes() []rest.Route {
	key := []rest.Param{{Name: "key", Description: "Ignored. It is accepted because other image hosts require it"}}
	return append(h.evidenceRoutes(key), []rest.Route{
		{
			Method: http.MethodPost, Path: "/images", ID: "uploadImage", Tag: "images", Access: rest.Bearer,
			Summary: "Upload a photo (sellers only)", Query: key,
			Form: Form{}, Response: Uploaded{}, ErrorStatuses: []int{http.StatusForbidden}, Fail: rest.FailUpload, Handle: h.upload,
		},
		{
			Method: http.MethodPost, Path: "/images/account", ID: "uploadAccountPicture", Tag: "images", Access: rest.Bearer,
			Summary: "Upload a picture for your account; PATCH /identity/me then sets it as photoURL", Query: key,
			Form: Form{}, Response: Uploaded{}, ErrorStatuses: []int{http.StatusForbidden}, Fail: rest.FailUpload, Handle: h.uploadForAccount,
		},
		{
			Method: http.MethodGet, Path: "/images/{name}", ID: "getImage", Tag: "images", Access: rest.Anyone,
			Summary: "Get a photo (.jpg) or a narrower copy of it (.webp)", MediaType: mediaType, ErrorStatuses: []int{http.StatusNotFound}, Fail: rest.FailUpload, Handle: h.serve,
			NoRateLimit: true, // a screen shows dozens of photos
		},
		{
			Method: http.MethodDelete, Path: "/images/{name}", ID: "removeImage", Tag: "images", Access: rest.Bearer,
			Summary: "Delete a photo and its copies permanently (admins only)", Body: rest.RemovalReason{}, OptionalBody: true, Response: rest.Deleted{},
			ErrorStatuses: []int{http.StatusForbidden, http.StatusNotFound}, Fail: rest.FailUpload, Handle: h.remove,
		},
	}...)
}
