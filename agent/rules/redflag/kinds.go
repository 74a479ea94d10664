package redflag

import "moot/playbook"

// checkFunc applies one check and reports what it finds.
type checkFunc func(e *examination, check *playbook.Check, report func(hit))

// checkOf is the function of a kind. Every kind has one.
func checkOf(kind playbook.Kind) checkFunc {
	switch kind {
	case playbook.AddedLine:
		return addedLine
	case playbook.RemovedLine:
		return removedLine
	case playbook.MissingLine:
		return missingLine
	case playbook.TouchedFile:
		return touchedFile
	case playbook.MissingCompanion:
		return missingCompanion
	case playbook.LargeChange:
		return largeChange
	case playbook.BinaryFile:
		return binaryFile
	case playbook.GeneratedFile:
		return generatedFile
	case playbook.UntestedChange:
		return untestedChange
	case playbook.RemovedTest:
		return removedTest
	case playbook.ChangedInterface:
		return changedInterface
	case playbook.DependencyAdded, playbook.DependencyLowered, playbook.DependencyUnpinned, playbook.DependencyMajor:
		return dependencies
	case playbook.Secret:
		return secret
	case playbook.LostErrorHandling:
		return lostErrorHandling
	case playbook.EndlessLoop:
		return endlessLoop
	case playbook.OneWayMigration:
		return oneWayMigration
	case playbook.DestructiveSQL:
		return destructiveSQL
	case playbook.ChangedSetting:
		return changedSetting
	}
	return func(*examination, *playbook.Check, func(hit)) {}
}
