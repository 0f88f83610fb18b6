package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Median returns the median of one figure over all rounds.
func Median[R any](rounds []R, figure func(R) float64) float64 {
	values := make([]float64, 0, len(rounds))
	for _, r := range rounds {
		values = append(values, figure(r))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// Save writes results as JSON into a file of the folder. With the folder "" it does nothing.
func Save(folder, name string, results any) error {
	if folder == "" {
		return nil
	}
	text, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name), append(text, '\n'), 0o644)
}

// Rounds measures all peers one after another, in several rounds, and returns the median of
// each, in the same order. If a peer fails in a round, Rounds prints the error and omits its
// figures of this round. If SecondRing itself fails, it returns the error.
func Rounds[T any](rounds int, peers []string, measure func(name string) (T, error), median func([]T) T) ([]T, error) {
	all := map[string][]T{}
	for range rounds {
		for _, name := range peers {
			r, err := measure(name)
			switch {
			case err == nil:
				all[name] = append(all[name], r)
				fmt.Fprintf(os.Stderr, "%+v\n", r)
			case strings.HasPrefix(name, "hubd"), strings.HasPrefix(name, "secondring"):
				return nil, fmt.Errorf("%s: %w", name, err)
			default:
				fmt.Fprintf(os.Stderr, "%s failed in this round: %v\n", name, err)
			}
		}
	}
	var medians []T
	for _, name := range peers {
		if len(all[name]) > 0 {
			medians = append(medians, median(all[name]))
		}
	}
	if len(medians) == 0 {
		return nil, errors.New("all peers failed")
	}
	return medians, nil
}
