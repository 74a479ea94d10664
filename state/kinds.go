package state

// kinds is the one table of events. A format that needs kinds of its own adds
// them here; nothing else must know them.
func kinds() []func() Payload { //nolint:funlen // a line for each kind
	return []func() Payload{
		func() Payload { return new(SessionOpened) },
		func() Payload { return new(SeatTaken) },
		func() Payload { return new(SessionPaused) },
		func() Payload { return new(SessionResumed) },
		func() Payload { return new(ExitReached) },
		func() Payload { return new(SessionClosed) },
		func() Payload { return new(MapDrawn) },
		func() Payload { return new(RoundStarted) },
		func() Payload { return new(PhaseChanged) },
		func() Payload { return new(Ruled) },
		func() Payload { return new(CoverageChecked) },
		func() Payload { return new(StressTested) },
		func() Payload { return new(Arbitrated) },
		func() Payload { return new(QualityFailed) },
		func() Payload { return new(FoundTrivial) },

		func() Payload { return new(PromptSent) },
		func() Payload { return new(PromptEdited) },
		func() Payload { return new(PromptShrunk) },
		func() Payload { return new(ReplyReceived) },
		func() Payload { return new(ReplyRefused) },
		func() Payload { return new(UsageCounted) },
		func() Payload { return new(WorkspaceChanged) },

		func() Payload { return new(PointRaised) },
		func() Payload { return new(PointTriaged) },
		func() Payload { return new(PointsMerged) },
		func() Payload { return new(PointsPaired) },
		func() Payload { return new(PointClassified) },
		func() Payload { return new(PointRevised) },
		func() Payload { return new(PointConceded) },
		func() Payload { return new(PointBlocked) },
		func() Payload { return new(PointDeadlocked) },
		func() Payload { return new(PointNoted) },
		func() Payload { return new(ViolationNamed) },
		func() Payload { return new(Requested) },
		func() Payload { return new(RequestSettled) },
		func() Payload { return new(ConfidenceReported) },
		func() Payload { return new(DriftDetected) },

		func() Payload { return new(ChallengeRaised) },
		func() Payload { return new(ChallengeAnswered) },
		func() Payload { return new(ChallengeJudged) },
		func() Payload { return new(ChallengeDropped) },
		func() Payload { return new(ChallengeReminded) },
		func() Payload { return new(ChallengeUnconfirmed) },
		func() Payload { return new(ChallengeUndefended) },
		func() Payload { return new(ChallengeConceded) },

		func() Payload { return new(EvidenceOffered) },
		func() Payload { return new(EvidenceVerified) },
		func() Payload { return new(EvidenceRefused) },
		func() Payload { return new(EvidenceContested) },
		func() Payload { return new(CommandApproved) },
		func() Payload { return new(CommandsAllowed) },
		func() Payload { return new(FactRecorded) },
		func() Payload { return new(FactSuperseded) },
		func() Payload { return new(FactEvaluated) },

		func() Payload { return new(QuestionSurfaced) },
		func() Payload { return new(QuestionAnswered) },
		func() Payload { return new(OverrideMade) },
		func() Payload { return new(AnchorShiftConsented) },

		func() Payload { return new(FieldProposed) },
		func() Payload { return new(FieldRevised) },
		func() Payload { return new(FieldWithdrawn) },
		func() Payload { return new(ObjectionFiled) },
		func() Payload { return new(ObjectionRuled) },
		func() Payload { return new(EvidenceSupplied) },
		func() Payload { return new(ProposalExamined) },
		func() Payload { return new(RoundResolved) },

		func() Payload { return new(SeatMissed) },
		func() Payload { return new(SeatRecalled) },
		func() Payload { return new(ConflictFound) },
		func() Payload { return new(ConflictDropped) },
		func() Payload { return new(ConflictSettled) },
		func() Payload { return new(ConflictArgued) },

		func() Payload { return new(ConstitutionViolated) },
		func() Payload { return new(ClaimMarkedKey) },
		func() Payload { return new(ClaimLimited) },
		func() Payload { return new(ChallengeMended) },
		func() Payload { return new(Synthesized) },
		func() Payload { return new(ConsensusTested) },

		func() Payload { return new(PacketFacts) },
		func() Payload { return new(PacketFrozen) },
		func() Payload { return new(SchemaViolated) },
		func() Payload { return new(Argued) },
		func() Payload { return new(ConfidenceChanged) },
		func() Payload { return new(RebuttalIgnored) },
		func() Payload { return new(Gated) },
	}
}

// KindNames returns the names of all kinds of events, in the table's order.
func KindNames() []string {
	var names []string
	for _, create := range kinds() {
		names = append(names, create().Kind())
	}
	return names
}
