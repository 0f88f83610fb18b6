package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"secondring/cmd/secondring/datastore"

	"secondring/cmd/secondring/backup"
	"secondring/cmd/secondring/settings"
)

// runBackup writes the market in DATA_DIR into a new file.
func runBackup(ctx context.Context, args []string, out io.Writer) error {
	s, err := settings.ReadBackup(os.Getenv)
	if err != nil {
		return err
	}
	result, err := datastore.Backup(ctx, s, version, args[0])
	if err != nil {
		return withFix(err, "no backup was written, and the market is unchanged; fix this and try again")
	}
	_, err = fmt.Fprintf(out, "%s is complete and verified:\n\n%s\n  SHA-256   %s\n\n%s", result.File, contentTable(result.Manifest), result.Sum,
		"Keep it on another machine, where others cannot read it: it has personal data. It has no\nkeys: keep TOKEN_SECRET and the keys of Stripe and Google yourself.\n")
	return err
}

// runRestore restores the market of a backup into DATA_DIR.
func runRestore(ctx context.Context, args []string, out io.Writer) error {
	s, err := settings.ReadBackup(os.Getenv)
	if err != nil {
		return err
	}
	result, err := datastore.Restore(ctx, s, args[len(args)-1], len(args) > 1)
	switch {
	case backup.IsDamage(err):
		return fmt.Errorf("%w: use another backup; nothing has been changed", err)
	case err != nil:
		return withFix(err, "fix this and start the same restore again")
	}
	var aside string
	if result.Aside != "" {
		aside = fmt.Sprintf("What was there before is in %s/%s: delete it when you do not need it.\n", result.DataDir, result.Aside)
	}
	_, err = fmt.Fprintf(out, `The market is in %s as it was at %s:

%s
%sStart the server. Everybody signs in again, and open screens read everything again.
What happened since then is not there, but for what %s has noted: %d removals
of people, and changes of passwords and of admins, were made again. Payments that
came later are in the card provider's list alone: secondring reconcile lists them.
`, result.DataDir, result.Made.Format(time.RFC3339), contentTable(result.Manifest), aside, datastore.RemovalsFile, result.Reapplied)
	return err
}

// withFix adds to an error what to do. A settings.Error already says that.
func withFix(err error, fix string) error {
	if _, ok := errors.AsType[*settings.Error](err); ok {
		return err
	}
	return fmt.Errorf("%w: %s", err, fix)
}

// contentTable returns a table of the content of a backup.
func contentTable(m backup.Manifest) string {
	var text strings.Builder
	for _, kind := range []string{"users", "products", "bookings", "payments", "reports"} {
		fmt.Fprintf(&text, "  %-9s %10d\n", kind, m.Contents.Rows[kind])
	}
	fmt.Fprintf(&text, "  %-9s %10d\n  %-9s %10d\n", "images", m.Images, "bytes", m.Bytes)
	return text.String()
}
