import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/domain/json.js';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The program that plays an agent that speaks ACP. */
export const FAKE_ACP = at('./fake-acp.mjs');

/** The bundled adapter opencode-acp with another program in the place of `opencode`. */
export const fakeAcpSpec = (...flags: readonly string[]): JsonObject => fakeAcpOf('opencode-acp', ...flags);

/** A bundled adapter of a program that speaks ACP, with another in its place. */
export function fakeAcpOf(id: string, ...flags: readonly string[]): JsonObject {
  const { spec } = parse(readFileSync(at(`../../plugins/harness/adapters/${id}.yaml`), 'utf8')) as {
    readonly spec: JsonObject & { readonly launch: JsonObject };
  };
  return { ...spec, auth: {}, launch: { ...spec.launch, command: [process.execPath, FAKE_ACP, ...flags] } };
}

/** A command that the fake program's model asks for. */
export const execute = (command: string, more: JsonObject = {}): JsonObject => ({
  call: 'execute',
  input: { command },
  ...more,
});

/** An edit of a file that it asks for. */
export const edit = (filepath: string, more: JsonObject = {}): JsonObject => ({
  call: 'edit',
  input: { filepath, content: 'n\n' },
  ...more,
});
