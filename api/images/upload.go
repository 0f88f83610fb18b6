package images

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"os"

	"secondring/api/rest"
	"secondring/market"
)

// field is the multipart field with the file.
const field = "image"

// Limits of the rest of a form.
const (
	maxFormOverhead = 64 << 10 // bytes
	maxFormParts    = 20
	maxPartHeader   = 16 << 10 // bytes before a part and in its head
)

// The errors of refused pictures.
var (
	errSignIn        = rest.NewError(market.CodeNoToken, "Please log in first")
	errSeller        = rest.NewError(market.CodeForbidden, "Only a seller may upload images")
	errMultipart     = rest.NewError(market.CodeBadRequest, "Send the image as multipart/form-data, in the field image")
	errInterrupted   = rest.NewError(market.CodeBadRequest, "The upload was interrupted. Please try again.")
	errTooLarge      = rest.NewError(rest.CodeTooLarge, "The image is larger than 10 MB")
	errNoFile        = rest.NewError(market.CodeInvalid, "Send the image in the field image")
	errMultipleFiles = rest.NewError(market.CodeInvalid, "Send one image at a time")
	errFormat        = rest.NewError(rest.CodeUnsupported, "The image is not a JPEG, PNG or WebP")
	errAnimated      = rest.NewError(market.CodeInvalid, "The image is animated. Please choose a still photo, or save one picture of it as a JPEG.")
	errPixels        = rest.NewError(market.CodeInvalid, "The image has more than 40 megapixels")
	errTooMuchMemory = rest.NewError(market.CodeInvalid, "The image takes too much memory to be read. Please save it as an ordinary JPEG.")
	errParts         = rest.NewError(market.CodeBadRequest, "The form has more parts than an image needs")
	errPartHeader    = rest.NewError(market.CodeBadRequest, "The head of a part of the form is too long")
	errCorrupt       = rest.NewError(market.CodeInvalid, "The image is damaged and cannot be read")
)

// upload stores a picture of a phone. Its errors are sent in the image host's format, as all
// errors of the routes (rest.FailUpload).
func (h *Host) upload(w http.ResponseWriter, r *http.Request) error {
	uid, err := mustBeSeller(r.Context())
	if err != nil {
		return err
	}
	return h.uploadOf(uid, w, r, h.savePublic)
}

// uploadForAccount stores the picture of an account, which buyers and admins have, too.
func (h *Host) uploadForAccount(w http.ResponseWriter, r *http.Request) error {
	who, ok := rest.Actor(r.Context())
	if !ok {
		return errSignIn
	}
	return h.uploadOf(who.User.UID, w, r, h.savePublic)
}

// saver stores a picture and returns its metadata.
type saver func(context.Context, reencoded) (Data, error)

// uploadOf stores a picture that a person sends.
func (h *Host) uploadOf(uid string, w http.ResponseWriter, r *http.Request, save saver) error {
	data, err := h.receiveUpload(uid, w, r, save)
	if err != nil {
		return err
	}
	rest.JSON(w, http.StatusOK, Uploaded{Success: true, Data: data})
	return nil
}

// receiveUpload checks the person's limits, receives the file and stores its picture.
func (h *Host) receiveUpload(uid string, w http.ResponseWriter, r *http.Request, save saver) (Data, error) {
	release, err := h.uploads.reserve(r.Context(), w, uid)
	if err != nil {
		return Data{}, err
	}
	defer release()
	uploaders := uploadersOf(r.Context(), uid)
	if err := h.quota.begin(r.Context(), w, uploaders); err != nil {
		return Data{}, err
	}
	// The upload goes to a file, because a slow one must not use memory.
	file, err := newTempFile()
	if err != nil {
		return Data{}, err
	}
	defer h.discard(r.Context(), file)
	err = receive(w, r, file.File)
	if err := errors.Join(err, h.quota.add(r.Context(), uploaders, file.File)); err != nil {
		return Data{}, err
	}
	return h.process(r.Context(), file.File, save)
}

// process makes the picture of a received file and stores it.
func (h *Host) process(ctx context.Context, file *os.File, save saver) (Data, error) {
	// An upload that waits here is a file on disk and uses no memory.
	if err := h.processors.Acquire(ctx, 1); err != nil {
		return Data{}, err
	}
	defer h.processors.Release(1)
	encoded, err := h.reencode(ctx, file)
	if err != nil {
		return Data{}, err
	}
	return save(ctx, encoded)
}

// savePublic stores a picture that everybody can get, under the hash of its content.
func (h *Host) savePublic(ctx context.Context, encoded reencoded) (Data, error) {
	sum := sha256.Sum256(encoded.file)
	name := hex.EncodeToString(sum[:]) + extension
	metadata, err := h.saveUnlessRemoved(ctx, name, encoded)
	if err != nil {
		return Data{}, err
	}
	url := h.origin + path + name
	return Data{
		URL: url, Width: metadata.Width, Height: metadata.Height, Blur: metadata.Blur, Srcset: metadata.Srcset(url),
	}, nil
}

// discard deletes the received file. It only logs errors, because the upload has its result
// already.
func (h *Host) discard(ctx context.Context, file tempFile) {
	if err := file.discard(); err != nil {
		h.log.WarnContext(ctx, "temporary file of an upload not removed", "error", err)
	}
}

// mustBeSeller returns the UID of the calling seller.
func mustBeSeller(ctx context.Context) (uid string, err error) {
	who, ok := rest.Actor(ctx)
	switch {
	case !ok:
		return "", errSignIn
	case who.User.Removed || !who.User.IsSeller():
		return "", errSeller
	}
	return who.User.UID, nil
}

// receive writes the form's one image to a file, and seeks to its beginning. It ignores the
// file name in the form.
func receive(w http.ResponseWriter, r *http.Request, to *os.File) error {
	if r.ContentLength > MaxBytes+maxFormOverhead {
		return errTooLarge
	}
	body := &partHeaderLimit{ReadCloser: http.MaxBytesReader(w, r.Body, MaxBytes+maxFormOverhead)}
	r.Body = body
	form, err := r.MultipartReader()
	if err != nil {
		return errMultipart
	}
	seen := false
	for n := 0; ; n++ {
		part, err := body.nextPart(form)
		switch {
		case errors.Is(err, io.EOF):
			if !seen {
				return errNoFile
			}
			_, err = to.Seek(0, io.SeekStart)
			return err
		case err != nil:
			return err
		case n == maxFormParts:
			return errParts
		case part.FormName() == field && seen:
			return errMultipleFiles
		}
		into := io.Discard
		if part.FormName() == field {
			seen, into = true, to
		}
		if err := copyPart(into, part); err != nil {
			return err
		}
	}
}

// partHeaderLimit limits how much is read to find the next part of a form, because the
// multipart reader keeps that in memory and accepts megabytes of it.
type partHeaderLimit struct {
	io.ReadCloser
	active bool
	left   int // bytes that may still be read while the limit is active
}

// nextPart returns the form's next part; io.EOF after the last.
func (l *partHeaderLimit) nextPart(form *multipart.Reader) (*multipart.Part, error) {
	l.active, l.left = true, maxPartHeader
	defer func() { l.active = false }()
	part, err := form.NextPart()
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return part, err
	case l.left == 0: // the multipart reader's error is a consequence of the limit
		return nil, errPartHeader
	}
	return nil, formError(err)
}

// Read implements io.Reader.
func (l *partHeaderLimit) Read(p []byte) (int, error) {
	if !l.active {
		return l.ReadCloser.Read(p)
	}
	if l.left == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := l.ReadCloser.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

func copyPart(to io.Writer, part *multipart.Part) error {
	n, err := io.Copy(to, io.LimitReader(part, MaxBytes+1))
	if n > MaxBytes {
		return errTooLarge
	}
	if path := (*os.PathError)(nil); errors.As(err, &path) { // an error of our file, not of the sender
		return err
	}
	if err != nil {
		return formError(err)
	}
	return nil
}

func formError(err error) error {
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return errTooLarge
	}
	return errInterrupted
}
