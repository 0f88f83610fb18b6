package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"secondring/cmd/secondring/datastore"
	"secondring/cmd/secondring/settings"
	"secondring/market"
)

// runCommand runs a command in the process of the test and returns its output.
func runCommand(t *testing.T, in string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), args, strings.NewReader(in), &out)
	return strings.TrimSpace(out.String()), err
}

func mustRunCommand(t *testing.T, in string, args ...string) string {
	t.Helper()
	out, err := runCommand(t, in, args...)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return out
}

func TestAdminCommands(t *testing.T) {
	t.Setenv("DATA_DIR", t.TempDir())
	for _, c := range []struct {
		in   string
		args []string
		want string // in the output, or in the error when it begins with "!"
	}{
		{"", []string{"admin", "create", "boss@example.com"}, "!Password is required"},
		{"short\n", []string{"admin", "create", "boss@example.com"}, "!Password must be"},
		{"long enough\n", []string{"admin", "create", "boss@example.com"}, "has a new account and is an admin"},
		{"long enough\n", []string{"admin", "create", "boss@example.com"}, "!already has an account"},
		{"long enough\n", []string{"admin", "create", "--existing", "nobody@example.com"}, "!no account"},
		{"short\n", []string{"admin", "create", "--existing", "boss@example.com"}, "!Password must be"},
		{"another one\n", []string{"admin", "create", "--existing", "boss@example.com"}, "is an admin, has the new password"},
		{"", []string{"admin", "create", "--existing"}, "!not one of the commands"},
		{"long enough\n", []string{"admin", "create", "--moderator", "mia@example.com"}, "has a new account and is a moderator"},
		{"long enough\n", []string{"admin", "create", "--moderator", "mia@example.com"}, "!add --existing"},
		{"another one\n", []string{"admin", "create", "--existing", "mia@example.com"}, "is an admin, has the new password"},
		{"another one\n", []string{"admin", "create", "--existing", "--moderator", "mia@example.com"}, "is a moderator, has the new password"},
		{"another one\n", []string{"admin", "create", "--moderator", "--existing", "mia@example.com"}, "is a moderator, has the new password"},
		{"", []string{"admin", "create", "--moderator"}, "!not one of the commands"},
		{"", []string{"admin", "create", "--owner", "mia@example.com"}, "!not one of the commands"},
		{"", []string{"admin", "revoke", "--moderator"}, "!not one of the commands"},
		{"", []string{"admin", "revoke", "mia@example.com"}, "is no longer an admin"},
		{"", []string{"admin", "revoke", "boss@example.com"}, "is no longer an admin"},
		{"", []string{"admin", "revoke", "boss@example.com"}, "!no such admin"},
		{"another one\n", []string{"user", "password", "BOSS@example.com"}, "has a new password"},
		{"another one\n", []string{"user", "password", "Boss <mailto:ｂｏｓｓ@example.com>,\u00a0"}, "boss@example.com has a new password"},
		{"another one\n", []string{"user", "password", "boss\xff@example.com"}, "!not valid UTF-8"},
		{"another one\n", []string{"user", "password", "nobody@example.com"}, "!no account"},
		{"", []string{"user", "allow", "boss@example.com"}, "!No deleted account"},
		{"", []string{"brand", "add", "Fairphone"}, "Fairphone is a brand"},
		{"", []string{"brand", "add", "fairphone"}, "!is a brand"},
		{"", []string{"brand", "add", "\ufeffFair\u200bphone\u00a0"}, "!is a brand"},
		{"", []string{"brand", "add", "\u2800"}, "!Name is required"},
		{"", []string{"brand", "add", "Jolla", "javascript:alert(1)"}, "!must be the web address of a photo"},
		{"", []string{"brand", "add", "Jolla", "https://example.com/j.jpg"}, "Jolla is a brand"},
		{"", []string{"brand", "remove", "Fairphone"}, "no longer a brand"},
		{"", []string{"brand", "remove", "Fairphone"}, "!no such brand"},
		{"", []string{"brand", "rename", "Jolla"}, "!not one of the commands"},
		{"", []string{"brand", "remove"}, "!not one of the commands"},
		{"", []string{"unknown"}, "!not one of the commands"},
		{"", []string{"serve", "now"}, "!not one of the commands"},
	} {
		out, err := runCommand(t, c.in, c.args...)
		failure, wantsError := strings.CutPrefix(c.want, "!")
		switch {
		case wantsError && (err == nil || !strings.Contains(err.Error(), failure)):
			t.Errorf("%v: got %q, %v; want an error with %q", c.args, out, err, failure)
		case !wantsError && (err != nil || !strings.Contains(out, c.want)):
			t.Errorf("%v: got %q, %v; want %q", c.args, out, err, c.want)
		}
	}
}

// For a lost second factor and for a deleted account `user allow` does different things.
func TestUserAllowSaysWhatItDid(t *testing.T) {
	t.Setenv("DATA_DIR", t.TempDir())
	mustRunCommand(t, "long enough\n", "admin", "create", "boss@example.com")
	for _, c := range []struct {
		change func(*market.Account)
		want   string
	}{
		{func(a *market.Account) { a.SecondFactor = &market.SecondFactor{Confirmed: true} }, "boss@example.com can sign in without a second factor, and is signed out everywhere"},
		{func(a *market.Account) { a.Removed = true }, "the account of boss@example.com was deleted; the address may sign up again"},
	} {
		changeAccount(t, "boss@example.com", c.change)
		if got := mustRunCommand(t, "", "user", "allow", "boss@example.com"); got != c.want {
			t.Errorf("user allow prints %q, want %q", got, c.want)
		}
	}
}

// changeAccount changes an account in the store that the settings name.
func changeAccount(t *testing.T, email string, change func(*market.Account)) {
	t.Helper()
	s, err := settings.Read(os.Getenv)
	must(t, err)
	store, err := datastore.Open(t.Context(), s)
	must(t, err)
	account, err := store.AccountByEmail(t.Context(), email)
	must(t, err)
	change(&account)
	account.Version++
	must(t, store.SaveAccount(t.Context(), account, nil))
	must(t, store.Close())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestInvalidSettingStopsEveryCommand(t *testing.T) {
	t.Setenv("DATA_DIR", t.TempDir())
	t.Setenv("BOOKING_HOLD", "soon")
	for _, args := range [][]string{nil, {"serve"}, {"brand", "add", "Jolla"}} {
		_, err := runCommand(t, "", args...)
		if err == nil || !strings.HasPrefix(err.Error(), "BOOKING_HOLD ") || exitCode(err) != 2 {
			t.Errorf("%v returned %v, want exit code 2 and an error about BOOKING_HOLD", args, err)
		}
	}
}

func TestCommandOutput(t *testing.T) {
	if got := mustRunCommand(t, "", "version"); got != "dev" {
		t.Errorf("version prints %q, want dev", got)
	}
	commit, date = "1b2c3d", "2026-11-28T22:00:00Z"
	t.Cleanup(func() { commit, date = "", "" })
	if got := mustRunCommand(t, "", "version"); got != "dev (commit 1b2c3d, 2026-11-28T22:00:00Z)" {
		t.Errorf("version of a commit prints %q", got)
	}
	if got := mustRunCommand(t, "", "help"); !strings.Contains(got, "admin create EMAIL") {
		t.Errorf("help prints %q, want the usage of admin create", got)
	}
	var document struct {
		OpenAPI string
		Paths   map[string]any
	}
	if err := json.Unmarshal([]byte(mustRunCommand(t, "", "openapi")), &document); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(document.OpenAPI, "3.1") || document.Paths["/bookings"] == nil {
		t.Errorf("openapi prints version %s with %d paths, want version 3.1 and /bookings", document.OpenAPI, len(document.Paths))
	}
}
