package images

import (
	"context"
	"net/http"
	"os"
	"strconv"
	"time"

	"secondring/api/rest"
)

// Limits of one person's uploads within a day that begins with the first upload: fifty
// phones with eight photos each.
const (
	quotaWindow = 24 * time.Hour
	quotaImages = 400
	quotaBytes  = 2 << 30
)

var errQuota = rest.NewError(rest.CodeTooFast, "You have reached today's upload limit. Please continue tomorrow.")

// Counter counts events of a key within a window of time that begins with the first event,
// on all nodes.
type Counter interface {
	// Count adds n to the key's count, 0 to read only, and returns the count and the
	// remaining time of its window.
	Count(ctx context.Context, key string, window time.Duration, n int) (count int, left time.Duration, err error)
}

// quota limits a person's uploads within a day.
type quota struct {
	counter       Counter // nil means no limit
	images, bytes int
}

// begin counts an upload of the person. It returns 429 with Retry-After, or the counter's
// error. An upload that is refused because of its bytes is not counted.
func (q quota) begin(ctx context.Context, w http.ResponseWriter, uid string) error {
	if q.counter == nil {
		return nil
	}
	received, left, err := q.counter.Count(ctx, bytesKey(uid), quotaWindow, 0)
	if err != nil {
		return err
	}
	if received < q.bytes {
		var uploads int
		uploads, left, err = q.counter.Count(ctx, "images:"+uid, quotaWindow, 1)
		if err != nil || uploads <= q.images {
			return err
		}
	}
	w.Header().Set("Retry-After", strconv.Itoa(int(left/time.Second)+1))
	return errQuota
}

// add counts the received bytes for the person, also of refused uploads. It ignores the
// request's cancellation, because the caller may have disconnected.
func (q quota) add(ctx context.Context, uid string, file *os.File) error {
	if q.counter == nil {
		return nil
	}
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	_, _, err = q.counter.Count(context.WithoutCancel(ctx), bytesKey(uid), quotaWindow, int(info.Size()))
	return err
}

func bytesKey(uid string) string { return "image-bytes:" + uid }
