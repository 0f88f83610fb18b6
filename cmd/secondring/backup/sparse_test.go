package backup_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"secondring/cmd/secondring/backup"
)

// tarEntry returns an entry of a tar. archive/tar cannot write sparse files.
func tarEntry(name string, flag byte, body string) []byte {
	block := make([]byte, 512)
	copy(block, name)
	copy(block[100:], fmt.Sprintf("%07o\x00%07o\x00%07o\x00%011o\x00%011o\x00        %c", 0o600, 0, 0, len(body), 0, flag))
	copy(block[257:], "ustar\x0000")
	sum := 0
	for _, b := range block {
		sum += int(b)
	}
	copy(block[148:], fmt.Sprintf("%06o\x00 ", sum))
	return slices.Concat(block, []byte(body), make([]byte, -len(body)&511))
}

// A sparse file of one kilobyte can expand to one terabyte of zeros.
func TestSparseFilesAreRefused(t *testing.T) {
	record := func(name, value string) string {
		text := fmt.Sprintf(" GNU.sparse.%s=%s\n", name, value)
		return fmt.Sprintf("%d%s", len(text)+2, text)
	}
	header := record("major", "1") + record("minor", "0") + record("name", backup.Store) + record("realsize", "1099511627776")
	sparseMap := "1\n1099511627775\n1\n"
	file := append(tarEntry("pax", 'x', header), tarEntry(backup.Store, '0', sparseMap+string(make([]byte, 512-len(sparseMap)))+"x")...)
	_, err := backup.Read(t.Context(), bytes.NewReader(append(file, make([]byte, 1024)...)), backup.Folders{})
	if damage := (*backup.DamageError)(nil); !errors.As(err, &damage) {
		t.Errorf("Read returned %v, want a *backup.DamageError", err)
	}
}
