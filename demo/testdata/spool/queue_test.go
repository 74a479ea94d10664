package spool

import (
	"testing"
)

func TestJobsComeInOrder(t *testing.T) {
	q := &Queue{t.TempDir()}
	for _, payload := range []string{"first", "second"} {
		if err := q.Put([]byte(payload)); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	err := q.Work(func(job *Job) error {
		got = append(got, string(job.Payload))
		return nil
	})
	if err != nil || len(got) != 2 || got[0] != "first" {
		t.Fatalf("got %q, %v", got, err)
	}
}

func TestDrop(t *testing.T) {
	q := &Queue{t.TempDir()}
	if err := q.Put([]byte("a job")); err != nil {
		t.Fatal(err)
	}
	if err := q.Drop(); err == nil {
		t.Fatal("a queue with a job was dropped")
	}
	if job, err := q.Take(); err != nil || string(job.Payload) != "a job" {
		t.Fatalf("took %v, %v", job, err)
	}
	if err := q.Drop(); err != nil {
		t.Fatalf("an empty queue was not dropped: %v", err)
	}
}
