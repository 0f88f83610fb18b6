package market

import (
	"errors"
	"sync"
)

// concurrently calls do for each item, up to limit of them at the same time. It returns the
// errors of all, joined.
func concurrently[T any](limit int, items []T, do func(T) error) error {
	errs := make([]error, len(items))
	running := make(chan struct{}, limit)
	var all sync.WaitGroup
	for i, item := range items {
		running <- struct{}{}
		all.Go(func() {
			defer func() { <-running }()
			errs[i] = do(item)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
