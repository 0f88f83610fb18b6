package identity

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// commonPasswordsFile has the 100,000 most common passwords of six characters or more, in
// lower case and sorted. They are from the ten million passwords that Mark Burnett released
// into the public domain in 2015, ordered by frequency in SecLists (MIT). Shorter passwords
// are refused anyway.
//
//go:embed common_passwords.txt.gz
var commonPasswordsFile []byte

// commonPasswords returns the list, which is read at the first use. It takes about 3 MB.
var commonPasswords = sync.OnceValue(func() []string {
	unpacked, err := gzip.NewReader(bytes.NewReader(commonPasswordsFile))
	if err != nil {
		panic(fmt.Sprintf("identity: the common passwords: %v", err)) // the file is part of the program
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		panic(fmt.Sprintf("identity: the common passwords: %v", err))
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
})

// isCommon returns whether a password is one of the most common, ignoring case.
func isCommon(password string) bool {
	_, found := slices.BinarySearch(commonPasswords(), strings.ToLower(password))
	return found
}
