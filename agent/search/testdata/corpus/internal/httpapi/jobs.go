package httpapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"example.com/ferry/internal/queue"
	"example.com/ferry/internal/store"
)

// maxClaim is how many jobs one claim may ask for.
const maxClaim = 50

// maxWait bounds how long a claim waits for work, so that proxies do not cut
// the connection.
const maxWait = 25 * time.Second

func createJob(db *store.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body := http.MaxBytesReader(w, r.Body, queue.MaxPayload+4096)
		job := queue.Job{MaxAttempts: queue.DefaultMaxAttempts}
		if err := json.NewDecoder(body).Decode(&job); err != nil {
			writeError(w, http.StatusBadRequest, "bad_json", err.Error())
			return
		}
		id, existed, err := db.Enqueue(r.Context(), job, r.Header.Get("Idempotency-Key"))
		switch {
		case errors.Is(err, queue.ErrPayloadTooLarge):
			writeError(w, http.StatusRequestEntityTooLarge, "payload_too_large", err.Error())
		case err != nil:
			writeError(w, http.StatusInternalServerError, "internal", "could not store the job")
		case existed:
			writeJSON(w, http.StatusOK, map[string]int64{"id": id})
		default:
			writeJSON(w, http.StatusCreated, map[string]int64{"id": id})
		}
	}
}

func claimLimit(r *http.Request) int {
	n, err := strconv.Atoi(r.URL.Query().Get("limit"))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, maxClaim)
}
