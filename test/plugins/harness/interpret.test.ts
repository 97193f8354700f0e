import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAdapter } from '../../../plugins/harness/src/adapter/parse.js';
import { callStatus } from '../../../plugins/harness/src/interpret/fields.js';
import { interpretLine } from '../../../plugins/harness/src/interpret/line.js';
import type { JsonObject } from '../../../src/sdk/plugin.js';
import { adapterOf, bundledSpec, exited, fixtureSpec, replay } from './replay.js';

const spec = (event_map: JsonObject['event_map'], more: JsonObject = {}): JsonObject => ({
  launch: { command: ['x', '{task.statement}'] },
  stream: { format: 'jsonl' },
  event_map: event_map ?? [],
  ...more,
});
const line = (value: unknown): string => JSON.stringify(value);
const DONE = { when: { type: 'done' }, emit: [{ event: 'result', with: { status: 'success', output: '$.text' } }] };

describe('rules', () => {
  it('fires all matching rules in file order and lets the last result hold', () => {
    const adapter = adapterOf(
      spec([
        {
          when: { type: 'done' },
          emit: [
            { event: 'result', with: { status: 'success' } },
            { event: 'message', with: { text: 'first' } },
          ],
        },
        { when: { type: 'done', bad: true }, emit: [{ event: 'result', with: { status: 'failure', reason: 'bad' } }] },
      ]),
    );

    expect(interpretLine(adapter, line({ type: 'done', bad: true })).map((event) => event.type)).toEqual([
      'message',
      'result',
    ]);
    expect(replay(adapter, [line({ type: 'done', bad: true })]).result).toMatchObject({
      status: 'failure',
      reason: 'bad',
    });
    expect(replay(adapter, [line({ type: 'done' })]).result).toMatchObject({ status: 'success' });
  });

  it('compares literally, also along numbered and negative parts of a path', () => {
    const adapter = adapterOf(
      spec([{ when: { 'a.0.b': 1, 'a.-1.b': 2 }, emit: [{ event: 'message', with: { text: '$.a.-1.c' } }] }]),
    );

    expect(interpretLine(adapter, line({ a: [{ b: 1 }, { b: 2, c: 'x' }] }))).toMatchObject([{ text: 'x' }]);
    expect(interpretLine(adapter, line({ a: [{ b: '1' }, { b: 2, c: 'x' }] }))).toEqual([]);
  });

  it('filters the items of for_each by the condition of the emit', () => {
    const adapter = adapterOf(
      spec([{ for_each: '$.items', emit: [{ when: { k: 'm' }, event: 'message', with: { text: '$.t' } }] }]),
    );

    expect(
      interpretLine(
        adapter,
        line({
          items: [
            { k: 'm', t: 'a' },
            { k: 'n', t: 'b' },
            { k: 'm', t: 'c' },
          ],
        }),
      ),
    ).toMatchObject([{ text: 'a' }, { text: 'c' }]);
    expect(interpretLine(adapter, line({ items: 'none' }))).toEqual([]);
  });

  it('looks words up in named maps and falls back to _default', () => {
    const adapter = adapterOf(fixtureSpec('named-maps.yaml'));

    const { events, result } = replay(adapter, [
      line({ type: 'tool_result', name: 'edit', state: 'blew_up' }),
      line({ type: 'command_end', exit_code: 0 }),
      line({ type: 'command_end', exit_code: 7 }),
      line({ type: 'done', outcome: 'exploded' }),
    ]);

    expect(events.map((event) => event.type === 'tool_call' && event.status)).toEqual(['error', 'ok', 'error']);
    expect(result.status).toBe('failure');
  });

  it('takes an unknown word of status as a failure that names it', () => {
    const adapter = adapterOf(spec([{ when: {}, emit: [{ event: 'result', with: { status: '$.s' } }] }]));

    expect(replay(adapter, [line({ s: 'great' })]).result).toMatchObject({
      status: 'failure',
      reason: 'unknown_status',
    });
  });

  it('skips lines that are not JSON, and keeps them with retain_raw', () => {
    const plain = adapterOf(spec([DONE]));
    const raw = adapterOf(spec([DONE], { stream: { format: 'jsonl', retain_raw: true } }));

    expect(interpretLine(plain, 'not json')).toEqual([]);
    expect(replay(raw, ['not json', line({ type: 'other' }), line({ type: 'done', text: 't' })]).events).toEqual([
      { type: 'raw', line: 'not json' },
      { type: 'raw', line: '{"type":"other"}' },
    ]);
  });

  it('never throws for any line, and says nothing but known events', () => {
    const adapters = ['claude-code', 'codex', 'gemini-cli', 'opencode', 'test-runner'].map((id) =>
      adapterOf(bundledSpec(id)),
    );
    const types = fc.constantFrom(
      'result',
      'assistant',
      'user',
      'item.completed',
      'message',
      'tool_use',
      'step_finish',
      'test',
      'summary',
      'error',
      'turn.completed',
    );
    const lines = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({
          type: types,
          usage: fc.jsonValue(),
          message: fc.jsonValue(),
          item: fc.jsonValue(),
          part: fc.jsonValue(),
          status: fc.jsonValue(),
        })
        .map((value) => JSON.stringify(value)),
    );

    fc.assert(
      fc.property(fc.constantFrom(...adapters), fc.array(lines, { maxLength: 8 }), (adapter, stream) => {
        const { result } = replay(adapter, stream);
        expect(['success', 'failure', 'budget_exceeded', 'needs_approval']).toContain(result.status);
        expect(Number.isFinite(result.usage?.inputTokens ?? 0)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the end of a harness', () => {
  const adapter = adapterOf(spec([DONE], { success_when: { exit_code: 0 } }));
  const done = [line({ type: 'done', text: 'fine' })];

  it.each([
    ['exit 0 without a terminal event', [], exited(0), 'failure', 'no_terminal_event'],
    ['exit 1 after success', done, exited(1, { stderrTail: 'boom' }), 'failure', 'exit_code'],
    ['a signal after success', done, exited(0, { exitCode: null, signal: 'SIGTERM' }), 'failure', 'signal'],
    ['exit 3 without a terminal event', [], exited(3), 'failure', 'exit_code'],
    ['a line over the limit', done, exited(0, { ended: 'line_too_long' }), 'failure', 'line_too_long'],
    ['too much output', done, exited(0, { ended: 'output_too_large' }), 'failure', 'output_too_large'],
    ['silence', done, exited(0, { ended: 'idle' }), 'stalled', 'idle'],
    ['the wall clock', done, exited(0, { ended: 'timeout' }), 'budget_exceeded', 'wall_clock'],
    ['an abort', done, exited(0, { ended: 'aborted' }), 'cancelled', 'aborted'],
    ['a clean end', done, exited(0), 'success', null],
  ] as const)('is judged by %s', (_what, lines, end, status, reason) => {
    expect(replay(adapter, lines, end).result).toMatchObject({ status, reason });
  });

  it('quotes the last lines of stderr without terminal colours', () => {
    const { result } = replay(adapter, done, exited(1, { stderrTail: 'a\nb\nc\nd\ne\n\u001b[31mred\u001b[0m\n' }));

    expect(result.message).toContain('exit 1: b\nc\nd\ne\nred');
    expect(result.stderrTail).not.toContain('\u001b');
  });

  it('holds the adapter to the exit code it names', () => {
    const seven = adapterOf(spec([DONE], { success_when: { exit_code: 7 } }));

    expect(replay(seven, done, exited(7)).result.status).toBe('success');
    expect(replay(seven, done, exited(0)).result).toMatchObject({ status: 'failure', reason: 'exit_code' });
  });

  it('lets a refused capability pass only where the adapter says deny', () => {
    const asks = { when: { type: 'asks' }, emit: [{ event: 'approval_requested', with: { capability: '$.tool' } }] };
    const stream = [line({ type: 'asks', tool: 'Bash' }), ...done];

    expect(replay(adapterOf(spec([asks, DONE])), stream).result).toMatchObject({ status: 'needs_approval' });
    expect(replay(adapterOf(spec([asks, DONE], { on_unanswerable: 'deny' })), stream).result).toMatchObject({
      status: 'success',
    });
  });
});

describe('usage', () => {
  const rule = (fields: JsonObject): JsonObject => ({
    when: { type: 'u' },
    emit: [{ event: 'usage', with: { output_tokens: '$.n', cost_usd: '$.c', ...fields } }],
  });

  it('adds reports up, and lets one with the same key take the place of the earlier', () => {
    const stream = [
      line({ type: 'u', n: 5, c: 0.1, id: 'a' }),
      line({ type: 'u', n: 7, c: 0.1, id: 'a' }),
      line({ type: 'u', n: 1, id: 'b' }),
    ];

    expect(replay(adapterOf(spec([rule({})])), stream).result.usage).toMatchObject({ outputTokens: 13, costUsd: 0.2 });
    expect(replay(adapterOf(spec([rule({ key: '$.id' })])), stream).result.usage).toMatchObject({
      outputTokens: 8,
      costUsd: 0.1,
    });
  });

  it('keeps an unreported cost unknown and refuses numbers that are none', () => {
    const adapter = adapterOf(spec([rule({})]));

    expect(replay(adapter, [line({ type: 'u', n: 5 })]).result.usage?.costUsd).toBeNull();
    expect(replay(adapter, [line({ type: 'u', n: -5, c: 'much' })]).result.usage).toMatchObject({
      outputTokens: 0,
      costUsd: null,
    });
    expect(replay(adapter, []).result.usage).toBeNull();
  });
});

describe('the check of an adapter', () => {
  it.each([
    [
      'an unknown variable',
      { launch: { command: ['x', '{task.stament}'] } },
      '/launch/command/1',
      'unknown variable {task.stament}',
    ],
    [
      'an unknown variable of a group',
      { launch: { command: ['x'], optional_args: [{ when: 'config', args: [] }] } },
      '/launch/optional_args/0/when',
      'unknown variable config',
    ],
    ['an empty command', { launch: { command: [] } }, '/launch/command', 'must name a program'],
    [
      'a lookup in no table',
      { event_map: [{ emit: [{ event: 'result', with: { status: { from: '$.a', map: 'gone_map' } } }] }] },
      '/event_map/0/emit/0/with/status/map',
      'no map named "gone_map"',
    ],
    [
      'an unknown event',
      { event_map: [{ emit: [{ event: 'reslt' }] }] },
      '/event_map/0/emit/0/event',
      'unknown event "reslt"',
    ],
    [
      'setting anything but the session',
      { event_map: [{ set: { cwd: '$.x' } }] },
      '/event_map/0/set/cwd',
      'only session_id can be set',
    ],
    [
      'an adapter beyond data',
      { requires: 'code' },
      '/requires',
      'an adapter that requires code cannot be run from data',
    ],
  ])('refuses %s', (_what, change, pointer, message) => {
    const parsed = parseAdapter({ ...spec([DONE]), ...change } as JsonObject);

    expect(parsed).toEqual({ ok: false, problems: [{ pointer, message }] });
  });

  it('accepts the published adapters of other tools', () => {
    expect(parseAdapter(fixtureSpec('bundled-claude-code.yaml')).ok).toBe(true);
    expect(parseAdapter(fixtureSpec('bundled-opencode.yaml')).ok).toBe(true);
  });

  it('normalises the words for how a call ended', () => {
    expect(['ok', 'succeeded', 'completed', 'done'].map(callStatus)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(['denied', 'timeout', 'aborted', 'failed'].map(callStatus)).toEqual(['error', 'error', 'error', 'error']);
    expect(['pending', 'running', 'whatever', ''].map(callStatus)).toEqual(['', '', '', '']);
  });
});
