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

// The flags of reconcile: the day from which payments are compared, and whether differences
// are repaired.
const (
	sinceFlag  = "--since"
	repairFlag = "--repair"
)

// errDiffer makes the command exit with 1.
var errDiffer = errors.New("payments differ: docs/OPERATIONS.md says what to do")

// reconcile compares the market's payments with the card provider's, and prints the
// differences. With repairFlag it repairs those that it can, and compares again.
func reconcile(ctx context.Context, s settings.Settings, args []string, out io.Writer) error {
	since, repair, err := reconcileArgs(args)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	reconciler, err := app.OpenReconciler(ctx, s, log)
	if err != nil {
		return withFix(err, "nothing has been changed; fix this and start the same command again")
	}
	return errors.Join(comparePayments(ctx, reconciler, since, repair, out), reconciler.Close())
}

func comparePayments(ctx context.Context, reconciler *app.Reconciler, since time.Time, repair bool, out io.Writer) error {
	result, err := reconciler.Compare(ctx, since)
	if err != nil {
		return err
	}
	if err := printReconciled(out, result, repair); err != nil {
		return err
	}
	if repair && len(result.Differences) > 0 {
		reconciler.Repair(ctx, result.Differences)
		if result, err = reconciler.Compare(ctx, since); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, "\nAfter the repair:"); err != nil {
			return err
		}
		if err := printReconciled(out, result, false); err != nil {
			return err
		}
	}
	if len(result.Differences) > 0 {
		return errDiffer
	}
	return nil
}

// validReconcileArgs returns whether reconcileArgs can parse the arguments. It does not check
// the day.
func validReconcileArgs(args []string) bool {
	if len(args) > 0 && args[0] == repairFlag {
		args = args[1:]
	}
	return len(args) == 0 || len(args) == 2 && args[0] == sinceFlag
}

// reconcileArgs parses the day, which is the zero time without sinceFlag, and whether to
// repair. It returns errUsage if the day is malformed.
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

// printReconciled prints the differences, each with what a person has to do, and the counts.
func printReconciled(out io.Writer, result market.Reconciled, repair bool) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, d := range result.Differences {
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
	_, err := fmt.Fprintf(out, "%d payments compared, %d differ. %d charges at the provider belong to no order of this market.\n",
		result.Compared, len(result.Differences), result.Foreign)
	return err
}
