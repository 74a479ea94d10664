// Package webhook tells receivers that a job has ended.
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"
)

// SignatureHeader carries the signature of a delivery.
const SignatureHeader = "X-Ferry-Signature"

// tolerance is how old a delivery may be; older ones may be replays.
const tolerance = 5 * time.Minute

// Sign returns the signature of a body: an HMAC over the time and the body.
func Sign(key, body []byte, at time.Time) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(strconv.FormatInt(at.Unix(), 10)))
	mac.Write([]byte("."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
