package contact

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A telephone number has 8 to 13 digits after blanks and . - ( ) + are taken out. Prices, years and
// storages side by side would have as many. So a run of numbers is none if all of them are plain.
const (
	minDigits  = 8
	maxDigits  = 13
	imeiDigits = 15
	// maxAmount is the most digits of an amount beside a currency.
	maxAmount  = 9
	currencies = "usd,eur,gbp,bdt,inr,pkr,tk,taka,rs,dollar,dollars,euro,euros,pound,pounds,rupee,rupees,bucks"
)

var (
	date   = `(?:(?:19|20)\d\d[-.][01]?\d[-.][0-3]?\d|[0-3]?\d[-.][01]?\d[-.](?:19|20)\d\d)\b`
	tokens = regexp.MustCompile(`(?s)` + date + `|\d+(?:\.\d+)*|\p{L}+|[ .()+-]+|.`)
	isDate = regexp.MustCompile(`^` + date + `$`)
	isGap  = regexp.MustCompile(`^[ .()+-]+$`)
	// isPlain is a year, a storage, a round price, or a price with groups or cents.
	isPlain = regexp.MustCompile(`^(?:(?:19|20)\d\d|16|32|64|128|256|512|1024|[1-9]\d{0,3}(?:00|50|99)|000` +
		`|[1-9]\d{0,2}\.\d{3}|[1-9]\.\d{3}\.\d{3}|[1-9]\d{0,4}\.\d\d)$`)
	isShort       = regexp.MustCompile(`^[1-9]\d?$`)
	currencyNames = strings.Split(currencies, ",")
)

// hasTelephone returns whether a normal text has a telephone number, apart from the listed ones.
func hasTelephone(text string, listed []string) bool {
	all, known := tokens.FindAllString(text, -1), make([]string, len(listed))
	for i := range listed {
		known[i] = nationalDigits(normal(listed[i]))
	}
	var numbers []string // a run of numbers that only gaps separate
	for i, token := range all {
		switch {
		case isGap.MatchString(token):
			continue
		case token[0] >= '0' && token[0] <= '9' && !isDate.MatchString(token) && !isAmount(all, i):
			numbers = append(numbers, token)
			continue
		}
		if isTelephone(numbers, known) {
			return true
		}
		numbers = nil
	}
	return isTelephone(numbers, known)
}

// isAmount returns whether a number stands beside a currency. An amount does not begin with 0.
func isAmount(all []string, i int) bool {
	if all[i][0] == '0' || len(digitsOf(all[i])) > maxAmount {
		return false
	}
	return isCurrency(all, i, -1) || isCurrency(all, i, 1)
}

func isCurrency(all []string, i, step int) bool {
	i += step
	if i >= 0 && i < len(all) && strings.Trim(all[i], " .") == "" {
		i += step
	}
	if i < 0 || i >= len(all) {
		return false
	}
	return slices.Contains(currencyNames, all[i]) || strings.ContainsFunc(all[i], func(c rune) bool { return unicode.Is(unicode.Sc, c) })
}

// isTelephone returns whether some neighbours in a run of numbers are a telephone number. IMEIs and
// listed numbers divide the run.
func isTelephone(numbers, listed []string) bool {
	for i := range numbers {
		if n := passing(numbers[i:], listed); n > 0 {
			return hasNumber(numbers[:i]) || isTelephone(numbers[i+n:], listed)
		}
	}
	return hasNumber(numbers)
}

// passing returns how many of the first numbers are an IMEI or a listed number together; 0 if they are not.
func passing(numbers, listed []string) int {
	var joined strings.Builder
	for i, number := range numbers {
		joined.WriteString(digitsOf(number))
		digits := joined.String()
		if len(digits) > imeiDigits {
			break
		}
		if len(digits) == imeiDigits && isLuhn(digits) || slices.ContainsFunc(listed, func(n string) bool { return isSame(nationalDigits(digits), n) }) {
			return i + 1
		}
	}
	return 0
}

func hasNumber(numbers []string) bool {
	for from := range numbers {
		digits, plain, short := 0, 0, 0
		for i, number := range numbers[from:] {
			digits += len(digitsOf(number))
			if isPlain.MatchString(number) {
				plain++
			} else if isShort.MatchString(number) {
				short++
			}
			if digits > maxDigits {
				break
			}
			if digits >= minDigits && (plain == 0 || plain+short <= i) {
				return true
			}
		}
	}
	return false
}

// digitsOf returns the digits of a number. The 00 before the code of a country is dropped where the
// number would be too long with it.
func digitsOf(number string) string {
	digits := strings.Map(func(c rune) rune {
		if c < '0' || c > '9' {
			return -1
		}
		return c
	}, number)
	if len(digits) > maxDigits {
		return strings.TrimPrefix(digits, "00")
	}
	return digits
}

// nationalDigits returns the digits of a number without the zeros that it begins with.
func nationalDigits(number string) string { return strings.TrimLeft(digitsOf(number), "0") }

// isSame returns whether two numbers of nationalDigits are one, with or without the code of its country.
func isSame(a, b string) bool {
	return min(len(a), len(b)) >= minDigits-1 && (strings.HasSuffix(a, b) || strings.HasSuffix(b, a))
}

func isLuhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		n := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}
