package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/settings"
)

const usage = `Usage: secondring [COMMAND]

  serve                     run the market (the default)
  health                    ask the server on ADDR whether it runs; exits 1 when it does not
  migrate                   move the market in DATA_DIR into the database that MONGODB_URI names
  backup FILE               write the market in DATA_DIR into a new file, beside a running server
  restore [--force] FILE    put it into DATA_DIR while no server runs; --force puts aside what is there
  admin create EMAIL        make an admin; a new account's password is read from standard input
  admin revoke EMAIL        give an admin their old account type back
  user password EMAIL       set a password, read from standard input; their sessions end
  user allow EMAIL          let the address of a deleted account sign up again
  brand add NAME [IMAGE]    add a brand, with the web address of its picture
  brand remove NAME         remove a brand that has no phones
  openapi                   print the OpenAPI document
  version                   print the version

Settings come from the environment; README.md lists them.
`

var errUsage = errors.New("that is not one of the commands")

// manage does one of the commands that look after the store the settings name,
// beside a running server or without one.
func manage(ctx context.Context, s settings.Settings, command string, args []string, in io.Reader, out io.Writer) error {
	if len(args) < 2 || len(args) > 3 || (len(args) == 3 && command+args[0] != "brandadd") {
		return fmt.Errorf("%w\n\n%s", errUsage, usage)
	}
	tools, err := app.OpenTools(ctx, s)
	if err != nil {
		return err
	}
	done, err := do(ctx, tools, command+" "+args[0], args[1:], in)
	if err := errors.Join(err, tools.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, done)
	return err
}

func do(ctx context.Context, tools *app.Tools, command string, args []string, in io.Reader) (done string, err error) {
	name := args[0]
	switch command {
	case "admin create":
		created, err := tools.CreateAdmin(ctx, name, password(in))
		if created {
			return name + " has a new account and is an admin", err
		}
		return name + " is an admin; the password is as it was", err
	case "admin revoke":
		return name + " is no admin any more", tools.Market.RevokeAdmin(ctx, name)
	case "user password":
		secret, err := password(in)()
		if err != nil {
			return "", err
		}
		return name + " has a new password and is signed out everywhere", tools.Identity.SetPassword(ctx, name, secret)
	case "user allow":
		return name + " may sign up again", tools.Identity.Allow(ctx, name)
	case "brand add":
		image := ""
		if len(args) > 1 {
			image = args[1]
		}
		return name + " is a brand", tools.AddBrand(ctx, name, image)
	case "brand remove":
		return name + " is no brand any more", tools.Market.RemoveBrand(ctx, name)
	}
	return "", fmt.Errorf("%w\n\n%s", errUsage, usage)
}

// password reads one line, only when it is needed.
func password(in io.Reader) func() (string, error) {
	return func() (string, error) {
		line, err := bufio.NewReader(in).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read the password: %w", err)
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
}
