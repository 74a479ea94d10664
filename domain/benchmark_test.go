package domain_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"moot/domain"
	"moot/ledger"
	"moot/resolver/detect"
	"moot/state"
)

// ordinary is a packet of facts as collectors give them, of which one in a hundred is
// something that a rule speaks of.
func ordinary(tb testing.TB, id string, count int) *ledger.Packet {
	tb.Helper()
	from := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	p, err := ledger.NewPacket(id, from, from.Add(24*time.Hour))
	if err != nil {
		tb.Fatal(err)
	}
	for i := range count {
		f := ledger.PacketFact{
			ID: fmt.Sprintf("f%07d", i), Entity: fmt.Sprintf("wks-%d", i%977), EntityType: ledger.EntityNode,
			Field: "cpu_percent", Value: ledger.Value(fmt.Sprint(i % 100)), At: from.Add(time.Duration(i%86_400) * time.Second),
			SourceType: ledger.SourceSyslog, SourceID: "collector-1",
		}
		switch i % 10 {
		case 1:
			f.Field, f.Value, f.SourceType = "query_name", ledger.Value(fmt.Sprintf("%q", fmt.Sprintf("host-%d.corp.example", i%997))), ledger.SourceDNSLog
		case 2:
			f.Field, f.Value, f.SourceType = "bytes_out", ledger.Value(fmt.Sprint(i%90_000)), ledger.SourceNetflow
			f.Entity, f.EntityType = fmt.Sprintf("wks-%d -> srv-%d", i%977, i%31), ledger.EntityEdge
		case 3:
			f.Field, f.Value, f.SourceType = "logon", ledger.Value(`{"EventID":4624,"LogonType":3,"TargetUserName":"svc-app"}`), ledger.SourceAuthLog
		case 4:
			f.Field, f.Value, f.SourceType = "CommandLine", ledger.Value(`"C:\\Windows\\System32\\svchost.exe -k netsvcs -p"`), ledger.SourceProcessList
		}
		if i%100 == 7 {
			f.Field, f.Value, f.SourceType = "cmdline", ledger.Value(`"vssadmin delete shadows /all /quiet"`), ledger.SourceProcessList
		}
		if err := p.Add(f); err != nil {
			tb.Fatal(err)
		}
	}
	return p
}

// theSecurity is the domain of that name, ready for packets.
var theSecurity = sync.OnceValues(func() (*detect.Detector, error) {
	d, err := domain.BuiltIn("security")
	if err != nil {
		return nil, err
	}
	return detect.Compile(&d)
})

func security(tb testing.TB) *detect.Detector {
	tb.Helper()
	ready, err := theSecurity()
	if err != nil {
		tb.Fatal(err)
	}
	return ready
}

// BenchmarkMillion argues a packet of a million facts for both sides.
func BenchmarkMillion(b *testing.B) {
	d, p := security(b), ordinary(b, "million", 1_000_000)
	b.ReportAllocs()
	for b.Loop() {
		c := d.Find(p)
		if len(c.Argue(state.Architect).Claims) == 0 {
			b.Fatal("nothing was found")
		}
		c.Argue(state.Skeptic)
	}
}

// BenchmarkMany argues ten thousand packets of twenty facts for both sides.
func BenchmarkMany(b *testing.B) {
	d := security(b)
	packets := make([]*ledger.Packet, 100)
	for i := range packets {
		packets[i] = ordinary(b, fmt.Sprint("small-", i), 20)
	}
	b.ReportAllocs()
	for b.Loop() {
		for i := range 10_000 {
			c := d.Find(packets[i%len(packets)])
			c.Argue(state.Architect)
			c.Argue(state.Skeptic)
		}
	}
}
