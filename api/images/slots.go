package images

import (
	"context"
	"math"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"secondring/api/rest"
	"secondring/market"
)

// How many uploads are received at once. Each has a temporary file of up to MaxBytes, which
// uses memory if the folder for temporary files is a tmpfs.
const (
	uploadsPerPerson = 4 // the client sends two at a time
	defaultUploads   = 32
	minUploads       = 4
	maxUploads       = 64
	// memoryDivisor is the part of the memory limit (GOMEMLIMIT) for the temporary files of
	// all uploads, as a divisor.
	memoryDivisor = 8
	// slotTimeout is how long an upload waits for a slot.
	slotTimeout = 3 * time.Second
	// slotRetry is the Retry-After of a refused upload, in seconds.
	slotRetry = "5"
)

var (
	errOwnUploads = rest.NewError(rest.CodeTooFast, "You are uploading too many images at once. Please wait until some uploads have finished.")
	errAllUploads = rest.NewError(market.CodeUnavailable, "Too many images are being uploaded right now. Please try again in a moment.")
)

// maxConcurrentUploads returns how many uploads a process with this memory limit, in bytes, receives
// at once. math.MaxInt64 means that there is no limit.
func maxConcurrentUploads(memoryLimit int64) int64 {
	if memoryLimit == math.MaxInt64 {
		return defaultUploads
	}
	return min(max(memoryLimit/memoryDivisor/MaxBytes, minUploads), maxUploads)
}

// uploadSlots limits the uploads that are received at once: those of each person, and all of
// this process.
type uploadSlots struct {
	all     *semaphore.Weighted
	timeout time.Duration

	mu     sync.Mutex
	people map[string]*personSlots // people who have a slot or wait for one, by UID
}

// personSlots are one person's slots. The mutex of uploadSlots protects users.
type personSlots struct {
	slots *semaphore.Weighted
	users int // uploads that have a slot or wait for one
}

func newUploadSlots() *uploadSlots {
	return &uploadSlots{
		all: semaphore.NewWeighted(maxConcurrentUploads(debug.SetMemoryLimit(-1))), timeout: slotTimeout,
		people: map[string]*personSlots{},
	}
}

// reserve waits for a slot of the person and one of the process. The caller must call release
// once. It returns 429 or 503, both with Retry-After, or the context's error.
func (s *uploadSlots) reserve(ctx context.Context, w http.ResponseWriter, uid string) (release func(), err error) {
	person := s.addUser(uid)
	if err := s.acquire(ctx, person.slots, errOwnUploads); err != nil {
		s.removeUser(uid)
		w.Header().Set("Retry-After", slotRetry)
		return nil, err
	}
	if err := s.acquire(ctx, s.all, errAllUploads); err != nil {
		person.slots.Release(1)
		s.removeUser(uid)
		w.Header().Set("Retry-After", slotRetry)
		return nil, err
	}
	return func() {
		s.all.Release(1)
		person.slots.Release(1)
		s.removeUser(uid)
	}, nil
}

// acquire waits up to slotTimeout. Then it returns the refusal.
func (s *uploadSlots) acquire(ctx context.Context, from *semaphore.Weighted, refusal error) error {
	waitCtx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	if from.Acquire(waitCtx, 1) == nil {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return refusal
}

func (s *uploadSlots) addUser(uid string) *personSlots {
	s.mu.Lock()
	defer s.mu.Unlock()
	person := s.people[uid]
	if person == nil {
		person = &personSlots{slots: semaphore.NewWeighted(uploadsPerPerson)}
		s.people[uid] = person
	}
	person.users++
	return person
}

func (s *uploadSlots) removeUser(uid string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if person := s.people[uid]; person.users > 1 {
		person.users--
	} else {
		delete(s.people, uid)
	}
}
