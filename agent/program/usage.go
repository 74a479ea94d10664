package program

import "moot/protocol"

// totals is what a conversation had cost when it was last asked.
type totals struct {
	tokens Tokens
	cost   float64
}

// uncounted is said once where a program tells what the whole conversation has
// cost, and nobody knows what it had before this turn.
const uncounted = "it tells what the whole conversation has cost, and moot was started anew since its last turn: " +
	"of this turn the tokens are estimated, and what it cost is not known and not counted"

// count puts into a reply what the turn has cost: what is told of a whole
// conversation less what had been told before. began says that the conversation
// began with this turn. Where the program tells no tokens they are estimated by the
// prompt, of so many bytes, and the reply; what it read in the workspace is not known.
func (p *Program) count(reply *protocol.Reply, n *answer, began bool, prompt int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	before, known := p.totals[n.conversation]
	known = known || began
	now := totals{n.tokens, n.cost}
	output := &p.adapter.Output
	missing := false
	reply.Estimated = !n.hasTokens && reply.Text != ""
	if n.hasTokens {
		turn := n.tokens
		if output.Tokens == PerConversation {
			switch {
			case !known:
				turn, missing, reply.Estimated = Tokens{}, true, true
			case turn.Prompt >= before.tokens.Prompt && turn.Completion >= before.tokens.Completion:
				turn.Prompt -= before.tokens.Prompt
				turn.Completion -= before.tokens.Completion
			}
		}
		reply.PromptTokens, reply.CompletionTokens = turn.Prompt, turn.Completion
	}
	if n.hasCost {
		turn := n.cost
		if output.Cost == PerConversation {
			switch {
			case !known:
				turn, missing = 0, true
			case turn >= before.cost:
				turn -= before.cost
			}
		}
		reply.Cost = turn
	}
	if reply.Estimated {
		reply.PromptTokens, reply.CompletionTokens = protocol.EstimateTokens(prompt), protocol.EstimateTokens(len(reply.Text))
	}
	if missing && !p.saidUncounted {
		p.saidUncounted = true
		reply.Notes = append(reply.Notes, uncounted)
	}
	// A run that told nothing says nothing of what was told before.
	if n.conversation != "" && (n.hasTokens || n.hasCost) {
		p.totals[n.conversation] = now
	}
}
