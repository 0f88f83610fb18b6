package nodetest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
)

// NewRequest returns a request with a JSON body; nil sends none. The credential is a session
// cookie ("sr_session=…"), an access token, or "" for a visitor.
func NewRequest(ctx context.Context, method, url, credential string, body any) (*http.Request, error) {
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, url, &sent)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(credential, "sr_session=") {
		request.Header.Set("Cookie", credential)
	} else if credential != "" {
		request.Header.Set("Authorization", "Bearer "+credential)
	}
	return request, nil
}
