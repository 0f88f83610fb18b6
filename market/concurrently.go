package market

import (
	"errors"
	"sync"
)

// concurrently calls do for each item, up to limit of them at the same time. It returns the
// joined errors of all calls.
func concurrently[T any](limit int, items []T, do func(T) error) error {
	errs := make([]error, len(items))
	running := make(chan struct{}, limit)
	var wg sync.WaitGroup
	for i, item := range items {
		running <- struct{}{}
		wg.Go(func() {
			defer func() { <-running }()
			errs[i] = do(item)
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
