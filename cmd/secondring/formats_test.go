package main

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"secondring/store"
)

// keptFormats has a folder for each format of the store: a backup and an export of a small market.
const keptFormats = "testdata/formats"

// The files of a folder, and the commands that read them.
var keptFiles = map[string]string{"backup.tar.gz": "restore", "export.tar.gz": "import"}

// The market that was kept has one order, paid in the sandbox, and the phone of another seller.
const (
	keptSeller  = "sela@example.com"
	keptSeller2 = "selim@example.com"
	keptBuyer   = "bea@example.com"
)

// keepFormat writes the folder of the present format. "make format" calls it.
func keepFormat(t *testing.T, folder string) {
	t.Helper()
	e, _ := newPaidOrder(t)
	email, seller := e.signUp("selim", "Seller")
	e.phones(email, seller, 1)
	e.kill()
	t.Setenv("DATA_DIR", e.dataDir())
	mustRunCommand(t, "", "backup", filepath.Join(folder, "backup.tar"))
	mustRunCommand(t, "", "export", filepath.Join(folder, "export.tar"))
	for name := range keptFiles {
		plain := filepath.Join(folder, strings.TrimSuffix(name, ".gz"))
		must(t, copyFile(filepath.Join(folder, name), plain, func(w io.Writer, r io.Reader) error {
			packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
			if err != nil {
				return err
			}
			_, err = io.Copy(packed, r)
			return errors.Join(err, packed.Close())
		}))
		must(t, os.Remove(plain))
	}
}

// copyFile copies a file by a function that reads one and writes the other.
func copyFile(to, from string, do func(w io.Writer, r io.Reader) error) error {
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	w, err := os.Create(to)
	if err != nil {
		return errors.Join(err, r.Close())
	}
	return errors.Join(do(w, r), w.Close(), r.Close())
}

// A backup and an export of each format that was kept are read.
func TestKeptFormatsAreRead(t *testing.T) {
	present := filepath.Join(keptFormats, fmt.Sprint(store.Format))
	if os.Getenv("KEEP_FORMAT") != "" {
		must(t, os.RemoveAll(present))
		must(t, os.MkdirAll(present, 0o750))
		keepFormat(t, present)
	}
	folders, err := filepath.Glob(filepath.Join(keptFormats, "*"))
	if err != nil || len(folders) != store.Format {
		t.Fatalf("the kept formats are %v, %v, want 1 to %d; run: make format", folders, err, store.Format)
	}
	for _, folder := range folders {
		for name, command := range keptFiles {
			t.Run(command+" "+filepath.Base(folder), func(t *testing.T) {
				file := filepath.Join(t.TempDir(), strings.TrimSuffix(name, ".gz"))
				must(t, copyFile(file, filepath.Join(folder, name), func(w io.Writer, r io.Reader) error {
					unpacked, err := gzip.NewReader(r)
					if err != nil {
						return err
					}
					_, err = io.Copy(w, unpacked) //nolint:gosec // the file is our own
					return err
				}))
				checkKeptMarket(t, command, file)
			})
		}
	}
}

// checkKeptMarket reads a file into a new market, and checks what it has.
func checkKeptMarket(t *testing.T, command, file string) {
	t.Helper()
	t.Setenv("DATA_DIR", t.TempDir())
	mustRunCommand(t, "", command, file)
	if out := mustRunCommand(t, "", "reconcile"); !strings.Contains(out, "1 payments compared, 0 differ") {
		t.Errorf("the payments are not those that were kept: %s", out)
	}
	s := newTestServer(t, "DATA_DIR="+os.Getenv("DATA_DIR"))
	var orders []struct {
		Status      string
		ProductName string
		Price       int
	}
	s.mustCall(http.MethodGet, "/bookings?email="+keptBuyer, s.signIn(keptBuyer), nil, &orders)
	if len(orders) != 1 || orders[0].Status != "paid" || orders[0].ProductName != "Phone" || orders[0].Price != 100 {
		t.Errorf("the buyer's orders are %+v", orders)
	}
	for seller, isSold := range map[string]bool{keptSeller: true, keptSeller2: false} {
		var phones []struct{ Sold bool }
		s.mustCall(http.MethodGet, "/products?email="+seller, s.signIn(seller), nil, &phones)
		if len(phones) != 1 || phones[0].Sold != isSold {
			t.Errorf("the phones of %s are %+v, want one, sold: %v", seller, phones, isSold)
		}
	}
	var found []struct{ Sold bool }
	s.mustCall(http.MethodGet, "/products/search?q=phone&available=true", "", nil, &found)
	if len(found) != 1 {
		t.Errorf("a search finds %+v, want the phone that is available", found)
	}
}
