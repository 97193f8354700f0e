import type { Decision, PolicyProblem, PolicyWorkspace } from '@kit-run/kit/plugin';
import type { Facts } from './facts.js';

/** A file of the policy directory, as it was read. */
export interface PolicyFile {
  /** As people are shown it: relative to the workspace. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Policies that were parsed once and decide many times. */
export interface PolicySet {
  decide(facts: Facts, signal: AbortSignal): Decision | Promise<Decision>;
}

export type ParsedPolicies =
  | { readonly ok: true; readonly set: PolicySet }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

/**
 * Parses the files of one language. `workspace` null: nobody said yet what it has, so names cannot
 * be checked.
 */
export type ParsePolicies = (
  files: readonly PolicyFile[],
  workspace: PolicyWorkspace | null,
) => Promise<ParsedPolicies>;

export const deny = (reason: string): Decision => ({ verdict: 'deny', reason, needs: [] });

export const problem = (
  code: PolicyProblem['code'],
  path: string,
  message: string,
  more: { line?: number | null; help?: string | null } = {},
): PolicyProblem => ({
  code,
  path,
  line: more.line ?? null,
  message,
  help: more.help ?? null,
});

/**
 * What a parser or a server threw, in one line. The runtime of OPA throws texts, and objects with a
 * message.
 */
export function sentenceOf(error: unknown): string {
  const said = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return String(said).split('\n', 1)[0] ?? '';
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** null: the file is not UTF-8. */
export function textOf(file: PolicyFile): string | null {
  try {
    return decoder.decode(file.bytes);
  } catch {
    return null;
  }
}
