import { describe, expect, it } from 'vitest';
import { adapterOf, bundledSpec, capture, exited, replay } from './replay.js';

const claude = adapterOf(bundledSpec('claude-code'));
const codex = adapterOf(bundledSpec('codex'));
const gemini = adapterOf(bundledSpec('gemini-cli'));
const opencode = adapterOf(bundledSpec('opencode'));

describe('claude-code', () => {
  it('takes a finished session as success, with its answer, calls, session and usage', () => {
    const { events, result, state } = replay(claude, capture('claude-2.1.329-acceptEdits-write.jsonl'));

    expect(result).toMatchObject({ status: 'success', reason: null, output: 'Final answer from mock.' });
    expect(result.usage).toEqual({
      inputTokens: 200,
      outputTokens: 40,
      cachedInputTokens: 0,
      reasoningTokens: 0,
      costUsd: 0.0016,
    });
    expect(events.filter((event) => event.type === 'session')).toHaveLength(1);
    expect(events.filter((event) => event.type === 'tool_call').map((event) => [event.tool, event.status])).toEqual([
      ['Write', ''],
      ['Write', 'ok'],
    ]);
    expect(state.turns).toBe(2);
    expect(state.openCalls).toEqual({});
  });

  it('asks for approval where a denial left exit 0 and is_error false', () => {
    const { result, events } = replay(claude, capture('claude-2.1.329-default-denied.jsonl'));

    expect(result).toMatchObject({ status: 'needs_approval', reason: 'approval_requested' });
    expect(result.message).toContain('Write');
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool_call', tool: 'Write', status: 'error' }));
  });

  it('takes an API error as failure though its subtype says success', () => {
    const { result } = replay(claude, capture('claude-2.1.329-api-error.jsonl'), exited(1));

    expect(result).toMatchObject({
      status: 'failure',
      reason: 'api_error',
      message: 'API Error: 400 mock failure',
      exitCode: 1,
    });
  });

  it.each([
    ['claude-2.1.329-max-turns.jsonl', 'max_turns', { inputTokens: 100, outputTokens: 20, costUsd: 0.0008 }],
    ['claude-2.1.329-max-budget.jsonl', 'max_cost', { inputTokens: 100, outputTokens: 20, costUsd: 0.0008 }],
  ])('reads %s as a spent budget with what it used', (file, reason, usage) => {
    const { result } = replay(claude, capture(file), exited(1));

    expect(result).toMatchObject({ status: 'budget_exceeded', reason, usage });
  });

  it('names an unknown session', () => {
    const { result } = replay(claude, capture('claude-2.1.329-bad-resume.jsonl'), exited(1));

    expect(result).toMatchObject({ status: 'failure', reason: 'error_during_execution' });
    expect(result.message).toContain('No conversation found');
  });

  it.each(['claude-2.1.329-deferred.jsonl', 'claude-2.1.197-deferred.jsonl'])(
    'takes the deferred tool of %s as a question, not as success',
    (file) => {
      const { result } = replay(claude, capture(file));

      expect(result).toMatchObject({ status: 'needs_approval', reason: 'tool_deferred' });
    },
  );

  it('lets the last of two results hold and adds up what each used', () => {
    const { result } = replay(claude, capture('claude-2.1.329-deferred-resumed-with-prompt-two-results.jsonl'));

    expect(result).toMatchObject({ status: 'success', output: 'Final answer from mock.' });
    expect(result.usage).toMatchObject({ inputTokens: 200, outputTokens: 40 });
    expect(result.usage?.costUsd).toBeCloseTo(0.0016, 10);
  });

  it('does not charge a resumed session for what earlier processes cost', () => {
    expect(replay(claude, capture('claude-2.1.329-deferred-resumed-allow.jsonl')).result.usage?.costUsd).toBeCloseTo(
      0.0008,
      10,
    );
    expect(replay(claude, capture('claude-2.1.197-deferred-resumed-allow.jsonl')).result.usage?.costUsd).toBeCloseTo(
      0.001,
      10,
    );
  });

  it('finds the session where init is not the first event', () => {
    const lines = capture('claude-2.1.329-deferred-resumed-allow.jsonl');

    const { events } = replay(claude, lines);

    expect(JSON.parse(lines[0] ?? '{}').subtype).not.toBe('init');
    expect(events.find((event) => event.type === 'session')).toEqual({
      type: 'session',
      sessionId: JSON.parse(lines[0] ?? '{}').session_id,
    });
  });

  it('ignores the pieces of a partial stream and reads its messages once', () => {
    const { events } = replay(claude, capture('claude-2.1.329-partial-messages.jsonl'));

    expect(events.filter((event) => event.type === 'message')).toEqual([
      { type: 'message', role: 'assistant', text: 'Final answer from mock.' },
    ]);
  });

  it('takes a stream cut before its result as failure although the exit code is 0', () => {
    const { result } = replay(claude, capture('claude-2.1.329-acceptEdits-write.jsonl').slice(0, -1), exited(0));

    expect(result).toMatchObject({ status: 'failure', reason: 'no_terminal_event' });
  });

  it('counts the blocks of one message as one turn', () => {
    const { state } = replay(claude, capture('claude-2.1.329-max-turns.jsonl'), exited(1));

    expect(state.turns).toBe(1);
  });
});

describe('codex', () => {
  it('takes turn.completed as success, the last message as answer and warnings as no failure', () => {
    const { result, events } = replay(codex, capture('codex-0.169.0-exec-workspace-write.jsonl'));

    expect(result).toMatchObject({ status: 'success', output: 'Final answer from mock.' });
    expect(result.usage).toEqual({
      inputTokens: 200,
      outputTokens: 40,
      cachedInputTokens: 20,
      reasoningTokens: 0,
      costUsd: null,
    });
    expect(events.filter((event) => event.type === 'tool_call').map((event) => event.status)).toEqual(['', 'ok']);
    expect(events[0]).toEqual({ type: 'session', sessionId: '01a1fc13-7527-7d31-bc30-13c0b0aa2340' });
  });

  it('takes turn.failed as failure with its message', () => {
    const { result } = replay(codex, capture('codex-0.169.0-exec-api-error.jsonl'), exited(1));

    expect(result).toMatchObject({ status: 'failure', reason: 'turn_failed' });
    expect(result.message).toContain('mock failure');
  });
});

describe('gemini-cli', () => {
  it('joins the pieces of an answer and takes the last message as output', () => {
    const { result, events } = replay(gemini, capture('gemini-0.61.0-yolo-shell.jsonl'));

    expect(result).toMatchObject({
      status: 'success',
      output: 'Final answer from mock.',
      usage: { inputTokens: 200, outputTokens: 40, costUsd: null },
    });
    expect(events.map((event) => event.type)).toEqual(['session', 'message', 'tool_call', 'tool_call', 'message']);
    expect(events.filter((event) => event.type === 'tool_call').map((event) => event.tool)).toEqual([
      'run_shell_command',
      'run_shell_command',
    ]);
  });

  it('reports a failed model call with the type and text of its error', () => {
    const { result } = replay(gemini, capture('gemini-0.61.0-api-error.jsonl'), exited(144));

    expect(result).toMatchObject({ status: 'failure', reason: 'unknown', exitCode: 144 });
    expect(result.message).toContain('mock failure');
  });

  it('has no success after exit 0 without a result', () => {
    const { result } = replay(gemini, capture('gemini-0.61.0-hello.jsonl').slice(0, -1), exited(0));

    expect(result).toMatchObject({ status: 'failure', reason: 'no_terminal_event' });
  });
});

describe('opencode', () => {
  it('takes a step that ends with stop as the end and adds up the tokens of all steps', () => {
    const { result, state } = replay(opencode, capture('opencode-1.18.33-bash-allowed.jsonl'));

    expect(result).toMatchObject({
      status: 'success',
      output: 'Final answer from mock.',
      usage: { inputTokens: 200, outputTokens: 40, costUsd: 0 },
    });
    expect(state.turns).toBe(2);
  });

  it('does not take an auto-rejected permission with exit 0 as success', () => {
    const { result } = replay(opencode, capture('opencode-1.18.33-bash-ask-autorejected.jsonl'), exited(0));

    expect(result).toMatchObject({
      status: 'needs_approval',
      reason: 'approval_requested',
      message: expect.stringContaining('bash {"command":"touch made-by-bash.txt && echo hi"'),
    });
  });

  it('reports an API error', () => {
    const { result } = replay(opencode, capture('opencode-1.18.33-api-error.jsonl'), exited(1));

    expect(result).toMatchObject({ status: 'failure', reason: 'APIError', message: 'mock failure' });
  });
});
