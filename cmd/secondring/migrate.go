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
		fmt.Fprintf(&text, "The market in %s was migrated before. There is nothing to do.\n", m.DataDir)
	} else {
		fmt.Fprintf(&text, "Both stores were read completely, and their content is the same:\n\n  %-10s %10s   checksum\n", "", "count")
		for _, kind := range m.Kinds {
			fmt.Fprintf(&text, "  %-10s %10d   %s\n", kind.Kind, kind.Count, kind.Sum)
		}
	}
	fmt.Fprintf(&text, `
Now start the nodes with these settings, and without IMAGES_URL:

  MONGODB_URI    the present value
  REDIS_URL      the address of the Redis that all nodes share, or none for a single node
  TOKEN_SECRET   %s
  SECOND_FACTOR_KEY
                 the content of %s, so that the codes of authenticator apps
                 stay valid, or SECOND_FACTOR_KEY of the old server if it was set

The old store in %s was not changed. Servers now refuse to open it. Until the new store
has new data, you can go back by deleting %s.
`, secretAdvice(m), filepath.Join(m.DataDir, "second-factor-key"), m.DataDir, filepath.Join(m.DataDir, datastore.MigrationFile))
	return text.String()
}

// secretAdvice returns which TOKEN_SECRET to set, and the effect.
func secretAdvice(m datastore.MigrationResult) string {
	file := filepath.Join(m.DataDir, "token-secret")
	switch m.Secret {
	case datastore.SecretSame:
		return "the present value. It is the secret of the old server, so people stay signed in"
	case datastore.SecretInDataDir:
		return "the content of " + file + ", so that people stay signed in"
	case datastore.SecretUnknown:
		return "the value that the old server had. " + otherSecretEffect
	default:
		return "the present value. It is not the content of " + file + ".\n                 " + otherSecretEffect
	}
}

const otherSecretEffect = "With another secret all access\n" +
	"                 tokens become invalid at once, and open screens may ask people to sign in\n" +
	"                 again. Sessions and passwords stay valid"
