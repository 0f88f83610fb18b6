package consistencytest_test

import (
	"math/rand/v2"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"secondring/cmd/secondring/nodetest"
	"secondring/market"
	"secondring/market/markettest"
)

// killInWrite is the signal after which a node kills itself before or after one of its next
// writes, and so between two writes of one use case. SIGKILL rarely arrives there, because
// the time between two writes is short.
const killInWrite = syscall.SIGUSR1

// killWithin is the time after which a node kills itself even without a write.
const killWithin = 2 * time.Second

// killableStore returns a hook in which the process may kill itself.
func killableStore() market.StoreHook {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, killInWrite)
	var writesLeft atomic.Int64
	go func() {
		<-asked
		writesLeft.Store(1 + rand.Int64N(6))
		<-time.After(killWithin)
		nodetest.KillSelf()
	}()
	return markettest.GuardHook(func(write func() error) error {
		isLast, isBefore := writesLeft.Add(-1) == 0, rand.IntN(3) == 0
		if isLast && isBefore {
			nodetest.KillSelf()
		}
		err := write()
		if isLast {
			nodetest.KillSelf()
		}
		return err
	})
}
