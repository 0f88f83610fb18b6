package main

import (
	"errors"
	"slices"
	"sync"
	"time"
)

const (
	racers = 200
	races  = 50
)

// race lets 200 buyers book each of 50 phones at the same moment. It returns the median
// time in milliseconds until all of them have a response, and the number of phones that
// were sold to more than one buyer.
func race(p peer) (median, double float64, err error) {
	conns := make([]*conn, racers)
	for i := range conns {
		if conns[i], err = dial(p.process.Addr); err != nil {
			return 0, 0, err
		}
		defer conns[i].close()
	}
	var times []time.Duration
	for phone := range races {
		duration, successes, err := raceFor(p, conns, phone)
		if err != nil {
			return 0, 0, err
		}
		if successes == 0 {
			return 0, 0, errors.New("no booking of a phone succeeded")
		}
		if successes > 1 {
			double++
		}
		times = append(times, duration)
	}
	slices.Sort(times)
	return ms(times[len(times)/2]), double, nil
}

func raceFor(p peer, conns []*conn, phone int) (duration time.Duration, successes int, err error) {
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		errs  []error
		start = make(chan struct{})
	)
	for i, c := range conns {
		request := p.book(phone, i)
		wg.Go(func() {
			<-start
			status, _, err := c.do(request)
			mu.Lock()
			defer mu.Unlock()
			if errs = append(errs, err); status < 300 {
				successes++
			}
		})
	}
	startTime := time.Now()
	close(start)
	wg.Wait()
	return time.Since(startTime), successes, errors.Join(errs...)
}
