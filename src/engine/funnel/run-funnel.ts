import type { GateEvidence } from '../../domain/gates.js';
import type { LinkedFunnel } from '../../domain/linked-funnel.js';
import { ruleSetOf } from '../../domain/snapshot.js';
import { assertNever } from '../../lib/assert-never.js';
import { NOT_PASSED } from '../../prompts/rework.js';
import type { Activate, Activation } from '../activation-call.js';
import type { DraftCall, DraftEnd, EndedConversation } from '../drafts.js';
import { isParked, type Parked } from '../park.js';
import { type ActivationValue, outputText } from '../results.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import type { StepEnd } from '../step-types.js';
import type { GateDraft } from './gate-draft.js';
import { type Layers, type LayerVerdict, layersOf } from './layers.js';
import { passGate } from './pass-gate.js';
import { type Revision, revisedTask, revisionOf } from './revise.js';

export interface FunnelRun {
  readonly funnel: LinkedFunnel;
  readonly activation: Activation;
  readonly activate: Activate;
  readonly draft: (call: Omit<DraftCall, 'activate'>) => Promise<DraftEnd>;
}

/** A draft that goes to the people, and what the layers said about it. */
interface Presented {
  readonly draft: GateDraft;
  readonly evidence: Omit<GateEvidence, 'diffSha256'>;
  readonly next: number;
  /** The conversation that produced the draft; null unless the agent's own model continues it. */
  readonly conversation: EndedConversation | null;
}

/** Where the next draft begins. */
interface From {
  readonly first: number;
  readonly revision: Revision | null;
  readonly conversation: EndedConversation | null;
}

/**
 * The funnel around one activation (docs/design/execution.md#funnel): drafts until the automated
 * layers let one through or their retries are used up, then the people. They alone let it out; when
 * they ask for changes it begins anew, with the retries counted from 0 again: what is asked for now
 * was not asked for before. All of it is steps of the activation, so entering it again finds every
 * draft, verdict and decision on the journal.
 */
export async function runFunnel(services: RunServices, run: FunnelRun): Promise<StepEnd<ActivationValue> | Parked> {
  const layers = layersOf(services, run.funnel, run.activate);
  let from: From = { first: 0, revision: null, conversation: null };
  for (let gate = 0; ; gate += 1) {
    const presented = await draftUntilPresented(services, run, { layers, from });
    if (!('evidence' in presented)) return presented;
    const { draft, evidence, next, conversation } = presented;
    const passage = await passGate(services, {
      funnel: run.funnel,
      activation: run.activation,
      gate,
      draft,
      evidence,
      next,
    });
    if (isParked(passage)) return passage;
    switch (passage.kind) {
      case 'out':
        return { outcome: { status: 'ok', value: { output: draft.output } } };
      case 'failed':
        return failedEnd(passage.reason, passage.message, passage.data);
      case 'changes':
        from = {
          first: next,
          revision: { draft, round: passage.round, decisions: passage.decisions, critique: null },
          conversation,
        };
        break;
      default:
        return assertNever(passage);
    }
  }
}

async function draftUntilPresented(
  services: RunServices,
  run: FunnelRun,
  { layers, from }: { readonly layers: Layers; readonly from: From },
): Promise<Presented | StepEnd<ActivationValue> | Parked> {
  const { activation, funnel } = run;
  let { first, revision, conversation } = from;
  for (let retries = 0; ; retries += 1) {
    const made = await run.draft({
      activation: revision === null ? activation : revisedTask(activation, revision),
      first,
      ...(revision === null || conversation === null
        ? {}
        : { revise: { conversation, words: revisionOf(revision, conversation), mayCall: true } }),
    });
    const { end, next, diff } = made;
    if (isParked(end) || end.outcome.status === 'failed') return end;
    const { output } = end.outcome.value;
    // The last session of a harness is the draft; those before it did not fit its schema.
    const number = next - 1;
    const verdict = await layers.check({
      activation,
      key: `${activation.key}/d${number}`,
      draft: number,
      output,
      text: outputText(output),
      diff,
    });
    if (isParked(verdict)) return verdict;
    conversation = goesOn(services, activation, made);
    const draft: GateDraft = { number, output: verdict.output, diff };
    const isLast = verdict.passed || verdict.isUnjudged === true || retries >= funnel.maxRetries;
    if (isLast) return { draft, evidence: evidenceOf(verdict, retries), next, conversation };
    first = next;
    revision = { ...(from.revision ?? { round: null, decisions: [] }), draft, critique: critiqueOf(verdict) };
  }
}

/**
 * The conversation that a revision goes on with, what its tools answered included. A synthesizer's
 * holds none of the research, and a harness has none: they begin anew, as all did before rule
 * set 5.
 */
function goesOn({ snapshot }: RunServices, { node }: Activation, { conversation }: DraftEnd): EndedConversation | null {
  if (ruleSetOf(snapshot) < 5 || conversation === undefined) return null;
  return conversation.speaker.agentId === node.id ? conversation : null;
}

/** Retries that are used up put the last critique before the people, marked as such. */
const evidenceOf = (verdict: LayerVerdict, retries: number): Omit<GateEvidence, 'diffSha256'> => ({
  retries,
  escalated: !verdict.passed,
  failedLayers: verdict.failedLayers,
  critique: verdict.critique,
  judge: verdict.judge,
  findings: verdict.findings,
});

const critiqueOf = (verdict: LayerVerdict): Revision['critique'] => ({
  source: verdict.failedLayers.join(', '),
  text: verdict.critique ?? NOT_PASSED,
});
