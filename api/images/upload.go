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

	"gocloud.dev/blob"

	"secondring/api/rest"
	"secondring/market"
)

// field is the multipart field that carries the file.
const field = "image"

// formSlack is what the form may need beside the file, in bytes.
const formSlack = 64 << 10

// refusal is why a picture is not taken: a status and what to tell the person.
type refusal struct {
	status  int
	message string
}

func (r refusal) Error() string { return r.message }

var (
	errSignIn    = refusal{http.StatusUnauthorized, "Please sign in first"}
	errSeller    = refusal{http.StatusForbidden, "Only a seller may upload images"}
	errMultipart = refusal{http.StatusBadRequest, "Send the image as multipart/form-data, in the field image"}
	errCut       = refusal{http.StatusBadRequest, "The upload broke off. Please try again."}
	errLarge     = refusal{http.StatusRequestEntityTooLarge, "The image is larger than 10 MB"}
	errMissing   = refusal{http.StatusUnprocessableEntity, "Send the image in the field image"}
	errSeveral   = refusal{http.StatusUnprocessableEntity, "Send one image at a time"}
	errKind      = refusal{http.StatusUnsupportedMediaType, "The image is not a JPEG, PNG or WebP"}
	errPixels    = refusal{http.StatusUnprocessableEntity, "The image has more than 40 megapixels"}
	errBroken    = refusal{http.StatusUnprocessableEntity, "The image is damaged and cannot be read"}
)

// upload answers in the image host's own shape, refusals too.
func (h *Host) upload(w http.ResponseWriter, r *http.Request) error {
	url, err := h.take(w, r)
	if err == nil {
		rest.JSON(w, http.StatusOK, Uploaded{Success: true, Data: Data{URL: url}})
		return nil
	}
	var why refusal
	if !errors.As(err, &why) {
		if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
			return nil // the caller has gone
		}
		h.log.ErrorContext(r.Context(), "an image could not be taken", "error", err)
		why = refusal{http.StatusInternalServerError, "The image could not be kept. Please try again."}
	}
	rest.JSON(w, why.status, Refused{Error: Problem{Message: why.message}})
	return nil
}

func (h *Host) take(w http.ResponseWriter, r *http.Request) (url string, err error) {
	if err := h.mustBeSeller(r.Context()); err != nil {
		return "", err
	}
	// To a file, not to memory: however many upload at once, and however slowly.
	file, err := os.CreateTemp("", "secondring-upload-*")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(file.Name())) }()
	if err := receive(w, r, file); err != nil {
		return "", err
	}
	picture, err := h.remake(r.Context(), file)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(picture)
	name := hex.EncodeToString(sum[:]) + extension
	return "/images/" + name, h.keep(r.Context(), name, picture)
}

// keep stores the picture. The same one is there already at times.
func (h *Host) keep(ctx context.Context, name string, picture []byte) error {
	there, err := h.bucket.Exists(ctx, name)
	if err != nil || there {
		return err
	}
	return h.bucket.WriteAll(ctx, name, picture, &blob.WriterOptions{ContentType: mediaType})
}

func (h *Host) mustBeSeller(ctx context.Context) error {
	if actor, ok := rest.Actor(ctx); ok {
		return sellers(actor.User)
	}
	in, ok := rest.CookieOwner(ctx)
	if !ok {
		return errSignIn
	}
	user, err := h.user(ctx, in.Account.UID)
	if errors.Is(err, market.ErrNotFound) {
		return errSeller
	}
	if err != nil {
		return err
	}
	return sellers(user)
}

func sellers(u market.User) error {
	if u.Removed || !u.IsSeller() {
		return errSeller
	}
	return nil
}

// receive writes the form's one image to a file, and goes back to its beginning.
// The file's name in the form is never looked at.
func receive(w http.ResponseWriter, r *http.Request, to *os.File) error {
	if r.ContentLength > MaxBytes+formSlack {
		return errLarge
	}
	r.Body = http.MaxBytesReader(w, r.Body, MaxBytes+formSlack)
	form, err := r.MultipartReader()
	if err != nil {
		return errMultipart
	}
	seen := false
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return formError(err)
		}
		if part.FormName() != field {
			continue
		}
		if seen {
			return errSeveral
		}
		seen = true
		if err := copyPart(to, part); err != nil {
			return err
		}
	}
	if !seen {
		return errMissing
	}
	_, err = to.Seek(0, io.SeekStart)
	return err
}

func copyPart(to io.Writer, part *multipart.Part) error {
	n, err := io.Copy(to, io.LimitReader(part, MaxBytes+1))
	if n > MaxBytes {
		return errLarge
	}
	if path := (*os.PathError)(nil); errors.As(err, &path) { // ours, not the sender's
		return err
	}
	if err != nil {
		return formError(err)
	}
	return nil
}

func formError(err error) error {
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return errLarge
	}
	return errCut
}
