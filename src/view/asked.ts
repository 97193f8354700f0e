import { approversOf } from '../domain/approvers.js';
import type { GateRound, RecordedDecision, ReviewItem } from '../domain/gates.js';
import { ANONYMOUS, type Job, type Usage } from '../domain/job.js';
import type { Json } from '../domain/json.js';
import type { Submitter } from '../domain/submitter.js';
import { isObject } from '../lib/json.js';
import { type LedHere, ledHere } from './led-here.js';
import type { RunView } from './run-view.js';

/** Whether the one who looks may decide, by the rule that decides. */
export interface You {
  readonly canDecide: boolean;
  /** What a decision would be refused with; null = it would not be. */
  readonly whyNot: string | null;
}

/** A decision that was made about the same gate or item. */
export interface AskedDecision {
  readonly by: string;
  /** Null: of an item that is not a role task. */
  readonly role: string | null;
  readonly outcome: RecordedDecision['outcome'];
  readonly comment: string;
  /** What a question was answered with; absent: it is no answer. */
  readonly answer?: string;
  readonly round: number;
  readonly at: string;
  /** False: of an earlier round, or its task opened again. */
  readonly counts: boolean;
}

/**
 * What a person is asked to decide about, for somebody who knows the request and not the inside of
 * kit. Every entry point leads with it.
 */
export interface ReviewRequest {
  readonly runId: string;
  readonly topology: { readonly name: string; readonly version: string | null; readonly description: string | null };
  /** Masked; the beginning of a long one. `chars` counts the whole. */
  readonly input: { readonly text: string; readonly chars: number; readonly isCut: boolean };
  /** Names of what was attached. */
  readonly attachments: readonly string[];
  readonly submittedBy: {
    readonly identity: string;
    /**
     * `authenticated`: a credential proved it; `asserted`: it was only said; `anonymous`: nobody
     * said who; `system`: a trigger.
     */
    readonly assurance: Submitter['assurance'] | 'anonymous';
  };
  readonly labels: Readonly<Record<string, string>>;
  readonly correlationId: string | null;
  /** The entry point through which it came. */
  readonly source: string;
  readonly submittedAt: string;
  /** When people were asked: this round of the gate, or the item. */
  readonly askedAt: string;
  /** How long people have been asked, by the store's clock. */
  readonly ageMs: number;
  /** So far; a cost that is unknown is null. Null: the run has not begun. */
  readonly spent: {
    readonly costUsd: number | null;
    readonly inputTokens: number;
    readonly outputTokens: number;
  } | null;
  /** Of an item of kind `permission`; null for anything else. */
  readonly call: {
    /** `server/tool`, a skill, or an action such as `agent:execute`. */
    readonly name: string;
    /** Why it is asked about, one sentence. */
    readonly reason: string;
    /** What is called with what, as the item holds it. */
    readonly details: Json;
    /** Roles and persons to whom the answer is left; [] = nobody in particular. */
    readonly approvers: readonly string[];
  } | null;
  /** What an automated check held against it last; null = nothing. */
  readonly critique: string | null;
  /** Oldest first. */
  readonly decisions: readonly AskedDecision[];
  /** The agents and calls that led there; null: this answer shows them for one item alone. */
  readonly led: LedHere | null;
  /** Null: nobody in particular looks. */
  readonly you: You | null;
}

/** Characters of the input that a list shows, and one item. */
export const INPUT_IN_LIST = 300;
export const INPUT_OF_ITEM = 4_000;

/** What the view is made of. */
export interface AskedFacts {
  /** With what it has used so far. */
  readonly job: Job;
  /** What its topology says of itself; null = nothing. */
  readonly description: string | null;
  /** The item that is asked; null: a gate or a whole run. */
  readonly item: ReviewItem | null;
  /** The round that is asked about; null: no gate. */
  readonly round: GateRound | null;
  /** Of the job. */
  readonly decisions: readonly RecordedDecision[];
  /** The folded log (`EMPTY_TRACE`); null: calls are not shown. */
  readonly run: RunView | null;
  readonly you: You | null;
  /** The store's clock, ISO 8601. */
  readonly now: string;
  readonly mask: (text: string) => string;
  /** Infinity = the whole input. */
  readonly maxInputChars: number;
}

/** The one view of what is asked. Pure. */
export function askedOf(facts: AskedFacts): ReviewRequest {
  const { job, description, item, round, run, you, now } = facts;
  const askedAt = round?.openedAt ?? item?.createdAt ?? job.createdAt;
  const { identity, assurance } = job.submittedBy;
  return {
    runId: job.id,
    topology: { name: job.topology, version: job.version, description },
    input: inputOf(facts),
    attachments: job.attachments.map(({ name }) => name),
    submittedBy: { identity, assurance: identity === '' || identity === ANONYMOUS ? 'anonymous' : assurance },
    labels: job.labels,
    correlationId: job.correlationId,
    source: job.source,
    submittedAt: job.createdAt,
    askedAt,
    ageMs: Math.max(0, Date.parse(now) - Date.parse(askedAt)),
    spent: job.usage === null ? null : spentOf(job.usage),
    call: item?.kind === 'permission' ? callOf(item) : null,
    critique: round?.evidence.critique ?? null,
    decisions: decisionsOf(facts),
    led: run === null ? null : ledHere(run),
    you,
  };
}

const spentOf = ({ costUsd, inputTokens, outputTokens }: Usage): NonNullable<ReviewRequest['spent']> => ({
  costUsd,
  inputTokens,
  outputTokens,
});

/** Masked before it is cut: half of a secret is no longer known for one. */
function inputOf({ job, mask, maxInputChars }: AskedFacts): ReviewRequest['input'] {
  const whole = mask(job.input);
  const isCut = whole.length > maxInputChars;
  return { text: isCut ? whole.slice(0, maxInputChars).toWellFormed() : whole, chars: whole.length, isCut };
}

function decisionsOf({ round, item, decisions }: AskedFacts): readonly AskedDecision[] {
  if (round !== null)
    return decisions
      .filter((made) => made.gateId === round.gateId)
      .map((made) => ({
        by: made.identity,
        role: made.role,
        outcome: made.outcome,
        comment: made.comment,
        round: made.round,
        at: made.at,
        counts: !made.stale && made.round === round.round,
      }));
  if (item === null || item.status === 'pending' || item.resolvedAt === null) return [];
  return [
    {
      by: item.resolvedBy,
      role: null,
      outcome: item.status === 'rejected' ? 'reject' : 'approve',
      comment: item.comment,
      // Of a permission it is the input of the call, which is no answer.
      ...(item.answer === null || item.kind === 'permission' ? {} : { answer: item.answer }),
      round: item.round,
      at: item.resolvedAt,
      counts: !item.stale,
    },
  ];
}

function callOf(item: ReviewItem): ReviewRequest['call'] {
  const fact = (name: string): string | null => {
    const value = isObject(item.details) ? item.details[name] : null;
    return typeof value === 'string' ? value : null;
  };
  const tool = fact('tool');
  const server = fact('server');
  const name =
    tool === null
      ? (fact('skill') ?? fact('action') ?? item.skillId ?? item.agentId)
      : server === null
        ? tool
        : `${server}/${tool}`;
  return { name, reason: item.reason, details: item.details, approvers: approversOf(item) };
}
