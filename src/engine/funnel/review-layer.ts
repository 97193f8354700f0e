import type { GateEvidence } from '../../domain/gates.js';
import type { Json } from '../../domain/json.js';
import type { LinkedFunnel } from '../../domain/linked-funnel.js';
import type { ReviewFinding } from '../../domain/review-findings.js';
import { findingsText, sortFindings } from '../../govern/checks/findings.js';
import { sha256Hex } from '../../lib/sha256.js';
import { reviewOfFiles, reviewOfText } from '../../prompts/review.js';
import { reviewFailed } from '../../prompts/rework.js';
import { type Activate, type Activation, NO_HISTORY, textTask } from '../activation-call.js';
import type { Parked } from '../park.js';
import { isParked } from '../park.js';
import type { RunServices } from '../services.js';
import { stopAtBoundary } from '../stop.js';
import type { CheckedDraft } from './layer-event.js';
import { layerEvent } from './layer-event.js';

type ReviewLayer = NonNullable<LinkedFunnel['review']>;

/** Recorded: what the reviewer came to. */
export type ReviewResult = {
  readonly passed: boolean;
  readonly critique: string | null;
  /** Findings below `route_back_at`, for the people. */
  readonly findings: GateEvidence['findings'];
};

/**
 * The reviewer of a funnel: an activation like any other, which knows nothing of how the draft came
 * about. It is shown the files of `read_scope`, the draft and its diff, and may change none of
 * them. A reviewer that fails, answers what fits no findings, or changed a file has not reviewed:
 * the draft does not pass.
 */
export async function runReview(
  services: RunServices,
  of: { readonly funnel: LinkedFunnel; readonly review: ReviewLayer; readonly activate: Activate },
  draft: CheckedDraft,
): Promise<ReviewResult | Parked> {
  const { funnel, review, activate } = of;
  const key = `${draft.key}/review`;
  if (services.steps.rowOf(key)?.outcome == null) await stopAtBoundary(services);
  const outcome = await services.steps.scope<ReviewResult>(
    {
      key,
      kind: 'decision',
      identity: {
        funnel: funnel.id,
        layer: 'review',
        content: sha256Hex(draft.text),
        diff: draft.diff === null ? null : sha256Hex(draft.diff),
      },
      effects: 'none',
      onInDoubt: 'repeat',
      agentId: draft.activation.node.id,
      units: 0,
    },
    async () => {
      const result = await activate(reviewOf(review, draft, key));
      if (result.status === 'parked') return { parked: result.waits };
      const value =
        result.status === 'ok'
          ? judged(result.output, review)
          : unreviewed(result.status === 'failed' ? result.message : result.reason);
      const { passed, critique, findings } = value;
      return {
        outcome: { status: 'ok', value },
        events: [layerEvent(draft, { funnelId: funnel.id, layer: 'review', passed, critique, findings })],
      };
    },
  );
  if (isParked(outcome)) return outcome;
  return outcome.status === 'ok' ? outcome.value : unreviewed(outcome.message);
}

const unreviewed = (why: string): ReviewResult => ({
  passed: false,
  critique: reviewFailed(why),
  findings: [],
});

/** The activation has held its answer to the schema of findings. */
function judged(output: Json, review: ReviewLayer): ReviewResult {
  const { findings } = output as unknown as { readonly findings: readonly ReviewFinding[] };
  const { grave, light } = sortFindings(findings, review.routeBackAt);
  return {
    passed: grave.length === 0,
    critique: grave.length === 0 ? null : findingsText(grave),
    findings: light.map((finding) => ({ ...finding })),
  };
}

const FOLDER = 'kit-review';
const DIFF_FILE = `${FOLDER}/change.diff`;

/**
 * What the reviewer is asked. A harness finds it in files beside those of the repository, a model
 * in the text.
 */
function reviewOf({ reviewer, readScope }: ReviewLayer, draft: CheckedDraft, layerKey: string): Activation {
  const call = {
    key: `${layerKey}/c0:${reviewer.id}`,
    parentKey: draft.activation.key,
    node: reviewer,
    history: NO_HISTORY,
  };
  const hasDiff = draft.diff !== null && draft.diff !== '';
  if (reviewer.executor.kind === 'model') {
    return { ...call, task: textTask(reviewOfText(draft.text, hasDiff ? draft.diff : null)) };
  }
  const file = `${FOLDER}/${typeof draft.output === 'string' ? 'result.txt' : 'result.json'}`;
  const files = { [file]: draft.text, ...(hasDiff ? { [DIFF_FILE]: draft.diff } : {}) };
  const task = textTask(reviewOfFiles(file, hasDiff ? DIFF_FILE : null));
  return { ...call, task, view: { paths: readScope, files } };
}
