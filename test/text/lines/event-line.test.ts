import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventLine, nameWidthOf } from '../../../src/text/event-line.js';
import { eventJsonLine, resultJsonLine } from '../../../src/text/lines/json-lines.js';
import { costText, durationText, manyLines, oneLine, tokensText } from '../../../src/view/lines/words.js';
import {
  type AnySketch,
  agentStarted,
  executorResult,
  modelCalled,
  RUN_SKETCH,
  skillExecuted,
  storedEvents,
} from '../../support/stored-events.js';

const PLAIN = { color: false, verbose: false, nameWidth: 6 } as const;
const lines = (
  sketches: readonly AnySketch[],
  options: Parameters<typeof eventLine>[1] = PLAIN,
): readonly (string | null)[] => storedEvents(sketches).map((event) => eventLine(event, options));

describe('eventLine', () => {
  it('tells a whole run, one line an event, with aligned names', () => {
    expect(lines(RUN_SKETCH).filter((line) => line !== null)).toEqual([
      '       run 0123456789ab of demo 1.0.0 submitted by ann',
      'lead   started',
      'lead   asked m1 (100 in, 20 out, $0.250, 1.5 s), 2 calls',
      'tester started (harness:test-runner)',
      'reader started',
      'tester test-runner runs in a worktree',
      'reader asked m2 (100 in, 20 out, cost unknown, 1.5 s), 2 calls',
      'reader called fly, which it does not hold',
      'tester test-runner success, exit code 0, 4.2 s',
      'tester done in 2.0 s',
      'reader failed: provider.timeout in 2.0 s',
      'lead   done in 9.0 s',
      '       run completed',
    ]);
  });

  it.each([
    [
      'as far as the log holds it in short',
      { summary: '{"reason":"tool_error","message":"no \\"docs/a.txt\\" is there', type: 'object', length: 900 },
    ],
    ['from a log that holds it whole', { reason: 'tool_error', message: 'no "docs/a.txt" is there' }],
  ])('says why a call failed, %s', (_how, outputs) => {
    const failed = skillExecuted({ tool: 'read-file', status: 'failed', reason: 'tool_error', outputs });
    expect(lines([{ type: 'skill.executed', agentId: 'a', payload: failed }])).toEqual([
      'a      read-file failed: tool_error (no "docs/a.txt" is there)',
    ]);
  });

  it.each([
    ['denied', 'a      read-file denied'],
    ['rejected', 'a      read-file denied: rejected'],
  ])('says once that a call was denied (%s)', (reason, line) => {
    const denied = skillExecuted({ tool: 'read-file', status: 'denied', reason, policy_decision: 'deny' });
    expect(lines([{ type: 'skill.executed', agentId: 'a', payload: denied }])).toEqual([line]);
  });

  it('counts the answers that do not fit their schema from one, as it says in the end how many there were', () => {
    const rejected: AnySketch = { type: 'output.validated', agentId: 'a', payload: { attempt: 0, valid: false } };
    const given: AnySketch = {
      type: 'output.validation_failed',
      agentId: 'a',
      payload: { attempts: 1, errors: ['/x: is missing'] },
    };
    expect(lines([rejected, given])).toEqual([
      'a      answer does not fit its schema, attempt 1',
      'a      answer does not fit its schema after 1 attempt: /x: is missing',
    ]);
  });

  it('names a failed call of which the log holds no text', () => {
    const failed = skillExecuted({ tool: 'read-file', status: 'failed', reason: 'timeout', outputs: null });
    expect(lines([{ type: 'skill.executed', agentId: 'a', payload: failed }])).toEqual([
      'a      read-file failed: timeout',
    ]);
  });

  it('says that no language model answered where the provider is rules', () => {
    expect(
      lines([
        {
          type: 'model.called',
          agentId: 'a',
          payload: modelCalled({ provider: 'rules', model: 'rules', tool_calls: 1 }),
        },
        {
          type: 'model.called',
          agentId: 'a',
          payload: modelCalled({ provider: 'rules', model: 'rules', tool_calls: 0 }),
        },
      ]),
    ).toEqual(['a      1 call made by rules (no language model)', 'a      filled by rules (no language model)']);
  });

  it('names the task that was settled, and says nobody where nobody settled it', () => {
    const settled = (decision: string, by_user: string, kind: 'role_task' | 'input') =>
      ({
        type: 'hitl.resolved',
        agentId: 'a',
        payload: { review_queue_id: 'mpa-r:a-0-qa', kind, gate_id: 'r:a', decision, by_user, comment: '' },
      }) as const;
    const sketches = [
      settled('approve', 'ann', 'role_task'),
      settled('withdrawn', '', 'role_task'),
      settled('withdrawn', '', 'input'),
    ];
    expect(lines(sketches, { ...PLAIN, verbose: true })).toEqual([
      'a      task mpa-r:a-0-qa settled by ann: approve',
      'a      task mpa-r:a-0-qa withdrawn',
      'a      mpa-r:a-0-qa withdrawn',
    ]);
  });

  it('adds tool calls and messages with verbose', () => {
    const verbose = lines(RUN_SKETCH, { ...PLAIN, verbose: true });
    expect(verbose).not.toContain(null);
    expect(verbose).toContain('tester node --test adds numbers ok');
    expect(verbose).toContain('tester two tests');
    expect(verbose).toContain('reader read-file in 30 ms');
  });

  it('shows a call that failed or was denied without verbose', () => {
    expect(
      lines([
        { type: 'skill.executed', agentId: 'a', payload: skillExecuted({ status: 'failed', reason: 'timeout' }) },
        { type: 'skill.executed', agentId: 'a', payload: skillExecuted({ status: 'denied', reason: 'no scope' }) },
      ]),
    ).toEqual(['a      read-file failed: timeout', 'a      read-file denied: no scope']);
  });

  it('says of a decision that blocked nothing that it is advisory', () => {
    const said = (over: { readonly required?: boolean }): AnySketch => ({
      type: 'decision.evaluated',
      agentId: 'a',
      payload: {
        trigger: 'post_output',
        skill: 'sources',
        verdict: 'fail',
        confidence: 0.5,
        reasoning: 'none',
        passed: false,
        flagged_items: [],
        verdict_invalid: false,
        ...over,
      },
    });
    expect(lines([said({}), said({ required: true }), said({ required: false })])).toEqual([
      'a      sources says fail (0.50): none',
      'a      sources says fail (0.50): none',
      'a      sources says fail (0.50, advisory): none',
    ]);
  });

  it('says the reason and the error of a failed run, and files that a harness does not have', () => {
    expect(
      lines([
        {
          type: 'run.ended',
          payload: { status: 'failed', reason: 'agent_failed', error: 'tester failed: exit code 1' },
        },
        {
          type: 'executor.started',
          agentId: 't',
          payload: {
            kind: 'harness',
            ref: 'r',
            sandbox: 'worktree',
            base_commit: null,
            not_included: ['a.txt', 'b', '../c', 'd'],
            resumed: true,
            lost: null,
          },
        },
        {
          type: 'executor.result',
          agentId: 't',
          payload: executorResult({
            status: 'failure',
            reason: 'exit_code',
            diff_bytes: 2048,
            exit_metadata: { returncode: null, signal: 'SIGKILL', stderr_tail: '' },
          }),
        },
        { type: 'limit.breached', payload: { limit: 'max_steps_per_run', limit_value: 2, actual: 3 } },
        {
          type: 'model.called',
          agentId: 't',
          payload: modelCalled({ status: 'failed', reason: 'rate_limited', retries: 3 }),
        },
      ]),
    ).toEqual([
      '       run failed: agent_failed (tester failed: exit code 1)',
      't      r goes on in a worktree; not in it: ../c, a.txt, b and 1 more that no commit holds',
      't      test-runner failure: exit_code, ended by SIGKILL, diff of 2.0 KiB, 4.2 s',
      '       limit max_steps_per_run is 2, this would be 3',
      't      m1 failed: rate_limited, 3 retries',
    ]);
  });

  it('colours only when asked, and the words are the same', () => {
    const colored = lines(RUN_SKETCH, { ...PLAIN, color: true, verbose: true, time: true });
    const plain = lines(RUN_SKETCH, { ...PLAIN, verbose: true, time: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colour codes are what is taken out
    expect(colored.map((line) => line?.replace(/\u001b\[\d+m/g, ''))).toEqual(plain);
    expect(colored.join('')).toContain('\u001b[');
    expect(plain[0]).toBe('03:04:05        run 0123456789ab of demo 1.0.0 submitted by ann');
  });

  it('lets no text from outside move the cursor, break the line or colour what follows', () => {
    const hostile = fc
      .array(
        fc.constantFrom(
          '\u001b[2J',
          '\u001b]0;title\u0007',
          '\u001b[31m',
          '\n',
          '\r',
          '\u009b1A',
          '\u202e',
          'text',
          '\u001bP q\u001b\\',
          '\0',
          '\u001b',
          '\u001b[',
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, (text) => {
        const all = lines(
          [
            { type: 'agent.started', agentId: text, payload: agentStarted('root', null, text) },
            { type: 'executor.message', agentId: 'a', payload: { role: 'assistant', text } },
            { type: 'executor.tool_call', agentId: 'a', payload: { tool: text, summary: text, status: 'ok' } },
            { type: 'run.ended', payload: { status: 'failed', reason: text, error: text } },
            { type: 'policy.denied', agentId: 'a', payload: { action: text, reason: text, needs: [] } },
          ],
          { ...PLAIN, verbose: true },
        );
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be printed
        for (const line of all) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be printed
        expect(manyLines(text)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      }),
    );
  });
});

describe('words', () => {
  it('writes durations for people', () => {
    expect([0, 999, 1_000, 59_949, 59_950, 61_000, 3_599_400, 7_620_000].map(durationText)).toEqual([
      '0 ms',
      '999 ms',
      '1.0 s',
      '59.9 s',
      '1 min 00 s',
      '1 min 01 s',
      '59 min 59 s',
      '2 h 07 min',
    ]);
  });

  it('never writes an unknown cost as a number', () => {
    expect([null, 0, 0.000_12, 0.25, 12.345].map(costText)).toEqual([
      'cost unknown',
      '$0',
      '$0.00012',
      '$0.250',
      '$12.35',
    ]);
  });

  it('shortens tokens and long text', () => {
    expect(tokensText({ inputTokens: 1_234, outputTokens: 2_500_000 })).toBe('1.2k in, 2.5M out');
    expect(oneLine('a'.repeat(200), 10)).toBe(`${'a'.repeat(9)}…`);
    expect(oneLine(`${'a'.repeat(8)}😀😀`, 10)).toBe(`${'a'.repeat(8)}…`);
  });

  it('makes the name column as wide as the longest name within reason', () => {
    expect(nameWidthOf([])).toBe(3);
    expect(nameWidthOf(['ab', 'researcher'])).toBe(10);
    expect(nameWidthOf(['x'.repeat(80)])).toBe(28);
  });
});

describe('JSON Lines', () => {
  it('writes one value a line, with its type', () => {
    for (const event of storedEvents(RUN_SKETCH)) {
      const line = eventJsonLine(event);
      expect(line).not.toContain('\n');
      expect(JSON.parse(line)).toMatchObject({
        type: 'event',
        event_type: event.type,
        run_id: event.jobId,
        seq: event.seq,
      });
    }
    expect(JSON.parse(resultJsonLine({ type: 'other', status: 'completed' }))).toEqual({
      type: 'result',
      status: 'completed',
    });
  });
});
