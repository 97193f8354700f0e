import type { GateEvidence } from '../../domain/gates.js';
import type { Json } from '../../domain/json.js';
import type { LinkedFunnel } from '../../domain/linked-funnel.js';
import type { Activate } from '../activation-call.js';
import { isParked, type Parked } from '../park.js';
import { outputText } from '../results.js';
import type { RunServices } from '../services.js';
import { runJudge } from './judge-layer.js';
import type { CheckedDraft } from './layer-event.js';
import { runReview } from './review-layer.js';
import { runValidate, type ValidateResult } from './validate-layer.js';

/** What the layers of one pass found, all of them together. */
export interface LayerVerdict {
  readonly passed: boolean;
  /** The judge gave no verdict: another draft would not fix that, so people decide. */
  readonly isUnjudged?: true;
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

/**
 * The automated layers of a funnel: they filter and send back, they never approve. All they do is
 * on the journal.
 */
export interface Layers {
  check(draft: CheckedDraft): Promise<LayerVerdict | Parked>;
}

const NOTHING_FOUND = { critique: null, judge: null, findings: [] } as const;

/**
 * The layers that a funnel declares, in the fixed order; without any, every draft goes on to the
 * people. The first that fails sends the draft back: nobody is paid to judge what the checks have
 * refused. `activate` runs the reviewer.
 */
export function layersOf(services: RunServices, funnel: LinkedFunnel, activate: Activate): Layers {
  return {
    check: async (asked) => {
      const { validate, judge, review } = funnel;
      const validated = validate === null ? null : await runValidate(services, { funnel, validate }, asked);
      const draft = withCorrected(asked, validated);
      const { output } = draft;
      const back = (layer: LayerName, found: Partial<LayerVerdict>): LayerVerdict => ({
        ...NOTHING_FOUND,
        ...found,
        passed: false,
        failedLayers: [layer],
        output,
      });
      if (validated?.passed === false) return back('validate', { critique: validated.critique });
      const judged = judge === null ? null : await runJudge(services, { funnel, judge }, draft);
      if (judged !== null && isParked(judged)) return judged;
      if (judged?.passed === false) {
        const { critique, judge: evidence, isSilent } = judged;
        return back('judge', { critique, judge: evidence, ...(isSilent ? { isUnjudged: true } : {}) });
      }
      const reviewed = review === null ? null : await runReview(services, { funnel, review, activate }, draft);
      if (reviewed !== null && isParked(reviewed)) return reviewed;
      const found = { judge: judged?.judge ?? null, findings: reviewed?.findings ?? [] };
      if (reviewed?.passed === false) return back('review', { ...found, critique: reviewed.critique });
      return { ...NOTHING_FOUND, ...found, passed: true, failedLayers: [], output };
    },
  };
}

type LayerName = GateEvidence['failedLayers'][number];

function withCorrected(draft: CheckedDraft, validated: ValidateResult | null): CheckedDraft {
  const [output] = validated?.corrected ?? [];
  return output === undefined ? draft : { ...draft, output, text: outputText(output) };
}
