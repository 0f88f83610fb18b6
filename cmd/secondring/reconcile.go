package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"text/tabwriter"
	"time"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// sinceFlag says from which day on payments are compared.
const sinceFlag = "--since"

// errDiffer makes the command exit with 1.
var errDiffer = errors.New("payments differ: docs/OPERATIONS.md says what to do")

// reconcile compares the market's payments with the card provider's, and prints
// what differs.
func reconcile(ctx context.Context, s settings.Settings, args []string, out io.Writer) error {
	since, err := sinceOf(args)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	done, err := app.Reconcile(ctx, s, since, log)
	if err != nil {
		return orSetting(err, "nothing has been changed; mend that and start the same command again")
	}
	if err := printReconciled(out, done); err != nil {
		return err
	}
	if len(done.Differences) > 0 {
		return errDiffer
	}
	return nil
}

// sinceOf reads the day; the zero time where none is named.
func sinceOf(args []string) (time.Time, error) {
	if len(args) == 0 {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, args[len(args)-1])
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: write the day after %s as in 2026-11-23\n\n%s", errUsage, sinceFlag, usage)
	}
	return day, nil
}

func printReconciled(out io.Writer, done market.Reconciled) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, d := range done.Differences {
		if _, err := fmt.Fprintf(table, "%s\t%s\tbooking %s\t%s\n", d.IntentID, market.Money(d.Cents, market.Currency), d.BookingID, d.Problem); err != nil {
			return err
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%d payments compared, %d differ. %d charges at the provider are of no order of this market.\n",
		done.Compared, len(done.Differences), done.Foreign)
	return err
}
