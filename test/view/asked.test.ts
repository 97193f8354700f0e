import { describe, expect, it } from 'vitest';
import { type AskedFacts, askedOf, INPUT_IN_LIST } from '../../src/view/asked.js';
import { ledHere } from '../../src/view/led-here.js';
import { askedFacts } from '../../src/view/lines/asked-text.js';
import { ageText } from '../../src/view/lines/words.js';
import { reduceRun } from '../../src/view/reduce-run.js';
import { EMPTY_TRACE } from '../../src/view/run-view.js';
import { toWireAsked } from '../../src/view/schemas/item.js';
import { decisionOf, gateOf, itemOf, taskOf } from '../support/review-samples.js';
import { RUN_SKETCH, storedEvents } from '../support/stored-events.js';
import { jobOf } from '../support/view-samples.js';

const gate = gateOf('0123456789ab');
const facts = (over: Partial<AskedFacts> = {}): AskedFacts => ({
  job: jobOf({ status: 'deferred', labels: { team: 'core' }, correlationId: 'c-1' }),
  description: 'Signs a release.',
  item: taskOf(gate, 'qa'),
  round: gate,
  decisions: [],
  run: null,
  you: null,
  now: '2026-01-02T03:05:03.000Z',
  mask: (text) => text.replaceAll('hunter2-hunter2', '[MASKED]'),
  maxInputChars: INPUT_IN_LIST,
  ...over,
});

describe('what is asked', () => {
  it('says of which topology, by whom, since when, and what was spent so far', () => {
    const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0.5 };
    const asked = askedOf(facts({ job: jobOf({ usage }) }));
    expect(asked).toMatchObject({
      runId: '0123456789ab',
      topology: { name: 'demo', version: '1.0.0', description: 'Signs a release.' },
      input: { text: 'do it', chars: 5, isCut: false },
      submittedBy: { identity: 'ann', assurance: 'asserted' },
      ageMs: 57_000,
      spent: { costUsd: 0.5, inputTokens: 10 },
      critique: 'too long\u0000',
      you: null,
    });
    expect(askedOf(facts()).spent).toBeNull();
  });

  it('masks the input before it cuts it, so that no half of a secret is left at the end', () => {
    const input = `${'x'.repeat(INPUT_IN_LIST - 7)}hunter2-hunter2 and more`;
    const { input: shown } = askedOf(facts({ job: jobOf({ input }) }));
    expect(shown.isCut).toBe(true);
    expect(shown.text).toHaveLength(INPUT_IN_LIST);
    expect(shown.text).not.toContain('hunter2');
    expect(askedOf(facts({ job: jobOf({ input }), maxInputChars: Number.POSITIVE_INFINITY })).input).toMatchObject({
      isCut: false,
      text: `${'x'.repeat(INPUT_IN_LIST - 7)}[MASKED] and more`,
    });
  });

  it.each([
    ['anonymous', 'asserted', 'anonymous'],
    ['', 'authenticated', 'anonymous'],
    ['ann', 'authenticated', 'authenticated'],
    ['trigger:nightly', 'system', 'system'],
  ] as const)('of %j, %s, says that the submitter is %s', (identity, assurance, shown) => {
    expect(askedOf(facts({ job: jobOf({ submittedBy: { identity, assurance } }) })).submittedBy.assurance).toBe(shown);
  });

  it('tells the decisions at this gate, and which of them count', () => {
    const next = gateOf('0123456789ab', { round: 1 });
    const made = decisionOf(taskOf(gate, 'qa'), 'd-1', { outcome: 'changes_requested' });
    const now = decisionOf(taskOf(next, 'ops'), 'd-2', { round: 1 });
    const elsewhere = decisionOf(taskOf(gate, 'qa'), 'd-3', { gateId: 'other:gate' });
    const { decisions } = askedOf(facts({ round: next, item: taskOf(next, 'qa'), decisions: [made, now, elsewhere] }));
    expect(decisions.map(({ role, outcome, counts }) => [role, outcome, counts])).toEqual([
      ['qa', 'changes_requested', false],
      ['ops', 'approve', true],
    ]);
  });

  it('tells what a question was answered with, beside the comment', () => {
    const settled = { status: 'approved', answer: 'blue', comment: 'as always', resolvedAt: gate.openedAt } as const;
    const decided = (kind: 'input' | 'permission') => {
      const asked = askedOf(facts({ round: null, item: itemOf('0123456789ab', 'i', { kind, ...settled }) }));
      return askedFacts(asked, { more: '', hasGate: false }).find(({ name }) => name === 'decided')?.text;
    };
    expect(decided('input')).toBe('somebody answered "blue": as always');
    expect(decided('permission')).toBe('somebody approved: as always');
  });

  it('names the call that waits for permission, whoever makes it', () => {
    const of = (details: object) =>
      askedOf(
        facts({ round: null, item: itemOf('0123456789ab', 'i', { kind: 'permission', details: { ...details } }) }),
      ).call;
    expect(of({ server: 'files', tool: 'write', arguments: {} })?.name).toBe('files/write');
    expect(of({ skill: 'wipe', arguments: {} })?.name).toBe('wipe');
    expect(of({ action: 'agent:execute', task: 'x' })?.name).toBe('agent:execute');
    expect(of({ tool: 'Bash', approvers: ['ops'] })).toMatchObject({ name: 'Bash', approvers: ['ops'] });
    expect(askedOf(facts()).call).toBeNull();
  });

  it('lists agents and calls that led there, one line each, bounded', () => {
    const view = storedEvents(RUN_SKETCH).reduce(reduceRun, EMPTY_TRACE);
    const { steps } = ledHere(view);
    expect(steps[0]).toMatchObject({ depth: 0, kind: 'agent' });
    expect(steps.some((step) => step.kind === 'call' && step.name === 'read-file')).toBe(true);
    // Calls of a model are counted at their agent.
    expect(steps.every((step) => !step.name.includes('/'))).toBe(true);
    expect(steps.some((step) => step.modelCalls > 0)).toBe(true);
  });

  it('says the critique and the decisions beside a gate only once', () => {
    const asked = askedOf(facts({ decisions: [decisionOf(taskOf(gate, 'qa'), 'd-1')] }));
    const names = (hasGate: boolean) => askedFacts(asked, { more: '', hasGate }).map(({ name }) => name);
    expect(names(false)).toEqual(['what', 'input', 'from', 'labels', 'asked', 'critique', 'decided']);
    expect(names(true)).toEqual(['what', 'input', 'from', 'labels', 'asked']);
  });

  it('is the same on the wire', () => {
    const wire = toWireAsked(askedOf(facts({ you: { canDecide: false, whyNot: 'it is approved already' } })));
    expect(wire).toMatchObject({
      request: { run_id: '0123456789ab', age_seconds: 57, cost_usd: null, led_here: null, labels: { team: 'core' } },
      you: { can_decide: false, why_not: 'it is approved already' },
    });
  });
});

it.each([
  [0, '0 s'],
  [57_400, '57 s'],
  [61_000, '1 min'],
  [3 * 3_600_000 + 59_000, '3 h'],
  [47 * 3_600_000, '47 h'],
  [5 * 86_400_000, '5 days'],
  [-5, '0 s'],
])('an age of %d ms is %s', (ms, text) => {
  expect(ageText(ms)).toBe(text);
});
