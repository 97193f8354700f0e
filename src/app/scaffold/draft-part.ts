import type { Known, PartDraft, PartRequest } from './part-request.js';
import { agentDraft, topologyDraft } from './parts/agents.js';
import { funnelDraft, roleDraft } from './parts/people.js';
import { skillDraft, toolServerDraft } from './parts/skills.js';
import { evalDraft, knowledgeDraft, providerDraft, triggerDraft } from './parts/work.js';

/** What a part would write. Pure. Throws KIT_USAGE for a role that is not there. */
export function draftPart(request: PartRequest, known: Known): PartDraft {
  switch (request.part) {
    case 'topology':
      return topologyDraft(request, known);
    case 'agent':
      return agentDraft(request, known);
    case 'skill':
      return skillDraft(request);
    case 'tool-server':
      return toolServerDraft(request);
    case 'funnel':
      return funnelDraft(request, known);
    case 'role':
      return roleDraft(request);
    case 'trigger':
      return triggerDraft(request);
    case 'provider':
      return providerDraft(request);
    case 'eval':
      return evalDraft(request);
    case 'knowledge':
      return knowledgeDraft(request);
  }
}
