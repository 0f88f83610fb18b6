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

// field is the multipart field that carries the file.
const field = "image"

// formSlack is what the form may need beside the file, in bytes.
const formSlack = 64 << 10

// Why a picture is not taken.
var (
	errSignIn    = rest.Refuse(market.CodeNoToken, "Please sign in first")
	errSeller    = rest.Refuse(market.CodeForbidden, "Only a seller may upload images")
	errMultipart = rest.Refuse(market.CodeBadRequest, "Send the image as multipart/form-data, in the field image")
	errCut       = rest.Refuse(market.CodeBadRequest, "The upload broke off. Please try again.")
	errLarge     = rest.Refuse(rest.CodeTooLarge, "The image is larger than 10 MB")
	errMissing   = rest.Refuse(market.CodeInvalid, "Send the image in the field image")
	errSeveral   = rest.Refuse(market.CodeInvalid, "Send one image at a time")
	errKind      = rest.Refuse(rest.CodeUnsupported, "The image is not a JPEG, PNG or WebP")
	errPixels    = rest.Refuse(market.CodeInvalid, "The image has more than 40 megapixels")
	errBroken    = rest.Refuse(market.CodeInvalid, "The image is damaged and cannot be read")
)

// upload leaves failures to the api, which answers them in the image host's
// own shape wherever they happen (rest.FailUpload).
func (h *Host) upload(w http.ResponseWriter, r *http.Request) error {
	data, err := h.take(w, r)
	if err != nil {
		return err
	}
	rest.JSON(w, http.StatusOK, Uploaded{Success: true, Data: data})
	return nil
}

func (h *Host) take(w http.ResponseWriter, r *http.Request) (Data, error) {
	if err := h.mustBeSeller(r.Context()); err != nil {
		return Data{}, err
	}
	// To a file, not to memory: however many upload at once, and however slowly.
	file, err := os.CreateTemp("", "secondring-upload-*")
	if err != nil {
		return Data{}, err
	}
	defer h.discard(r.Context(), file)
	if err := receive(w, r, file); err != nil {
		return Data{}, err
	}
	// Whoever waits for a turn has a file, and nothing in memory.
	if err := h.turns.Acquire(r.Context(), 1); err != nil {
		return Data{}, err
	}
	defer h.turns.Release(1)
	made, err := h.remake(r.Context(), file)
	if err != nil {
		return Data{}, err
	}
	sum := sha256.Sum256(made.file)
	name := hex.EncodeToString(sum[:]) + extension
	about, err := h.keep(r.Context(), name, made)
	if err != nil {
		return Data{}, err
	}
	url := path + name
	return Data{
		URL: url, Width: about.Width, Height: about.Height, Blur: about.Blur, Srcset: about.Srcset(url),
	}, nil
}

// discard removes what was received. The picture is kept by then, or refused:
// the person need not hear that it failed.
func (h *Host) discard(ctx context.Context, file *os.File) {
	if err := errors.Join(file.Close(), os.Remove(file.Name())); err != nil {
		h.log.WarnContext(ctx, "an upload's temporary file stays", "error", err)
	}
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
