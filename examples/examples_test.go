package examples_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/agent/rules/redflag"
	"moot/config"
	"moot/internal/redact"
	"moot/protocol/council/constitution"
	"moot/protocol/dialectic/playbook"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The files that readers copy are valid.
func TestExamplesAreValid(t *testing.T) {
	if _, problems := config.Read("config.toml", read(t, "config.toml")); len(problems) > 0 {
		t.Error(problems)
	}
	if _, err := playbook.Read("playbook.toml", read(t, "playbook.toml")); err != nil {
		t.Error(err)
	}
	books, err := filepath.Glob("playbooks/*.toml")
	if err != nil || len(books) < 5 {
		t.Fatalf("%d playbooks, %v", len(books), err)
	}
	for _, name := range books {
		book, err := playbook.Read(name, read(t, name))
		if err != nil {
			t.Error(err)
		}
		for i := range book.Flags {
			f := &book.Flags[i]
			for _, text := range []string{f.Look, f.Why, f.Clears} {
				if !strings.HasSuffix(text, ".") {
					t.Errorf("%s: %s does not end: %q", name, f.ID, text)
				}
			}
		}
	}
	if _, err := constitution.Read(read(t, "constitution.toml"), "constitution.toml"); err != nil {
		t.Error(err)
	}
}

// The checks of the playbooks find what they are for, and leave alone what only sounds like it.
func TestChecksOfThePlaybooks(t *testing.T) {
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		book, flag string
		raises     bool
		text       string
	}{
		{"support-refund", "other-account", true, "Please send it by bank transfer."},
		{"support-refund", "other-account", false, "Please send it to my card."},
		{"support-refund", "promise-to-customer", true, "Your money will be with you by Friday."},
		{"support-refund", "promise-to-customer", false, "We look into it and write again."},
		{"support-refund", "signs-of-fraud", true, "Pay today or I write a bad review."},
		{"support-refund", "signs-of-fraud", false, "There is no need to answer today or tomorrow."},
		{"contract-clause", "uncapped-liability", true, "Customer is fully liable for its staff."},
		{"contract-clause", "uncapped-liability", true, "Customer pays within 30 days."},
		{"contract-clause", "uncapped-liability", false, "Each party's total liability is limited to the fees of 12 months."},
		{"contract-clause", "auto-renewal", true, "It renews automatically for 12 months."},
		{"contract-clause", "auto-renewal", false, "It ends after 12 months."},
		{"contract-clause", "governing-law", true, "Customer pays within 30 days."},
		{"contract-clause", "governing-law", false, "It is governed by the laws of Ireland."},
		{"contract-clause", "data-without-terms", true, "Provider stores customer data."},
		{"contract-clause", "data-without-terms", false, "Provider stores customer data. The data processing agreement is Annex A."},
		{"contract-clause", "data-without-terms", false, "Provider paints the office."},
		{"contract-clause", "rights-given-away", true, "Supplier hereby assigns all right and title in the results."},
		{"contract-clause", "rights-given-away", false, "Supplier keeps its rights in the results."},
		{"contract-clause", "rights-given-away", false, "Neither party may assign its rights without consent."},
		{"contract-clause", "uncapped-liability", false, "Its total liability, including without limitation fines, is capped."},
		{"contract-clause", "governing-law", false, "It is subject to the laws of England."},
		{"contract-clause", "undefined-term", true, "Provider makes commercially reasonable efforts."},
		{"contract-clause", "changed-by-one-side", true, "Provider may change the prices."},
		{"contract-clause", "no-way-out", true, "The term is 36 months."},
		{"contract-clause", "no-way-out", false, "Either party may terminate for cause."},
		{"medical-triage", "chest-pain", true, "Pressure in the chest since this morning."},
		{"medical-triage", "chest-pain", true, "No fever, chest pain since 7 o'clock."},
		{"medical-triage", "chest-pain", false, "Pain in the knee."},
		{"medical-triage", "nobody-decided", true, "Sleeps badly."},
		{"medical-triage", "stroke-signs", true, "Her left arm is weak since noon."},
		{"medical-triage", "stroke-signs", false, "Walks without a stick."},
		{"medical-triage", "sepsis-signs", true, "Fever since yesterday, confused this morning."},
		{"medical-triage", "sepsis-signs", false, "A sprained ankle."},
		{"medical-triage", "bleeding-in-pregnancy", true, "Pregnant, week 9, and bleeding since last night."},
		{"medical-triage", "bleeding-in-pregnancy", false, "Nosebleed after a fall."},
		{"medical-triage", "suicidal-intent", true, "Says that he wants to die."},
		{"medical-triage", "suicidal-intent", true, "Denies suicidal thoughts now, after an attempt in May."},
		{"medical-triage", "suicidal-intent", false, "Sleeps badly."},
		{"medical-triage", "no-measurement", true, "Looks fine on the phone."},
		{"experiment-protocol", "outcome-not-registered", true, "The main outcome is speed."},
		{"experiment-protocol", "outcome-not-registered", false, "The main outcome, speed, was registered in May."},
		{"experiment-protocol", "sample-size-without-reason", true, "40 people take part."},
		{"experiment-protocol", "sample-size-without-reason", false, "40 people give a power of 80 % for 0.9 deviations."},
		{"experiment-protocol", "no-control", true, "All do the exercise for a month."},
		{"experiment-protocol", "no-control", false, "The control group does nothing new."},
		{"experiment-protocol", "many-comparisons", true, "There are three subgroup analyses."},
		{"experiment-protocol", "many-comparisons", false, "There are three subgroup analyses, with the correction of Holm."},
		{"experiment-protocol", "source-retracted", true, "Okafor 2017 (retracted)"},
		{"experiment-protocol", "left-out-afterwards", true, "We report all results."},
		{"media-plan", "claim-without-proof", true, "Clinically proven: 30 % less strain."},
		{"media-plan", "claim-without-proof", true, "The world's best desk lamp"},
		{"media-plan", "claim-without-proof", false, "In the first week the only channel is search."},
		{"media-plan", "claim-without-proof", false, "Light where you work."},
		{"media-plan", "audience-counted-twice", true, "Total reach: 700000"},
		{"media-plan", "audience-counted-twice", false, "Total reach without overlap: 410000"},
		{"media-plan", "next-to-what", true, "Programmatic display, 9000 EUR"},
		{"media-plan", "next-to-what", false, "Programmatic display with the exclusion list of the brand"},
	} {
		name := "playbooks/" + c.book + ".toml"
		book, err := playbook.Read(name, read(t, name))
		if err != nil {
			t.Fatal(err)
		}
		if book.Flag(c.flag) == nil {
			t.Errorf("%s has no flag %s", name, c.flag)
		}
		found, err := redflag.Find(t.Context(), redactor, &book, redflag.ReadDocument("text.md", []byte(c.text+"\n")), nil)
		if err != nil {
			t.Fatal(err)
		}
		raised := slices.ContainsFunc(found, func(f redflag.Finding) bool { return f.Flag == c.flag })
		if raised != c.raises {
			t.Errorf("%s of %s: raised is %t for %q", c.flag, c.book, raised, c.text)
		}
	}
}
