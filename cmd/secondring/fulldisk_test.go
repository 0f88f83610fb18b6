package main

import (
	"net/http"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// unlimited is the initial limit of a process whose disk becomes full later.
const unlimited = 1 << 40

// limitDisk limits the size of the process's files to a number of bytes.
func (s *testServer) limitDisk(size uint64) {
	s.t.Helper()
	limit := syscall.Rlimit{Cur: size, Max: unlimited}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(s.cmd.Process.Pid), syscall.RLIMIT_FSIZE,
		uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if errno != 0 {
		s.t.Fatal(errno)
	}
}

// waitForStatus repeats a call until its response has the status.
func (s *testServer) waitForStatus(name string, want int, call func() (int, error)) {
	s.t.Helper()
	var (
		status int
		err    error
	)
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); <-time.After(5 * time.Millisecond) {
		if status, err = call(); err == nil && status == want {
			return
		}
	}
	s.t.Errorf("%s returns %d, %v, want %d", name, status, err, want)
}

// The disk becomes full three times under load. Writes are refused with an explanation, reads
// work, and writes work again when there is space. Acknowledged bookings are not lost, even
// after a kill.
func TestFullDiskUnderLoad(t *testing.T) {
	s := newTestServer(t, fileSizeEnv+"="+strconv.Itoa(unlimited))
	sellerMail, seller := s.signUp("sela", "Seller")
	phones := s.phones(sellerMail, seller, 60)
	buyers := s.buyers(4)
	acked := newAcknowledged()
	var loads sync.WaitGroup
	for _, token := range buyers {
		loads.Go(func() { s.bookAndCancel(acked, token, phones) })
	}
	acked.waitForBooking(t)
	price := 100
	for range 3 {
		s.limitDisk(1 << 10)
		var refused struct{ Code, Message string }
		reprice := func() (int, error) {
			price++
			return s.call(http.MethodPatch, "/products/"+phones[price%len(phones)], seller, map[string]int{"resalePrice": price}, &refused)
		}
		s.waitForStatus("a new price on a full disk", http.StatusServiceUnavailable, reprice)
		if refused.Code != "unavailable" || refused.Message == "" {
			t.Errorf("the refusal has the code %q and the message %q, want unavailable and a message", refused.Code, refused.Message)
		}
		for _, path := range []string{"/", "/products/advertised", "/products?email=" + sellerMail, "/readyz"} {
			if status, err := s.call(http.MethodGet, path, seller, nil, nil); err != nil || status != http.StatusOK {
				t.Errorf("GET %s on a full disk returns %d, %v; want 200", path, status, err)
			}
		}
		s.limitDisk(unlimited)
		s.waitForStatus("a new price when there is space", http.StatusOK, func() (int, error) {
			status, err := reprice()
			if status == http.StatusConflict || status == http.StatusUnprocessableEntity { // the phone is held
				status = http.StatusOK
			}
			return status, err
		})
	}
	s.kill()
	loads.Wait()
	s.open()
	s.checkBookings(acked, sellerMail, seller, buyers)
	s.checkIntegrity()
}
