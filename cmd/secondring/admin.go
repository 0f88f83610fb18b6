package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"secondring/cmd/secondring/app"
	"secondring/cmd/secondring/settings"
	"secondring/market"
	"secondring/market/texts"
)

// runAdmin runs an admin command on the store that the settings name. A server may run
// meanwhile.
func runAdmin(ctx context.Context, s settings.Settings, command string, args []string, in io.Reader, out io.Writer) error {
	if !wellFormed(command, args) {
		return fmt.Errorf("%w\n\n%s", errUsage, usage)
	}
	admin, err := app.OpenAdmin(ctx, s)
	if err != nil {
		return err
	}
	result, err := executeAdmin(ctx, admin, command+" "+args[0], args[1:], in)
	if err := errors.Join(err, admin.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, result)
	return err
}

// wellFormed returns whether a command has the right number of arguments.
func wellFormed(command string, args []string) bool {
	if len(args) == 0 {
		return false
	}
	command += " " + args[0]
	args = args[1:]
	if command == "admin create" {
		_, args = splitFlags(args)
	}
	return len(args) == 1 && !strings.HasPrefix(args[0], "--") || len(args) == 2 && command == "brand add"
}

// executeAdmin executes a command and returns a message about the result.
func executeAdmin(ctx context.Context, admin *app.Admin, command string, args []string, in io.Reader) (result string, err error) {
	if args, err = cleaned(command, args); err != nil {
		return "", err
	}
	name := args[0]
	switch command {
	case "admin create":
		return createAdmin(ctx, admin, args, in)
	case "admin revoke":
		return name + " is no longer an admin", admin.Market.RevokeAdmin(ctx, name)
	case "user password":
		secret, err := password(in)
		if err != nil {
			return "", err
		}
		return name + " has a new password and is signed out everywhere", admin.Identity.SetPassword(ctx, name, secret)
	case "user reset":
		return admin.Identity.ResetLink(ctx, name)
	case "user allow":
		return allowUser(ctx, admin, name)
	case "brand add":
		image := ""
		if len(args) > 1 {
			image = args[1]
		}
		return name + " is a brand", admin.AddBrand(ctx, name, image)
	case "brand remove":
		return name + " is no longer a brand", admin.Market.RemoveBrand(ctx, name)
	}
	return "", fmt.Errorf("%w\n\n%s", errUsage, usage)
}

// The flags of `admin create`.
const (
	existing  = "--existing"  // for an account that exists
	moderator = "--moderator" // for an admin who does not handle money
)

// splitFlags returns the flags with which the arguments of `admin create` begin, and the other arguments.
func splitFlags(args []string) (flags, rest []string) {
	for len(args) > 0 && (args[0] == existing || args[0] == moderator) {
		flags, args = append(flags, args[0]), args[1:]
	}
	return flags, args
}

// createAdmin makes a new or an existing account an admin or a moderator and returns a message about it.
func createAdmin(ctx context.Context, admin *app.Admin, args []string, in io.Reader) (result string, err error) {
	flags, args := splitFlags(args)
	role, name, email := market.FullAdmin, "an admin", args[0]
	if slices.Contains(flags, moderator) {
		role, name = market.Moderator, "a moderator"
	}
	secret, err := password(in)
	if err != nil {
		return "", err
	}
	if slices.Contains(flags, existing) {
		return email + " is " + name + ", has the new password and is signed out everywhere", admin.Identity.PromoteAdmin(ctx, email, secret, role)
	}
	return email + " has a new account and is " + name, admin.Identity.CreateAdmin(ctx, email, secret, role)
}

// cleaned returns the arguments as the API cleans texts: the names of brands and email addresses.
func cleaned(command string, args []string) ([]string, error) {
	clean := texts.CleanEmail
	if strings.HasPrefix(command, "brand ") {
		clean = texts.CleanLine
	}
	all := make([]string, 0, len(args))
	for _, arg := range args {
		if !utf8.ValidString(arg) {
			return nil, fmt.Errorf("the argument %q is not valid UTF-8", arg)
		}
		all = append(all, clean(arg))
	}
	return all, nil
}

// allowUser permits a new sign-up, or removes a second factor, and returns a message about
// which of the two it did.
func allowUser(ctx context.Context, admin *app.Admin, email string) (result string, err error) {
	factorRemoved, err := admin.Identity.Allow(ctx, email)
	if factorRemoved {
		return email + " can sign in without a second factor, and is signed out everywhere", err
	}
	return "the account of " + email + " was deleted; the address may sign up again", err
}
