// Package jetstream carries the sessions of a batch to workers on other machines and brings their units back, on NATS
// JetStream: a server of your own, or one inside this process (Serve). It knows nothing of sessions: a task is JSON, a
// unit is bytes. Start at Open, Follow and Work.
//
// On the server are
//
//   - the stream MOOT-ITEMS with the subjects moot.items.BATCH.ITEM.ATTEMPT, a work queue of all batches: an item is
//     offered until it is confirmed, and while a worker extends its lease to nobody else;
//   - for each batch the stream MOOT-UNITS-BATCH with the subjects moot.units.BATCH.ITEM.ATTEMPT, one for each session:
//     a first message by the coordinator, the units, and the end;
//   - for each batch the object store MOOT-MATERIAL-BATCH with texts by digest;
//   - the bucket MOOT-PRESENCE in memory, whose keys live for 30 s: workers, coordinators, slots of limits; and the
//     bucket MOOT-LIMITS: rates, pauses, and what was spent for nothing.
//
// No stream drops messages by age or size. All are synced at each message by Serve; for a cluster that is its setting.
//
// Each message on the subject of a session names the sequence of the message before it on that subject, and the server
// stores it only if that one is still the last (fencing). Without an answer the writer looks at the last message before
// it decides. As the coordinator writes first, no writer ever expects an empty subject, so that all who wrote before
// a purge are fenced by it: sequences only grow. A server that loses its last messages may use a sequence again.
// Therefore units also form a chain of digests, which begins with a random number for each time that the session is
// published. A message that does not fit is never delivered; the session is reported as Lost, and its coordinator
// publishes it again from its file.
//
// So the following holds, whatever fails. Follow delivers the units of a session in order and without gaps, and each was
// written by a worker that knew all before it. Some come twice after Follow was called again or a session was published
// again; their index says so. Publish, Done, Withdraw and Material may be repeated. The queue can be deleted at any time:
// what a coordinator has published is then reported as Lost. A failure costs calls that are made again, and time, but no
// unit that the coordinator has.
package jetstream
