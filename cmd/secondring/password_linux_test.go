package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal opens a new terminal. What is written to user is typed, and what user reads is shown.
func openTerminal(t *testing.T) (user, terminal *os.File) {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	must(t, err)
	t.Cleanup(func() { _ = user.Close() })
	must(t, unix.IoctlSetPointerInt(int(user.Fd()), unix.TIOCSPTLCK, 0)) // unlocks it
	number, err := unix.IoctlGetInt(int(user.Fd()), unix.TIOCGPTN)
	must(t, err)
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	must(t, err)
	t.Cleanup(func() { _ = terminal.Close() })
	return user, terminal
}

func echoes(t *testing.T, terminal *os.File) bool {
	t.Helper()
	mode, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	must(t, err)
	return mode.Lflag&unix.ECHO != 0
}

// On a terminal a command asks for a password twice, and does not show it.
func TestTerminalHidesPasswords(t *testing.T) {
	t.Setenv("DATA_DIR", t.TempDir())
	t.Setenv(serveEnv, "1")
	for _, c := range []struct {
		typed []string // after each question
		want  string   // what the command says at the end
	}{
		{[]string{"hidden words\r", "\x03"}, "EOF"},
		{[]string{"hidden words\r", "hidden word\r"}, "the two passwords differ"},
		{[]string{"hidden worse\x7f\x7fds\r", "hidden words\r"}, "boss@example.com has a new account"},
	} {
		user, terminal := openTerminal(t)
		cmd := exec.CommandContext(t.Context(), os.Args[0], "admin", "create", "boss@example.com")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
		must(t, cmd.Start())
		shown := bufio.NewReader(user)
		for _, answer := range c.typed {
			question, err := shown.ReadString(':')
			if err != nil || !strings.Contains(question, "assword") {
				t.Fatalf("the terminal shows %q, %v; want a question", question, err)
			}
			_, err = user.WriteString(answer)
			must(t, err)
		}
		_ = cmd.Wait() // what it says is checked below
		if !echoes(t, terminal) {
			t.Error("the terminal shows nothing that is typed after the command")
		}
		must(t, terminal.Close())
		var rest strings.Builder
		_, _ = shown.WriteTo(&rest) // ends with an error, because the terminal is closed
		if text := rest.String(); !strings.Contains(text, c.want) || strings.Contains(text, "hidden") {
			t.Errorf("the terminal shows %q, want %q and no password", text, c.want)
		}
	}
}
