package images

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
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
	// networkQuotas is how many times this all people of one network may upload, because a person
	// can have many accounts.
	networkQuotas = 5
)

var errQuota = rest.NewError(rest.CodeTooFast, "You have reached today's upload limit. Please continue tomorrow.")

// quota limits the uploads of a person, and of a network, within a day.
type quota struct {
	counter       rest.Counter // nil means no limit
	images, bytes int
}

// uploader is a person or a network whose uploads are counted.
type uploader struct {
	key    string // UID or network
	quotas int    // how many times the quota of one person it has
}

func (u uploader) bytesKey() string { return "image-bytes:" + u.key }

// uploadersOf returns the person and the network of an upload. A loopback address may be a
// proxy that is missing in TRUSTED_PROXIES, so it is not counted.
func uploadersOf(ctx context.Context, uid string) []uploader {
	all := []uploader{{key: uid, quotas: 1}}
	address := rest.Address(ctx)
	if ip, err := netip.ParseAddr(address); err == nil && !ip.IsLoopback() {
		all = append(all, uploader{key: "network:" + rest.Network(address), quotas: networkQuotas})
	}
	return all
}

// begin counts an upload. It returns 429 with Retry-After if one of the uploaders has used its
// quota, or the counter's error.
func (q quota) begin(ctx context.Context, w http.ResponseWriter, all []uploader) error {
	if q.counter == nil {
		return nil
	}
	for _, u := range all {
		left, err := q.count(ctx, u)
		if errors.Is(err, errQuota) {
			w.Header().Set("Retry-After", strconv.Itoa(int(left/time.Second)+1))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// count counts an upload of one uploader. It returns errQuota, with the time that remains until
// the next day, if the quota is used. An upload that is refused because of its bytes is not
// counted.
func (q quota) count(ctx context.Context, u uploader) (left time.Duration, err error) {
	received, left, err := q.counter.Count(ctx, u.bytesKey(), quotaWindow, 0)
	if err != nil {
		return left, err
	}
	if received >= q.bytes*u.quotas {
		return left, errQuota
	}
	uploads, left, err := q.counter.Count(ctx, "images:"+u.key, quotaWindow, 1)
	if err == nil && uploads > q.images*u.quotas {
		err = errQuota
	}
	return left, err
}

// add counts the received bytes, also of refused uploads. It ignores the request's cancellation,
// because the caller may have disconnected.
func (q quota) add(ctx context.Context, all []uploader, file *os.File) error {
	if q.counter == nil {
		return nil
	}
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	for _, u := range all {
		if _, _, err := q.counter.Count(context.WithoutCancel(ctx), u.bytesKey(), quotaWindow, int(info.Size())); err != nil {
			return err
		}
	}
	return nil
}
