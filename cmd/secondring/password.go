package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// password reads a new password. On a terminal it asks for it. Otherwise it reads the first line of
// the input.
func password(in io.Reader) (string, error) {
	if file, ok := in.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return typedPassword(file)
	}
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// typedPassword asks twice for a password, which the terminal does not show.
func typedPassword(keyboard *os.File) (typed string, err error) {
	// Ctrl+C ends ReadPassword in raw mode. In another mode it would be a signal, which ends no read.
	mode, err := term.MakeRaw(int(keyboard.Fd()))
	if err != nil {
		return "", fmt.Errorf("hide the password: %w", err)
	}
	defer func() { err = errors.Join(err, term.Restore(int(keyboard.Fd()), mode)) }()
	screen := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{keyboard, os.Stderr}, "")
	typed, err = screen.ReadPassword("Password (it is not shown): ")
	if err != nil {
		return "", fmt.Errorf("no password was typed: %w", err)
	}
	again, err := screen.ReadPassword("The same password again: ")
	if err == nil && again != typed {
		err = errors.New("the two passwords differ: start the command again")
	}
	return typed, err
}
