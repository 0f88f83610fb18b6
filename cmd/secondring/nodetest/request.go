package nodetest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// newRequest returns the request of Do.
func newRequest(ctx context.Context, method, url, credential string, body any) (*http.Request, error) {
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

// Do makes a call with a JSON body; nil sends none. The credential is a session cookie
// ("sr_session=…"), an access token, or "" for a visitor. Do returns the response and its
// whole body.
func Do(ctx context.Context, client *http.Client, method, url, credential string, body any) (*http.Response, []byte, error) {
	request, err := newRequest(ctx, method, url, credential, body)
	if err != nil {
		return nil, nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return response, text, err
}
