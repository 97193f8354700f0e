import { describe, expect, it } from 'vitest';
import type { Job } from '../../src/domain/job.js';
import type { Situation, SituationFacts } from '../../src/view/situation/situation.js';
import { bearsOn, situationOf } from '../../src/view/situation/situation-of.js';
import { commandLine, toWireSituation } from '../../src/view/situation/wire-situation.js';
import { type AnySketch, modelCalled, storedEvents } from '../support/stored-events.js';
import { jobOf } from '../support/view-samples.js';

const ID = '0123456789ab';
const RESUME = `kit run --resume=${ID}`;
const LOGS = `kit logs --run-id ${ID}`;

interface Row {
  readonly job: Partial<Job>;
  readonly facts?: Partial<Omit<SituationFacts, 'job' | 'events'>>;
  readonly log?: readonly AnySketch[];
  readonly code: string;
  readonly actor: string;
  readonly command: string;
  readonly fact?: string | null;
}

const CASSETTE = { plugins: {}, adapters: {}, cassette: 'c' } as unknown as Job['needs'];
const fellBack: AnySketch = {
  type: 'model.called',
  agentId: 'lead',
  stepKey: 'root/d0/t0',
  payload: modelCalled({ served_by: { provider: 'mock', model: 'm2' } }),
};
// of an item and of a gate: what a situation is read from
const item = (part: object) =>
  [{ id: 'i1', question: null, reason: 'r', options: [], details: null, ...part }] as never;
const gate = (part: object) =>
  [
    {
      gateId: 'g',
      resolved: false,
      withdrawn: false,
      round: 0,
      items: [],
      actors: [{ itemId: 'i1', ruleIndex: 0, role: 'lead', scope: 'docs', members: ['bob'] }],
      distinctApprovers: [],
      escalatedTo: [],
      outstanding: ['lead (docs)'],
      stuck: ['nobody holds lead'],
      evidence: { escalated: false },
      ...part,
    },
  ] as never;
const waits = { status: 'deferred', waitingOn: ['g'] } as const;
const SIGN = 'kit review resolve i1 --as bob --approve';

/** A gate that bob can sign. */
const signs = (code: string, part: object): Row => ({
  job: waits,
  facts: { gates: gate(part) },
  code,
  actor: 'person bob',
  command: SIGN,
});

/** An item that anybody can answer. */
const answers = (code: string, part: object): Row => ({
  job: waits,
  facts: { items: item(part) },
  code,
  actor: 'person ',
  command: 'kit review show i1',
  fact: 'the answer',
});

const ROWS: readonly Row[] = [
  { job: { status: 'pending', attempt: 0 }, code: 'claimable.new', actor: 'submitter ann', command: RESUME },
  { job: { status: 'queued', attempt: 0 }, code: 'claimable.queued', actor: 'operator ', command: 'kit worker' },
  { job: { status: 'queued', attempt: 1 }, code: 'claimable.again', actor: 'submitter ann', command: RESUME },
  {
    job: { status: 'queued', attempt: 3, crashes: 2 },
    code: 'claimable.crashed',
    actor: 'submitter ann',
    command: RESUME,
  },
  {
    job: { status: 'running', workerId: 'w1' },
    code: 'running.working',
    actor: 'process w1',
    command: `${LOGS} --follow`,
    fact: 'the end of its work',
  },
  {
    job: { status: 'running', workerId: 'w1', stopRequestedAt: '2030-01-02T03:04:06.000Z' },
    code: 'running.stopping',
    actor: 'process w1',
    command: `${LOGS} --follow`,
    fact: 'the end of the step that is under way',
  },
  {
    job: { status: 'running', waitingOn: ['abcdefabcdef'] },
    code: 'running.waits-for-runs',
    actor: 'process ',
    command: 'kit why abcdefabcdef',
    fact: 'the end of them',
  },
  {
    job: { status: 'running', wakeAt: '2030-01-02T04:00:00.000Z' },
    code: 'running.asleep',
    actor: 'process ',
    command: `${LOGS} --follow`,
    fact: 'that instant',
  },
  {
    job: { status: 'stopped', reason: 'stop_requested', error: 'bob stopped it' },
    code: 'stopped.person',
    actor: 'submitter ann',
    command: RESUME,
  },
  {
    job: { status: 'stopped', reason: 'process_died' },
    code: 'stopped.process-died',
    actor: 'submitter ann',
    command: RESUME,
  },
  {
    job: { status: 'stopped', reason: 'interrupted' },
    code: 'stopped.interrupted',
    actor: 'submitter ann',
    command: RESUME,
  },
  {
    job: { status: 'stopped', reason: 'journal_diverged' },
    code: 'stopped.diverged',
    actor: 'operator ',
    command: RESUME,
    fact: 'the version of kit that recorded it',
  },
  { job: { status: 'stopped', reason: 'store_lost' }, code: 'stopped.other', actor: 'submitter ann', command: RESUME },
  {
    job: { status: 'failed', reason: 'executor.command_not_found' },
    code: 'failed.command-not-found',
    actor: 'operator ',
    command: `kit retry ${ID}`,
    fact: 'the program on the PATH of this machine (`kit adapters list` names it); `ref: rehearsal` plays a script without one',
  },
  {
    job: { status: 'stopped', reason: 'interrupted', needs: CASSETTE },
    code: 'stopped.replay',
    actor: 'submitter ann',
    command: LOGS,
    fact: 'a run without --replay',
  },
  {
    job: { ...waits, needs: CASSETTE },
    code: 'stopped.replay',
    actor: 'submitter ann',
    command: LOGS,
    fact: 'a run without --replay',
  },
  { job: {}, code: 'completed.done', actor: 'nobody ', command: `kit trace ${ID}` },
  { job: {}, log: [fellBack], code: 'completed.by-fallback', actor: 'nobody ', command: `kit trace ${ID}` },
  {
    job: {},
    log: [{ type: 'skill.gap', agentId: 'lead', stepKey: 's', payload: { tool: 'fly', available: [] } }],
    code: 'completed.with-gaps',
    actor: 'nobody ',
    command: 'kit gaps',
  },
  { job: waits, facts: { isWaiting: false }, code: 'waiting.resume', actor: 'submitter ann', command: RESUME },
  {
    job: waits,
    facts: { isWaiting: false, autoResume: true },
    code: 'waiting.taken-up',
    actor: 'submitter ann',
    command: RESUME,
  },
  { job: waits, code: 'waiting.unknown', actor: 'submitter ann', command: RESUME },
  signs('waiting.gate', {}),
  signs('waiting.gate-rework', { round: 1 }),
  signs('waiting.gate-next-role', { distinctApprovers: ['cleo'] }),
  signs('waiting.gate-escalated', { escalatedTo: ['boss'] }),
  signs('waiting.gate-reopened', { items: [{ id: 'i1', reopened: 1 }] }),
  signs('waiting.gate-after-retries', { evidence: { escalated: true } }),
  {
    job: waits,
    facts: { gates: gate({ actors: [] }) },
    code: 'waiting.gate-nobody',
    actor: 'author ',
    command: 'kit review gate g',
    fact: 'a member for lead (docs) in the role registry',
  },
  {
    job: waits,
    facts: { items: item({ kind: 'permission' }), approvers: ['bob'] },
    code: 'waiting.permission',
    actor: 'person bob',
    command: 'kit review approve i1 --as bob',
  },
  {
    job: waits,
    facts: { items: item({ kind: 'permission' }) },
    code: 'waiting.permission',
    actor: 'person ',
    command: 'kit review approve i1',
  },
  {
    job: waits,
    facts: { items: item({ kind: 'input', options: ['red', 'blue'] }) },
    code: 'waiting.choice',
    actor: 'person ',
    command: 'kit review answer i1 red',
  },
  answers('waiting.answer', { kind: 'input' }),
  answers('waiting.person', { kind: 'other' }),
  answers('waiting.in-doubt', { kind: 'other', details: { reason: 'in_doubt' } }),
];

const situation = ({ job, facts, log = [] }: Row): Situation =>
  situationOf({
    job: jobOf(job),
    gates: [],
    items: [],
    ...{ approvers: [], readers: [] },
    isWaiting: true,
    autoResume: false,
    successor: null,
    ...facts,
    events: storedEvents(log),
  });

describe('where a run stands', () => {
  it.each(ROWS)('$code of a run that is $job.status', (row) => {
    const { code, actors, command, fact, cause } = situation(row);
    expect({ code, actor: actors.map(({ kind, names }) => `${kind} ${names.join(' ')}`), command, fact }).toEqual({
      code: row.code,
      actor: actors.length === 1 ? [row.actor] : expect.arrayContaining([row.actor]),
      command: row.command.split(' '),
      fact: row.fact ?? null,
    });
    expect(cause).not.toBe('');
  });

  it('is told with the workspace as the user named it, and with what of the log bears on it', () => {
    const events = storedEvents([fellBack, { type: 'input.validated', payload: {} } as AnySketch]).filter(bearsOn);
    const reported = situation({ job: {}, log: [fellBack], code: '', actor: '', command: '' });
    expect(commandLine(reported, "it's here")).toBe(`kit trace ${ID} -w 'it'\\''s here'`);
    expect(toWireSituation(reported, events, '')).toMatchObject({
      code: 'completed.by-fallback',
      facts: [{ seq: 1, type: 'model.called', text: expect.stringContaining('lead: asked m1') }],
      next: { command: `kit trace ${ID}`, fact: null },
    });
  });
});
