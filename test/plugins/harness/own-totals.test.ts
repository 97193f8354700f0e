import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conclude } from '../../../plugins/harness/src/interpret/conclude.js';
import { fold, INITIAL } from '../../../plugins/harness/src/interpret/fold.js';
import { interpretLine } from '../../../plugins/harness/src/interpret/line.js';
import { sinceEarlier } from '../../../plugins/harness/src/interpret/usage.js';
import { type Said, saysOf } from '../../../plugins/harness/src/verify/totals.js';
import type { Usage } from '../../../src/sdk/plugin.js';
import { adapterOf, bundledSpec, capture, exited } from './replay.js';

// What kit counts of each recorded session beside what the program itself says that its session
// used, which is read by other code: its subagents and its earlier processes included.

const ADAPTERS = { claude: 'claude-code', codex: 'codex', gemini: 'gemini-cli', opencode: 'opencode' } as const;
type Program = keyof typeof ADAPTERS;
/** Streams of programs that kit drives by another protocol; that one is compared below. */
const BY_ANOTHER_PROTOCOL = ['copilot', 'qwen'];

const used = (inputTokens: number, costUsd: number | null, cachedInputTokens = 0): Usage => ({
  ...{ inputTokens, outputTokens: inputTokens / 5, cachedInputTokens, reasoningTokens: 0, costUsd },
});
/** What earlier processes of the same session had used, where their program counts these too. */
const BEFORE: Readonly<Record<string, Usage>> = {
  'claude-2.1.329-deferred-resumed-allow.jsonl': used(100, 0.0008),
  'claude-2.1.329-deferred-resumed-deny.jsonl': used(100, 0.0008),
  'claude-2.1.329-deferred-resumed-with-prompt-two-results.jsonl': used(100, 0.0008),
  'codex-0.169.0-exec-resume.jsonl': used(100, null, 10),
};

/** What kit counts of this process. */
function counted(program: Program, file: string): Usage | null {
  const adapter = adapterOf(bundledSpec(ADAPTERS[program]));
  const state = capture(file)
    .flatMap((line) => interpretLine(adapter, line))
    .map((event) => (event.type === 'usage' ? sinceEarlier(event, BEFORE[file]) : event))
    .reduce((soFar, event) => fold(soFar, event).state, INITIAL);
  return conclude(adapter, state, { end: exited(0), breach: null, answers: null, model: '' }).usage;
}

/** What kit counts of this process and of those before it, in the words of the program. */
function ofSession(program: Program, file: string): Said {
  const now = counted(program, file);
  if (now === null) return { inputTokens: null, outputTokens: null, costUsd: null };
  const before = BEFORE[file] ?? used(0, now.costUsd === null ? null : 0);
  const costUsd = now.costUsd === null ? null : now.costUsd + (before.costUsd ?? 0);
  return {
    inputTokens: now.inputTokens + before.inputTokens,
    outputTokens: now.outputTokens + before.outputTokens,
    costUsd: costUsd === null ? null : Number(costUsd.toFixed(10)),
  };
}

const files = readdirSync(join(import.meta.dirname, '../../fixtures/harness')).filter((name) =>
  name.endsWith('.jsonl'),
);
const programOf = (file: string): string => file.split('-')[0] ?? '';
const cases = files.flatMap((file) => {
  const program = programOf(file);
  return program in ADAPTERS ? [[file, program as Program] as const] : [];
});

describe('what is counted of a recorded session', () => {
  it.each(cases)('is what its program says: %s', (file, program) => {
    const said = saysOf(program, capture(file).join('\n'));

    expect(ofSession(program, file)).toEqual({
      ...said,
      costUsd: said.costUsd === null ? null : Number(said.costUsd.toFixed(10)),
    });
  });

  it('is compared of every stream that was recorded', () => {
    const others = files.map(programOf).filter((program) => !(program in ADAPTERS));

    expect([...new Set(others)].sort()).toEqual(BY_ANOTHER_PROTOCOL);
    expect(Object.keys(BEFORE).filter((file) => !files.includes(file))).toEqual([]);
  });

  it('adds up over a park: the process before it, and the one that went on in the same session', () => {
    const [parked, gone] = ['claude-2.1.329-deferred.jsonl', 'claude-2.1.329-deferred-resumed-allow.jsonl'];

    expect(counted('claude', parked)).toEqual(BEFORE[gone]);
    expect(saysOf('claude', capture(gone).join('\n'))).toMatchObject({ inputTokens: 200, costUsd: 0.0016 });
  });

  it.each([
    ['that its session waits for', 'claude-2.1.332-subagent.jsonl', 300],
    ['that works while it goes on', 'claude-2.1.332-subagent-background.jsonl', 400],
  ])('holds the answers of a subagent %s, once', (_how, file, inputTokens) => {
    expect(counted('claude', file)).toMatchObject({ inputTokens, outputTokens: inputTokens / 5 });
  });
});
