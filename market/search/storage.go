package search

import (
	"math/bits"
	"slices"
	"strconv"
)

// Sizes of storages and memories in the words of a search.
const (
	gbPerTB    = 1024
	minSizeGB  = 16 // smaller sizes are usually those of the memory
	maxRAM     = 24 // in a pair such as 8/128, the first number is the memory up to this
	minPairGB  = 32 // and the second one is a storage from this on
	MaxSizes   = 20 // values of Query.Storage
	maxTB      = MaxStorage / gbPerTB
	memoryWord = "ram"
)

var (
	gbUnits = []string{"gb", "gbs", "gib", "g", "go", "gig", "gigs", "giga", "gigas", "gigabyte", "gigabytes", "гб", "জিবি"}
	tbUnits = []string{"tb", "tbs", "tib", "to", "tera", "teras", "terabyte", "terabytes", "тб"}
	// gluedUnits mean a size only directly after the number: "128g", "1to".
	gluedUnits = []string{"g", "to"}

	sizeNames    = phrases("storage,rom,memory,capacity,internal,internal storage,internal memory,of storage,disk,ssd")
	sizeJoiners  = phrases(":,=,is,of")
	sizeMax      = phrases("max,maximum") // only at the begin: "iPhone 12 Pro Max 64gb"
	sizesFrom    = phrases("at least,min,minimum,over,above,from,more than,no less than,not less than,starting at,starting from,>,> =,≥")
	sizesUpTo    = phrases("at most,under,below,up to,upto,less than,no more than,not more than,<,< =,≤")
	sizesOrMore  = phrases("or more,or above,or higher,or larger,or bigger,or up,and more,and up,and above,and over,and higher,+,min,minimum,upwards")
	sizesOrLess  = phrases("or less,or below,or lower,or smaller,and less,and below,and under,maximum")
	sizeOr       = phrases("or,/,+,and,&")
	sizeOrGB     = phrases(",") // only after a size with a unit
	sizeTo       = phrases("-,–,—,to")
	sizeBetween  = phrases("between")
	commonSizes  = []int{16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192}
	smallerSizes = []int{1, 2, 4, 8}
)

// isSize returns whether phones have this storage.
func isSize(n float64) bool {
	return n >= minSizeGB && n <= MaxStorage && n == float64(int(n)) && bits.OnesCount(uint(n)) == 1
}

// sizeAt reads a number with a unit at i. It returns the size in GB and the index after it; 0 if
// there is none. A number without a unit may be a size too.
func sizeAt(all []lexeme, i int) (gb, next int) {
	if i >= len(all) || all[i].number < 0 || !isAlone(all, i) {
		return 0, i
	}
	n, unit := all[i].number, ""
	next = i + 1
	if next < len(all) && (all[next].glued || !slices.Contains(gluedUnits, all[next].text)) {
		unit = all[next].text
	}
	switch {
	case slices.Contains(gbUnits, unit):
		next++
	case slices.Contains(tbUnits, unit) && n >= 1 && n <= maxTB:
		n, next = n*gbPerTB, next+1
	case continues(all, next):
		return 0, i
	}
	if !isSize(n) || isMemory(all, i, next) || continues(all, next) {
		return 0, i
	}
	return int(n), next
}

// isMemory returns whether the size from i to next is that of the memory: "16gb ram", "ram 16gb".
func isMemory(all []lexeme, i, next int) bool {
	isAfter := i > 0 && all[i-1].text == memoryWord && (i == 1 || !slices.Contains(gbUnits, all[i-2].text))
	return isAfter || next < len(all) && all[next].text == memoryWord
}

// hasUnit returns whether the lexeme before next is a unit.
func hasUnit(all []lexeme, next int) bool { return all[next-1].number < 0 }

// storageAt reads a phrase about the storage at i, adds it to the query and returns the index
// after it; i if there is none.
func (q *Query) storageAt(all []lexeme, i int) int {
	from := i
	if i == 0 {
		from += phraseAt(all, i, sizeMax)
	}
	named := phraseAt(all, from, sizeNames)
	if from += named; named > 0 {
		from += phraseAt(all, from, sizeJoiners)
	}
	atLeast, atMost := phraseAt(all, from, sizesFrom), phraseAt(all, from, sizesUpTo)
	isBetween := phraseAt(all, from, sizeBetween)
	begin := from + max(atLeast, atMost, isBetween)
	sizes, next, isRange := sizesAt(all, begin, isBetween > 0)
	if gb, after := sizeAt(all, begin); len(sizes) == 0 && gb >= minPairGB && (named > 0 || isNamedAfter(all, after)) {
		sizes, next = []int{gb}, after
	}
	if len(sizes) == 0 {
		return i
	}
	next += phraseAt(all, next, sizeNames)
	more, less := phraseAt(all, next, sizesOrMore), phraseAt(all, next, sizesOrLess)
	switch {
	case isRange:
		sizes = slices.DeleteFunc(slices.Clone(commonSizes), func(gb int) bool { return gb < slices.Min(sizes) || gb > slices.Max(sizes) })
	case atLeast > 0 || more > 0:
		q.MinStorage = max(q.MinStorage, slices.Min(sizes))
		return next + more
	case atMost > 0 || less > 0:
		sizes = slices.DeleteFunc(slices.Concat(smallerSizes, commonSizes), func(gb int) bool { return gb > slices.Max(sizes) })
	}
	q.Storage = append(q.Storage, sizes...)
	return next + less
}

// isNamedAfter returns whether a word for storage is at i and names the number before it, not one
// behind it.
func isNamedAfter(all []lexeme, i int) bool {
	named := phraseAt(all, i, sizeNames)
	next := i + named
	next += phraseAt(all, next, sizeJoiners)
	gb, _ := sizeAt(all, next)
	return named > 0 && gb == 0
}

// sizesAt reads one or more sizes: "128gb", "64/128 GB", "128 or 256 GB", "64-256gb". Numbers
// may share the unit of the last one. A pair without a unit must be one of storages, or of
// memory and storage, which is no list.
func sizesAt(all []lexeme, i int, isBetween bool) (sizes []int, next int, isRange bool) {
	gb, after := sizeAt(all, i)
	if gb == 0 {
		return nil, i, false
	}
	sizes, next = []int{gb}, after
	for {
		separators := sizeOr
		if hasUnit(all, next) {
			separators = slices.Concat(sizeOr, sizeOrGB)
		}
		to := phraseAt(all, next, sizeTo)
		or := max(to, phraseAt(all, next, separators))
		more, after := sizeAt(all, next+or)
		if or == 0 || more == 0 {
			break
		}
		sizes, next, isRange = append(sizes, more), after, isRange || isBetween || to > 0
	}
	isMemoryFirst := len(sizes) == 2 && sizes[0] <= maxRAM && sizes[1] > minPairGB
	isBarePair := !hasUnit(all, next) && len(sizes) > 1 && slices.Min(sizes) >= minPairGB
	if isMemoryFirst || !hasUnit(all, next) && !isBarePair {
		return nil, i, false
	}
	return sizes, next, isRange
}

// afterMemory returns whether the number at i is a storage that follows a memory, as in 8/128
// or 8+128.
func afterMemory(all []lexeme, i int) bool {
	return i >= 2 && (all[i-1].text == "/" || all[i-1].text == "+") && all[i-2].number >= 1 && all[i-2].number <= maxRAM &&
		all[i].number > minPairGB && isSize(all[i].number) && isAlone(all, i) && !continues(all, i+1)
}

// storageIn returns the largest storage that a name says in GB; 0 if it says none.
func storageIn(name string) int {
	largest := 0
	var all []string
	for _, word := range WordsOf(name) {
		all = append(all, parts(word)...)
	}
	for i := 1; i < len(all); i++ {
		n, err := strconv.Atoi(all[i-1])
		switch {
		case err != nil, i+1 < len(all) && all[i+1] == memoryWord:
			continue
		case all[i] == "tb" && n <= maxTB:
			n *= gbPerTB
		case all[i] != "gb":
			continue
		}
		if isSize(float64(n)) {
			largest = max(largest, n)
		}
	}
	return largest
}
