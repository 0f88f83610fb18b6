package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/settings"
)

// These are set when the binary is built: the version by the tag, the commit, and the commit's date.
var (
	version = "dev"
	commit  string
	date    string // RFC 3339
)

// build returns the version, and the commit and its date if they are known.
func build() string {
	if commit == "" {
		return version
	}
	return version + " (commit " + commit + ", " + date + ")"
}

// usage is the output of the command help.
const usage = `Usage: secondring [COMMAND]

  serve                     run the market (the default)
  demo                      run a market with example data, on ADDR or the first free port from 8080.
                            Its data are deleted at the end, unless DATA_DIR names a folder. It reads
                            no other settings
  health                    check whether the server on ADDR runs; exit with 1 if it does not
  export FILE               write the whole market into a new file that import reads; the server may
                            run, unless MongoDB has no snapshots
  import FILE               fill an empty store with an exported market, in DATA_DIR or in the
                            database that MONGODB_URI names
  backup FILE               write the market in DATA_DIR into a new file; the server may run
  restore [--force] FILE    restore a backup into DATA_DIR; stop the server first. --force moves
                            existing data into another folder
  reconcile [--repair] [--since DAY]
                            compare all payments, or those since a day (2026-11-23), with the card
                            provider and the ledger. Print the differences, and exit with 1 if there
                            are any. --repair applies the provider's state to the market, and
                            compares again
  admin create EMAIL        create an account that is an admin. A terminal asks for its password;
                            otherwise the password is read from standard input
  admin create --existing EMAIL
                            make an existing account an admin. It gets a new password in the same
                            way, and its sessions end
  admin create [--existing] --moderator EMAIL
                            the same for a moderator: an admin who decides about phones and people,
                            and does not see orders or handle money
  admin revoke EMAIL        change an admin or a moderator back to the previous account type
  user password EMAIL       set a password, in the same way; the person's sessions end
  user reset EMAIL          print a link with which the person can set a new password once, within
                            30 minutes
  user allow EMAIL          permit the address of a deleted account to sign up again, or switch off
                            a second factor that its owner has lost
  brand add NAME [IMAGE]    add a brand, with the web address of its image
  brand remove NAME         remove a brand that has no phones
  openapi                   print the OpenAPI document
  version                   print the version, the commit and its date

Settings come from the environment; docs/SETTINGS.md lists them.
`

var errUsage = errors.New("that is not one of the commands")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "secondring: "+err.Error())
		os.Exit(exitCode(err))
	}
}

// exitCode returns the exit code of an error: 2 if the command or its settings are
// wrong.
func exitCode(err error) int {
	var setting *settings.Error
	if errors.Is(err, errUsage) || errors.As(err, &setting) {
		return 2
	}
	return 1
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	command := "serve"
	if len(args) > 0 {
		command, args = args[0], args[1:]
	}
	if !validArgs(command, args) {
		return fmt.Errorf("%w\n\n%s", errUsage, usage)
	}
	switch command { // the commands that need no settings, or only those of the stores
	case "version", "--version":
		_, err := fmt.Fprintln(out, build())
		return err
	case "help", "--help", "-h":
		_, err := fmt.Fprint(out, usage)
		return err
	case "openapi":
		document, err := app.Document()
		if err == nil {
			_, err = out.Write(document)
		}
		return err
	case "demo":
		return runDemo(ctx, out)
	case "export":
		return runExport(ctx, args, out)
	case "import":
		return runImport(ctx, args, out)
	case "backup":
		return runBackup(ctx, args, out)
	case "restore":
		return runRestore(ctx, args, out)
	}
	s, err := settings.Read(os.Getenv)
	if err != nil {
		return err
	}
	switch command {
	case "serve":
		return serve(ctx, s, out, slog.LevelInfo)
	case "health":
		return health(ctx, s, out)
	case "reconcile":
		return reconcile(ctx, s, args, out)
	default:
		return runAdmin(ctx, s, command, args, in, out)
	}
}

// validArgs returns whether the command exists and takes these arguments. It leaves the
// arguments of admin, user and brand to runAdmin.
func validArgs(command string, args []string) bool {
	switch command {
	case "version", "--version", "help", "--help", "-h", "openapi", "admin", "user", "brand":
		return true
	case "serve", "demo", "health":
		return len(args) == 0
	case "backup", "export", "import":
		return len(args) == 1
	case "restore":
		return len(args) == 1 || len(args) == 2 && args[0] == "--force"
	case "reconcile":
		return validReconcileArgs(args)
	}
	return false
}

// gcPercent lets the heap grow to three times its live data between collections. The live
// data is small, about 20 MB with 10,000 phones; at Go's default of 100 the collections
// take a tenth of a read's processor time. GOGC in the environment replaces it.
const gcPercent = 200

// serve serves until the context ends. It logs from a level on.
func serve(ctx context.Context, s settings.Settings, out io.Writer, level slog.Level) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	a, err := app.New(ctx, s, app.Options{Version: version, Log: log})
	if err != nil {
		return err
	}
	if err := errors.Join(a.Welcome(out), notifySystemd(ctx)); err != nil {
		return errors.Join(err, a.Close())
	}
	return a.Run(ctx)
}
