package process

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
)

// Median is that of one figure over all rounds.
func Median[R any](rounds []R, figure func(R) float64) float64 {
	values := make([]float64, 0, len(rounds))
	for _, r := range rounds {
		values = append(values, figure(r))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// Save writes results as JSON into a file of this folder; "" is none.
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
