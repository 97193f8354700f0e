import type { Json } from '../../domain/json.js';
import type { Activation } from '../activation-call.js';
import type { NewEvent } from '../new-event.js';

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

export const layerEvent = ({ activation, draft }: CheckedDraft, facts: LayerFacts): NewEvent => ({
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

/** A draft as the automated layers see it. */
export interface CheckedDraft {
  readonly activation: Activation;
  /**
   * `<activation>/d<n>`: steps of a layer hang below it (`<key>/judge`, `<key>/review`), so no two
   * drafts share one.
   */
  readonly key: string;
  /** The `n` of the key, for events. */
  readonly draft: number;
  readonly output: Json;
  /** The output as people and judges read it: text as it is, anything else as JSON. */
  readonly text: string;
  /** Unified diff of a harness; null for an agent that changes no files. */
  readonly diff: string | null;
}
