import type { ItemKind, ReviewItem } from '../domain/gates.js';
import type { StepOutcome } from '../domain/journal.js';
import type { Json, JsonObject } from '../domain/json.js';
import { itemWait } from '../govern/approval/item-wait.js';
import { stepIdOf } from './derive.js';
import { requestOf } from './hitl-request.js';
import type { Parked } from './park.js';
import type { RunServices } from './services.js';
import { failedEnd } from './step-ends.js';
import type { StepEnd } from './step-types.js';

/** Something other than a gate that a person must settle before an agent goes on. */
export interface PersonQuestion {
  /** Key of the step that asks; it hangs below what gave rise to the question. */
  readonly key: string;
  readonly kind: Exclude<ItemKind, 'role_task'>;
  readonly agentId: string;
  readonly skillId: string | null;
  /** One sentence: why a person is asked. */
  readonly reason: string;
  /** What makes this question another than others of its step. */
  readonly question: string;
  /** How people read it; default: as it is. */
  readonly shown?: string;
  /** Answers to choose from; empty = any text, or plain approval. */
  readonly options: readonly string[];
  /** Without options: a yes or a no alone is an answer, and no text. */
  readonly isYesOrNo?: true;
  /** What goes on from an answer that has a comment: both, or by default the answer alone. */
  readonly takes?: 'both';
  readonly details: Json;
}

/**
 * What a person said: the answer in words, or '' for a bare approval; of a call that is to be made
 * with another input, that input.
 */
export type PersonAnswer = { readonly answer: string; readonly input?: JsonObject };

/** Id of the item that a question opens. */
export const personItemId = (
  { jobId }: Pick<RunServices, 'jobId'>,
  { kind, key }: Pick<PersonQuestion, 'kind' | 'key'>,
): string => `${kind}-${jobId}-${stepIdOf(jobId, key).slice(0, 12)}`;

/**
 * Opens a review item with a step of its own and parks until it is settled: the answer, or
 * `rejected` with the comment as message.
 */
export function askPeople(services: RunServices, asked: PersonQuestion): Promise<StepOutcome<PersonAnswer> | Parked> {
  const id = personItemId(services, asked);
  return services.steps.ask<PersonAnswer>(
    {
      key: asked.key,
      kind: 'gate',
      identity: { asks: asked.kind, skill: asked.skillId, question: asked.question },
      effects: 'none',
      onInDoubt: 'repeat',
      agentId: asked.agentId,
      units: 0,
    },
    {
      open: async () => {
        const item = itemOf(services, { id, asked });
        return {
          question: {
            asks: [item],
            events: [
              { type: 'hitl.requested', agentId: asked.agentId, skillId: asked.skillId, payload: requestOf(item) },
            ],
          },
        };
      },
      settle: async () => {
        const state = await services.reviews.state(services.jobId);
        const item = state?.items.find((one) => one.id === id);
        if (item === undefined) throw new Error(`run ${services.jobId} has no review item ${id}`);
        return settled(item, asked.takes ?? 'answer');
      },
    },
  );
}

function settled(item: ReviewItem, takes: 'answer' | 'both'): StepEnd<PersonAnswer> | Parked {
  if (item.withdrawn) return failedEnd('withdrawn', `the question ${item.id} was withdrawn`);
  switch (item.status) {
    case 'pending':
      return { parked: [itemWait(item)] };
    case 'approved':
      if (item.kind === 'permission' && item.answer !== null)
        return {
          outcome: { status: 'ok', value: { answer: item.comment, input: JSON.parse(item.answer) as JsonObject } },
        };
      return { outcome: { status: 'ok', value: { answer: saidOf(item, takes) } } };
    case 'rejected':
    case 'changes-requested':
      return failedEnd('rejected', item.comment);
  }
}

function saidOf({ answer, comment }: ReviewItem, takes: 'answer' | 'both'): string {
  if (takes === 'answer') return answer ?? comment;
  return [answer ?? '', comment].filter((said) => said !== '').join(': ');
}

function itemOf(
  services: RunServices,
  { id, asked }: { readonly id: string; readonly asked: PersonQuestion },
): ReviewItem {
  return {
    id,
    kind: asked.kind,
    jobId: services.jobId,
    topologyId: services.snapshot.topology.name,
    agentId: asked.agentId,
    skillId: asked.skillId,
    stepKey: asked.key,
    gateId: null,
    ruleIndex: null,
    role: null,
    scope: null,
    round: 0,
    status: 'pending',
    resolvedBy: '',
    comment: '',
    answer: null,
    reason: asked.reason,
    artifactRef: '',
    question: asked.shown ?? asked.question,
    options: asked.options,
    freeTextAllowed: asked.options.length === 0 && asked.isYesOrNo !== true,
    details: asked.details,
    stale: false,
    withdrawn: false,
    escalated: false,
    reopened: 0,
    createdAt: new Date(services.steps.now()).toISOString(),
    resolvedAt: null,
  };
}
