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

// The flags of reconcile: from which day on payments are compared, and to repair what
// differs.
const (
	sinceFlag  = "--since"
	repairFlag = "--repair"
)

// errDiffer makes the command exit with 1.
var errDiffer = errors.New("payments differ: docs/OPERATIONS.md says what to do")

// reconcile compares the market's payments with the card provider's, and prints
// what differs. With repairFlag it repairs what it can, and compares again.
func reconcile(ctx context.Context, s settings.Settings, args []string, out io.Writer) error {
	since, repair, err := reconcileArgs(args)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	books, err := app.OpenReconciler(ctx, s, log)
	if err != nil {
		return orSetting(err, "nothing has been changed; fix this and start the same command again")
	}
	return errors.Join(compareBooks(ctx, books, since, repair, out), books.Close())
}

func compareBooks(ctx context.Context, books *app.Reconciler, since time.Time, repair bool, out io.Writer) error {
	done, err := books.Compare(ctx, since)
	if err != nil {
		return err
	}
	if err := printReconciled(out, done, repair); err != nil {
		return err
	}
	if repair && len(done.Differences) > 0 {
		books.Repair(ctx, done.Differences)
		if done, err = books.Compare(ctx, since); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, "\nAfter the repair:"); err != nil {
			return err
		}
		if err := printReconciled(out, done, false); err != nil {
			return err
		}
	}
	if len(done.Differences) > 0 {
		return errDiffer
	}
	return nil
}

// knowsReconcile tells whether reconcileArgs understands the arguments, but for the day.
func knowsReconcile(args []string) bool {
	if len(args) > 0 && args[0] == repairFlag {
		args = args[1:]
	}
	return len(args) == 0 || len(args) == 2 && args[0] == sinceFlag
}

// reconcileArgs reads the day, the zero time where none is named, and whether to repair.
func reconcileArgs(args []string) (since time.Time, repair bool, err error) {
	if len(args) > 0 && args[0] == repairFlag {
		repair, args = true, args[1:]
	}
	if len(args) == 0 {
		return time.Time{}, repair, nil
	}
	day, err := time.Parse(time.DateOnly, args[len(args)-1])
	if err != nil {
		return time.Time{}, repair, fmt.Errorf("%w: write the day after %s as in 2026-11-23\n\n%s", errUsage, sinceFlag, usage)
	}
	return day, repair, nil
}

// printReconciled prints the differences. What a person has to do is on the line below one.
func printReconciled(out io.Writer, done market.Reconciled, repair bool) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, d := range done.Differences {
		todo := d.Advice
		switch {
		case todo != "":
			todo = "Needs a person: " + todo
		case repair:
			todo = "Is repaired now."
		default:
			todo = "Can be repaired: " + repairFlag + "."
		}
		if _, err := fmt.Fprintf(table, "%s\t%s\tbooking %s\t%s %s\n", d.IntentID, market.Money(d.Cents, market.Currency), d.BookingID, d.Problem, todo); err != nil {
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
