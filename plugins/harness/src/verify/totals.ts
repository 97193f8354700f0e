import { isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';
import type { UsageReport } from '../interpret/mapped-event.js';
import { addNumbers } from '../interpret/usage.js';

/** In which of its lines a program says what it used. */
export type Says = 'claude' | 'codex' | 'opencode' | 'gemini' | 'acp';

/** What a program says that it used; null: it does not say. */
export type Said = Pick<UsageReport, 'inputTokens' | 'outputTokens' | 'costUsd'>;

const NOTHING: Said = { inputTokens: null, outputTokens: null, costUsd: null };

/** The totals of what one process printed, read without anything that kit reads its stream by. */
export function saysOf(says: Says, raw: string): Said {
  const lines = raw.split('\n').flatMap((line) => {
    try {
      const value: Json = JSON.parse(line);
      return isObject(value) ? [value] : [];
    } catch {
      return [];
    }
  });
  return lines.reduce<Said>((said, line) => READERS[says](said, line), NOTHING);
}

const added = (said: Said, input: number, output: number | null | undefined): Partial<Said> => ({
  inputTokens: addNumbers(said.inputTokens, input),
  outputTokens: addNumbers(said.outputTokens, output ?? null),
});

const READERS: Readonly<Record<Says, (said: Said, line: JsonObject) => Said>> = {
  // Model by model, of the whole session: `usage` beside it leaves out what subagents used.
  claude: (said, line) => {
    if (line.type !== 'result') return said;
    const models = Object.values(isObject(line.modelUsage) ? line.modelUsage : {}).filter(isObject);
    const sum = (name: string): number => models.reduce((all, model) => all + (numberAt(model, name) ?? 0), 0);
    return {
      inputTokens: sum('inputTokens'),
      outputTokens: sum('outputTokens'),
      costUsd: numberAt(line, 'total_cost_usd'),
    };
  },
  codex: (said, line) =>
    line.type !== 'turn.completed'
      ? said
      : {
          inputTokens: numberAt(line, 'usage', 'input_tokens'),
          outputTokens: numberAt(line, 'usage', 'output_tokens'),
          costUsd: null,
        },
  opencode: (said, line) =>
    line.type !== 'step_finish'
      ? said
      : {
          inputTokens: addNumbers(said.inputTokens, numberAt(line, 'part', 'tokens', 'input')),
          outputTokens: addNumbers(said.outputTokens, numberAt(line, 'part', 'tokens', 'output')),
          costUsd: addNumbers(said.costUsd, numberAt(line, 'part', 'cost')),
        },
  gemini: (said, line) =>
    line.type !== 'result'
      ? said
      : {
          inputTokens: numberAt(line, 'stats', 'input_tokens'),
          outputTokens: numberAt(line, 'stats', 'output_tokens'),
          costUsd: null,
        },
  acp: (said, line) => {
    const cost = numberAt(line, 'params', 'update', 'cost', 'amount');
    const input =
      numberAt(line, 'result', 'usage', 'inputTokens') ??
      numberAt(line, 'result', '_meta', 'quota', 'token_count', 'input_tokens');
    const output =
      numberAt(line, 'result', 'usage', 'outputTokens') ??
      numberAt(line, 'result', '_meta', 'quota', 'token_count', 'output_tokens');
    // Told answer by answer, by a program that says nothing of the prompt.
    const answers = 'params update _meta usage'.split(' ');
    const [answerIn, answerOut] = ['inputTokens', 'outputTokens'].map((name) => numberAt(line, ...answers, name));
    if (typeof answerIn === 'number') return { ...said, ...added(said, answerIn, answerOut) };
    return {
      inputTokens: addNumbers(said.inputTokens, input),
      outputTokens: addNumbers(said.outputTokens, output),
      costUsd: cost ?? said.costUsd,
    };
  },
};

function numberAt(line: JsonObject, ...path: readonly string[]): number | null {
  let value: Json | undefined = line;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return typeof value === 'number' ? value : null;
}
