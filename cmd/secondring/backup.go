package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"secondring/cmd/secondring/backup"
	"secondring/cmd/secondring/datastore"
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
		"Copy it to another machine, and allow no one else to read it, because it contains personal data.\n"+
			"It contains no keys. Store TOKEN_SECRET, SECOND_FACTOR_KEY (or DATA_DIR/second-factor-key) and the keys of Stripe and Google separately.\n")
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
		aside = fmt.Sprintf("The previous market is in %s/%s. Delete it when you no longer need it.\n", result.DataDir, result.Aside)
	}
	_, err = fmt.Fprintf(out, `The market in %s was restored. Its data is that of %s:

%s
%sStart the server. Everyone must sign in again, and open screens fetch their lists again.
Changes after the backup are lost, except those that %s has recorded. Of these,
%d were made again: removals of people and images, and changes of passwords, second factors, addresses,
Google accounts and admin roles. Payments after the backup exist only at the card provider. To
list them, run secondring reconcile.
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
