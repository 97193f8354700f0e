import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/domain/json.js';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The program that plays Codex. */
export const FAKE_CODEX = at('./fake-codex.mjs');

/** The bundled adapter codex with another program in the place of `codex`. */
export function fakeCodexSpec(): JsonObject {
  const { spec } = parse(readFileSync(at('../../plugins/harness/adapters/codex.yaml'), 'utf8')) as {
    readonly spec: JsonObject & { readonly launch: JsonObject & { readonly command: readonly string[] } };
  };
  const [, ...args] = spec.launch.command;
  return { ...spec, auth: {}, launch: { ...spec.launch, command: [process.execPath, FAKE_CODEX, ...args] } };
}

/** A patch that adds files, each with one line. */
export const patch = (...paths: readonly string[]): JsonObject => ({
  call: 'apply_patch',
  input: {
    command: `*** Begin Patch\n${paths.map((path) => `*** Add File: ${path}\n+n\n`).join('')}*** End Patch\n`,
  },
});
