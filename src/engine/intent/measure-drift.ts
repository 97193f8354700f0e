import type { IntentSettings } from '../../domain/intent.js';
import type { Json } from '../../domain/json.js';
import { cosine, embedText } from '../../lib/ngram-embedding.js';
import { sha256Hex } from '../../lib/sha256.js';
import { REFOCUS } from '../../prompts/turns.js';
import { type Activation, textTask } from '../activation-call.js';
import type { DraftCall, DraftEnd } from '../drafts.js';
import { requestText } from '../history.js';
import { isParked } from '../park.js';
import { outputText } from '../results.js';
import type { RunServices } from '../services.js';

/** What one measurement comes to; plain JSON, recorded. */
export type Drift = {
  /** 1 minus the cosine of goal and output, 0..2, to three digits. */
  readonly score: number;
  readonly exceeded: boolean;
};

export interface DriftQuestion {
  readonly settings: IntentSettings;
  /** Whose draft it is. */
  readonly activation: Activation;
  /** Number of the draft; the measurement is the step `<activation>/d<n>/drift`. */
  readonly draft: number;
  readonly goal: string;
  readonly output: Json;
  /** The draft was made after a nudge: whatever it measures, there is no other. */
  readonly nudged: boolean;
}

/**
 * Measures one draft: a step with one `intent.drift`, so that a resume neither measures nor tells
 * again.
 */
export async function measureDrift(services: RunServices, question: DriftQuestion): Promise<Drift> {
  const { settings, activation, draft, goal, nudged } = question;
  const text = outputText(question.output);
  const { id } = activation.node;
  const outcome = await services.steps.answer<Drift>(
    {
      key: `${activation.key}/d${draft}/drift`,
      kind: 'govern',
      identity: { drift: sha256Hex(`${goal}\0${text}`) },
      effects: 'none',
      onInDoubt: 'repeat',
      agentId: id,
      units: 0,
    },
    () => {
      const drift = distance(goal, text, settings.threshold);
      const action = drift.exceeded ? (nudged && settings.onDrift === 'nudge' ? 'warn' : settings.onDrift) : 'none';
      const payload = {
        activation: activation.key,
        drift_score: drift.score,
        threshold: settings.threshold,
        exceeded: drift.exceeded,
        action,
        nudged,
      } as const;
      return {
        outcome: { status: 'ok', value: drift },
        events: [{ type: 'intent.drift', agentId: id, skillId: null, payload }],
      };
    },
  );
  if (outcome.status === 'failed') throw new Error(`a measurement cannot fail: ${outcome.message}`);
  return outcome.value;
}

/**
 * A draft, measured against what the agent was asked at first: the task of `goal`, without what
 * reviews or checks added to it. With `nudge` a draft that drifted too far is made once more, with
 * a message that leads back to the goal; the new draft takes its place, whatever it is. Without
 * `intent_monitoring` the draft is passed on as it is.
 */
export function draftOnGoal(services: RunServices, call: DraftCall, of: OnGoal): Promise<DraftEnd> {
  const { intent } = of.goal.node;
  return intent === undefined ? of.draft(call) : measuredDraft(services, call, { ...of, settings: intent });
}

interface OnGoal {
  readonly goal: Activation;
  readonly draft: (call: DraftCall) => Promise<DraftEnd>;
}

async function measuredDraft(
  services: RunServices,
  call: DraftCall,
  { settings, ...of }: OnGoal & { readonly settings: NonNullable<Activation['node']['intent']> },
): Promise<DraftEnd> {
  const first = await of.draft(call);
  const goal = requestText(services.snapshot, of.goal);
  const measure = async (made: DraftEnd, nudged: boolean): Promise<Drift | null> => {
    if (isParked(made.end) || made.end.outcome.status === 'failed') return null;
    const { output } = made.end.outcome.value;
    return measureDrift(services, { settings, activation: of.goal, draft: made.next - 1, goal, output, nudged });
  };
  const drift = await measure(first, false);
  if (drift === null || !drift.exceeded || settings.onDrift !== 'nudge') return first;
  const activation = { ...call.activation, task: [...call.activation.task, ...textTask(REFOCUS)] };
  const { revise } = call;
  const again = revise === undefined ? {} : { revise: { ...revise, words: `${revise.words}\n\n${REFOCUS}` } };
  const second = await of.draft({ ...call, ...again, activation, first: first.next });
  await measure(second, true);
  return second;
}

function distance(goal: string, text: string, threshold: number): Drift {
  const score = Math.round((1 - cosine(embedText(goal), embedText(text))) * 1000) / 1000;
  return { score, exceeded: score > threshold };
}
