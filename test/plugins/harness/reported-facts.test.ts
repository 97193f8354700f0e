import { describe, expect, it } from 'vitest';
import { adapterOf, bundledSpec, capture, exited, replay } from './replay.js';

const claude = adapterOf(bundledSpec('claude-code'));
const codex = adapterOf(bundledSpec('codex'));
const gemini = adapterOf(bundledSpec('gemini-cli'));
const opencode = adapterOf(bundledSpec('opencode'));

describe('a call', () => {
  it.each([
    ['claude-code', claude, 'claude-2.1.329-acceptEdits-write.jsonl', 1],
    ['codex', codex, 'codex-0.169.0-exec-workspace-write.jsonl', 1],
    ['gemini-cli', gemini, 'gemini-0.61.0-yolo-shell.jsonl', 1],
    ['opencode', opencode, 'opencode-1.18.33-bash-allowed.jsonl', 1],
  ])('of %s is told with its id, and its end says that it is one', (_id, adapter, file, calls) => {
    const reported = replay(adapter, capture(file)).events.filter((event) => event.type === 'tool_call');

    expect(reported.every((event) => typeof event.id === 'string')).toBe(true);
    expect(reported.filter((event) => event.ends !== true)).toHaveLength(calls);
    expect(new Set(reported.map((event) => event.id)).size).toBe(calls);
  });
});

describe('what a stream tells', () => {
  it('counts what subagents used once: a later result that used nothing tells the total of the session', () => {
    const lines = capture('claude-2.1.329-acceptEdits-write.jsonl');
    const last = JSON.parse(lines.findLast((line) => line.includes('"type":"result"')) ?? '{}');
    const background = { ...last, result_index: 1, model_usage_since_last_result: {} };

    const { usage } = replay(claude, [...lines, JSON.stringify(background)]).result;

    expect(usage).toMatchObject({ inputTokens: 200, outputTokens: 40, costUsd: 0.0016 });
  });

  it('knows that a session which never reached a model cost nothing', () => {
    expect(replay(claude, capture('claude-2.1.329-api-error.jsonl'), exited(1)).result.usage).toMatchObject({
      inputTokens: 0,
      costUsd: 0,
    });
  });

  it('tells program version and model', () => {
    expect(replay(claude, capture('claude-2.1.329-acceptEdits-write.jsonl')).result.program).toEqual({
      version: '2.1.329',
      model: expect.stringContaining('claude-opus'),
    });
    expect(replay(gemini, capture('gemini-0.61.0-hello.jsonl')).result.program).toEqual({
      version: null,
      model: expect.any(String),
    });
    expect(replay(opencode, capture('opencode-1.18.33-hello.jsonl')).result.program).toBeUndefined();
  });

  it('names the call that was refused', () => {
    expect(replay(claude, capture('claude-2.1.329-default-denied.jsonl')).result.message).toMatch(
      /Write \{"file_path"/,
    );
  });
});
