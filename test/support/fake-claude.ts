import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/domain/json.js';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The program that plays Claude Code. */
export const FAKE_CLAUDE = at('./fake-claude.mjs');

/** The bundled adapter claude-code with another program in the place of `claude`. */
export function fakeClaudeSpec(): JsonObject {
  const { spec } = parse(readFileSync(at('../../plugins/harness/adapters/claude-code.yaml'), 'utf8')) as {
    readonly spec: JsonObject & { readonly launch: JsonObject & { readonly command: readonly string[] } };
  };
  const [, ...args] = spec.launch.command;
  return { ...spec, auth: {}, launch: { ...spec.launch, command: [process.execPath, FAKE_CLAUDE, ...args] } };
}

/** What a model that speaks in the fake program does, turn by turn. */
export type Turns = readonly (readonly JsonObject[])[];

/** The task that makes the fake program's model do these turns. */
export const scripted = (turns: Turns): string => `Do it. <<script>>${JSON.stringify(turns)}<<end>>`;

export const bash = (command: string, more: JsonObject = {}): JsonObject => ({
  call: 'Bash',
  input: { command },
  ...more,
});
