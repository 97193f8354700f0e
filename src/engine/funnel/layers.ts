import type { GateEvidence } from '../../domain/gates.js';
import type { Json } from '../../domain/json.js';
import type { LinkedFunnel } from '../../domain/workspace.js';
import type { Activate, Activation } from '../activation-call.js';
import type { Parked } from '../park.js';
import type { RunServices } from '../services.js';

/** A draft as the automated layers see it. */
export interface CheckedDraft {
  readonly activation: Activation;
  /** `<activation>/d<n>`: steps of a layer hang below it (`<key>/judge`, `<key>/review`), so no two drafts share one. */
  readonly key: string;
  /** The `n` of the key, for events. */
  readonly draft: number;
  readonly output: Json;
  /** The output as people and judges read it: text as it is, anything else as JSON. */
  readonly text: string;
  /** Unified diff of a harness; null for an agent that changes no files. */
  readonly diff: string | null;
}

/** What the layers of one pass found, all of them together. */
export interface LayerVerdict {
  readonly passed: boolean;
  /** In the fixed order validate, judge, review; empty when passed. */
  readonly failedLayers: GateEvidence['failedLayers'];
  /** Union of the failures of this pass; null when passed. */
  readonly critique: string | null;
  readonly judge: GateEvidence['judge'];
  /** Findings of the reviewer below `route_back_at`. */
  readonly findings: GateEvidence['findings'];
  /** The draft as it goes on: the one checked, or what `autocorrect` made of it. */
  readonly output: Json;
}

/** The automated layers of a funnel: they filter and send back, they never approve. All they do is on the journal. */
export interface Layers {
  check(draft: CheckedDraft): Promise<LayerVerdict | Parked>;
}

/** The layers that a funnel declares; without any, every draft goes on to the people. `activate` runs the reviewer. */
export function layersOf(_services: RunServices, _funnel: LinkedFunnel, _activate: Activate): Layers {
  return {
    check: async ({ output }) => ({ passed: true, failedLayers: [], critique: null, judge: null, findings: [], output }),
  };
}
