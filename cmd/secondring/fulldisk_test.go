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

// anyRoom is the initial limit of a process whose disk becomes full later.
const anyRoom = 1 << 40

// disk limits the size of the process's files to so many bytes.
func (s *testServer) disk(room uint64) {
	s.t.Helper()
	limit := syscall.Rlimit{Cur: room, Max: anyRoom}
	_, _, failed := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(s.cmd.Process.Pid), syscall.RLIMIT_FSIZE,
		uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if failed != 0 {
		s.t.Fatal(failed)
	}
}

// becomes waits until a call is answered with this status.
func (s *testServer) becomes(what string, want int, call func() (int, error)) {
	s.t.Helper()
	var (
		status int
		err    error
	)
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); <-time.After(5 * time.Millisecond) {
		if status, err = call(); err == nil && status == want {
			return
		}
	}
	s.t.Errorf("%s: %d, %v, want %d", what, status, err, want)
}

// The disk is full three times under load. Writes are refused with an explanation, reads
// work, and writes work again when there is space. Acknowledged bookings stand, also
// after a kill.
func TestFullDiskUnderLoad(t *testing.T) {
	s := newTestServer(t, roomMark+"="+strconv.Itoa(anyRoom))
	sellerMail, seller := s.person("sela", "Seller")
	phones := s.phones(sellerMail, seller, 60)
	buyers := s.buyers(4)
	told := &promises{booked: map[string]string{}, let: map[string]bool{}}
	var all sync.WaitGroup
	for _, token := range buyers {
		all.Go(func() { s.buy(told, token, phones) })
	}
	told.wait(t)
	price := 100
	for range 3 {
		s.disk(1 << 10)
		var refusal struct{ Code, Message string }
		reprice := func() (int, error) {
			price++
			return s.call(http.MethodPatch, "/products/"+phones[price%len(phones)], seller, map[string]int{"resalePrice": price}, &refusal)
		}
		s.becomes("a new price on a full disk", http.StatusServiceUnavailable, reprice)
		if refusal.Code != "unavailable" || refusal.Message == "" {
			t.Errorf("refused with %q, %q", refusal.Code, refusal.Message)
		}
		for _, path := range []string{"/", "/products/advertised", "/products?email=" + sellerMail, "/readyz"} {
			if status, err := s.call(http.MethodGet, path, seller, nil, nil); err != nil || status != http.StatusOK {
				t.Errorf("%s on a full disk: %d, %v", path, status, err)
			}
		}
		s.disk(anyRoom)
		s.becomes("a new price when there is room", http.StatusOK, func() (int, error) {
			status, err := reprice()
			if status == http.StatusConflict || status == http.StatusUnprocessableEntity { // the phone is held
				status = http.StatusOK
			}
			return status, err
		})
	}
	s.kill()
	all.Wait()
	s.open()
	s.agree(told, sellerMail, seller, buyers)
	s.isSound()
}
