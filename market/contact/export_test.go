package contact

import "strings"

// ListSizes returns how many endings, words as endings and messengers there are.
func ListSizes() (endingCount, wordCount, messengerCount int) {
	return len(strings.Fields(endings)), len(strings.Fields(wordEndings)), len(strings.Split(messengers, ","))
}
