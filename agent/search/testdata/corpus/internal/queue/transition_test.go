package queue

import (
	"testing"
	"time"
)

func TestFailMovesToDeadAfterMaxAttempts(t *testing.T) {
	job := Job{State: Running, MaxAttempts: 2}
	job.Fail("boom", time.Now())
	if job.State != Pending {
		t.Fatalf("after the first failure the job is %s", job.State)
	}
	job.Fail("boom", time.Now())
	if job.State != Dead {
		t.Fatalf("after the last failure the job is %s", job.State)
	}
}

func TestMoveRefusesDoneToRunning(t *testing.T) {
	job := Job{State: Done}
	if err := job.Move(Running); err == nil {
		t.Fatal("a done job ran again")
	}
}
