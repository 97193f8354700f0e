import type { InboxItem, InboxPage, InboxRow } from '../../../src/app/review/review-app.js';
import type { InboxKey } from '../../../src/text/inbox/inbox-key.js';
import {
  type InboxEffect,
  type InboxInput,
  type InboxState,
  openInbox,
  reduceInbox,
} from '../../../src/text/inbox/inbox-state.js';
import type { GateDetails } from '../../../src/view/gate-details.js';
import { askedSample } from '../../support/asked-samples.js';
import { decisionOf, gateOf, itemOf, OPENED_AT, taskOf } from '../../support/review-samples.js';
import { jobOf } from '../../support/view-samples.js';

/** The job of the n-th row. */
const jobId = (n: number): string => n.toString(16).padStart(12, '0');

export function taskRow(n: number, over: Partial<InboxRow> = {}): InboxRow {
  const item = taskOf(gateOf(jobId(n)), 'qa');
  return {
    item,
    asked: askedSample({ runId: jobId(n) }),
    gate: { expiresAt: null, escalated: false, judgeScore: null },
    ...over,
  };
}

export const questionRow = (n: number, over: Partial<InboxRow['item']> = {}): InboxRow => ({
  item: itemOf(jobId(n), `ask-${n}`, { kind: 'input', question: 'Which region?', options: ['eu', 'us'], ...over }),
  asked: askedSample({ runId: jobId(n) }),
  gate: null,
});

export const pageOf = (rows: readonly InboxRow[], over: Partial<InboxPage> = {}): InboxPage => ({
  identity: 'qa-1',
  roles: ['qa'],
  rows,
  total: rows.length,
  hasMore: false,
  elsewhere: [],
  now: '2026-01-02T03:14:06.000Z',
  ...over,
});

export function detailsOf(over: Partial<GateDetails> = {}): GateDetails {
  const gate = gateOf(jobId(1));
  return {
    gateId: gate.gateId,
    runId: gate.jobId,
    topologyId: 'release',
    agentId: 'writer',
    funnelId: 'sign-off',
    round: 0,
    status: 'pending',
    resolved: false,
    quorumEvaluated: true,
    artifactRef: gate.artifactRef,
    sha256: gate.sha256,
    mediaType: gate.mediaType,
    items: [taskOf(gate, 'qa'), taskOf(gate, 'ops')],
    resolutions: [],
    distinctApprovers: [],
    outstanding: ['qa (release)', 'ops (release)'],
    actors: [{ itemId: 'mpa', ruleIndex: 0, role: 'ops', scope: 'release', members: ['ops-1'] }],
    stuck: [],
    halted: null,
    earlierAuthors: [],
    excludeAuthor: true,
    excludeAuthorUnapplied: false,
    author: { identity: 'dana', person: 'dana', assurance: 'asserted', identified: true, note: null },
    policy: gate.policy,
    evidence: gate.evidence,
    escalatedTo: [],
    openedAt: OPENED_AT,
    expiresAt: null,
    expired: false,
    decidedAt: null,
    withdrawn: false,
    ...over,
  };
}

export const artifactOf = (
  text: string | null,
  over: Partial<NonNullable<InboxItem['artifact']>> = {},
): NonNullable<InboxItem['artifact']> => ({
  ref: 'c/j/writer#dddddddddddd',
  name: 'writer',
  sha256: 'd'.repeat(64),
  mediaType: 'text/plain',
  sizeBytes: text?.length ?? 9,
  text,
  ...over,
});

export function itemView(over: Partial<InboxItem> = {}): InboxItem {
  return {
    ...taskRow(1),
    job: jobOf({ id: jobId(1) }),
    details: detailsOf(),
    artifact: artifactOf('one\ntwo\nthree\n'),
    harnessDiff: null,
    previous: null,
    ...over,
  };
}

/** What this person had before them in the round before. */
export const previousOf = (text: string | null, mediaType = 'text/plain'): NonNullable<InboxItem['previous']> => ({
  decision: decisionOf(taskOf(gateOf(jobId(1)), 'qa'), 'd-1', { outcome: 'changes_requested' }),
  artifact: artifactOf(text, { sha256: 'a'.repeat(64), mediaType }),
});

export const key = (kind: Exclude<InboxKey['kind'], 'text' | 'paste'>): InboxInput => ({ kind: 'key', key: { kind } });
export const typed = (text: string): readonly InboxInput[] =>
  [...text].map((one) => ({ kind: 'key', key: { kind: 'text', text: one } }));
export const drawn = (view: number, lines = 100): InboxInput => ({
  kind: 'drawn',
  size: { lines, view, sections: [0, 20, 60], files: [] },
});

/** All effects on the way, and the state at the end. */
export function inboxAfter(
  inputs: readonly InboxInput[],
  from: InboxState = openInbox('qa-1').state,
): { readonly state: InboxState; readonly effects: readonly InboxEffect[] } {
  const effects: InboxEffect[] = [];
  let state = from;
  for (const input of inputs) {
    const step = reduceInbox(state, input);
    state = step.state;
    if (step.effect !== null) effects.push(step.effect);
  }
  return { state, effects };
}

export const listed = (rows: readonly InboxRow[], over: Partial<InboxPage> = {}): InboxState =>
  inboxAfter([{ kind: 'page', page: pageOf(rows, over), afterId: null }, drawn(20, rows.length)]).state;

export const opened = (item: InboxItem = itemView()): InboxState =>
  inboxAfter([{ kind: 'item', item }, drawn(10)], listed([taskRow(1)])).state;
