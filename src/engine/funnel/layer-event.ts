import type { Json } from '../../domain/json.js';
import type { EventDraft } from '../draft.js';
import type { CheckedDraft } from './layers.js';

/** What one layer made of one draft. */
export interface LayerFacts {
  readonly funnelId: string;
  readonly layer: 'validate' | 'judge' | 'review';
  readonly passed: boolean;
  readonly critique: string | null;
  readonly verdict?: string;
  readonly confidence?: number;
  readonly findings?: readonly Json[];
}

export const layerEvent = ({ activation, draft }: CheckedDraft, facts: LayerFacts): EventDraft => ({
  type: 'funnel.layer_evaluated',
  agentId: activation.node.id,
  skillId: null,
  payload: {
    funnel_id: facts.funnelId,
    layer: facts.layer,
    draft,
    passed: facts.passed,
    critique: facts.critique,
    verdict: facts.verdict ?? null,
    confidence: facts.confidence ?? null,
    findings: [...(facts.findings ?? [])],
  },
});
