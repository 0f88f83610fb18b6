package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"secondring/cmd/secondring/datastore"

	"secondring/cmd/secondring/move"
	"secondring/cmd/secondring/settings"
)

// migrate moves the market in DATA_DIR into the database that MONGODB_URI names.
func migrate(ctx context.Context, out io.Writer) error {
	s, err := settings.ReadMigration(os.Getenv)
	if err != nil {
		return err
	}
	b := newProgressBar(out, isTerminal(out))
	result, err := datastore.Migrate(ctx, s, b.show)
	b.end()
	if err != nil {
		return withAdvice(ctx, err)
	}
	_, err = fmt.Fprint(out, summary(result))
	return err
}

// withAdvice adds to the error of a failed migration what to do. A settings.Error already
// says that.
func withAdvice(ctx context.Context, err error) error {
	setting, mismatch := (*settings.Error)(nil), (*move.MismatchError)(nil)
	switch {
	case errors.As(err, &setting):
		return err
	case errors.As(err, &mismatch):
		return fmt.Errorf("%w: start secondring migrate again, which corrects that; if they differ once more, "+
			"another program writes to one of them. Until then servers use the old store and refuse the new one", err)
	case ctx.Err() != nil:
		return fmt.Errorf("stopped (%w): start secondring migrate again, and it continues from here", err)
	default:
		return fmt.Errorf("%w: fix this and start secondring migrate again, and it continues from here", err)
	}
}

// isTerminal returns whether out is a terminal.
func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// summary describes what was done and what to do next.
func summary(m datastore.MigrationResult) string {
	var text strings.Builder
	if m.Kinds == nil {
		fmt.Fprintf(&text, "The market in %s had arrived before: there is nothing to move.\n", m.DataDir)
	} else {
		fmt.Fprintf(&text, "Both stores were read to the end, and hold the same:\n\n  %-10s %10s   checksum\n", "", "count")
		for _, kind := range m.Kinds {
			fmt.Fprintf(&text, "  %-10s %10d   %s\n", kind.Kind, kind.Count, kind.Sum)
		}
	}
	fmt.Fprintf(&text, `
Now start the nodes with these, and without IMAGES_URL:

  MONGODB_URI    as it is now
  REDIS_URL      of the Redis that all nodes share, or none for a single node
  TOKEN_SECRET   %s

The old store is kept in %s as it was, and servers refuse it now. As long as
nothing new has been written you can go back: delete %s.
`, secretAdvice(m), m.DataDir, filepath.Join(m.DataDir, datastore.MigrationFile))
	return text.String()
}

// secretAdvice returns which TOKEN_SECRET to set, and the effect.
func secretAdvice(m datastore.MigrationResult) string {
	file := filepath.Join(m.DataDir, "token-secret")
	switch m.Secret {
	case datastore.SecretSame:
		return "as it is now: it is the old server's, so nobody notices anything"
	case datastore.SecretInDataDir:
		return "what is in " + file + ", so that nobody notices anything"
	case datastore.SecretUnknown:
		return "the one that the old server was started with: " + otherSecretEffect
	default:
		return "as it is now, which is not what is in " + file + ".\n                 With " + otherSecretEffect
	}
}

const otherSecretEffect = "another one all access\n" +
	"                 tokens end at once: open screens may ask people to sign in again.\n" +
	"                 Sessions and passwords are kept whichever it is"
