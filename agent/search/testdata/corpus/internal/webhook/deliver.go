package webhook

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"
)

// Deliver posts the body to a receiver. Redirects are not followed, since they
// would carry the signature to a host that nobody configured.
func Deliver(ctx context.Context, client *http.Client, url string, key, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set(SignatureHeader, Sign(key, body, time.Now()))
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return fmt.Errorf("receiver answered %s", response.Status)
	}
	return nil
}
