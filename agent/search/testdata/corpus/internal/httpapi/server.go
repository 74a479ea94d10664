// Package httpapi is the HTTP interface of the daemon.
package httpapi

import (
	"net/http"

	"example.com/ferry/internal/auth"
	"example.com/ferry/internal/config"
	"example.com/ferry/internal/metrics"
	"example.com/ferry/internal/store"
)

// New returns the handler of all routes. Everything but the health check and
// the metrics needs a token.
func New(db *store.DB, settings *config.Settings) http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("POST /v1/jobs", createJob(db))
	routes.HandleFunc("POST /v1/queues/{name}/claim", claimJobs(db))
	routes.HandleFunc("POST /v1/jobs/{id}/heartbeat", heartbeat(db))
	routes.HandleFunc("POST /v1/jobs/{id}/requeue", requeueDead(db))
	protected := auth.Require(settings, rateLimit(routes))

	outer := http.NewServeMux()
	outer.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	outer.Handle("GET /metrics", metrics.Handler())
	outer.Handle("/", protected)
	return recoverPanics(outer)
}
