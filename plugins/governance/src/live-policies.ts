import { isAbsolute, join } from 'node:path';
import { type Clock, type Decision, isKitError, type PolicyProblem, type PolicyWorkspace } from '@kit-run/kit/plugin';
import type { Facts } from './facts.js';
import { digestOf, type PolicyFolder, type PolicyLanguage, readPolicyFiles, stampOf } from './policy-files.js';
import { type ParsedPolicies, type PolicyFile, problem, sentenceOf } from './policy-set.js';

/**
 * How long a look at the folder holds: a policy that was changed decides from then on, within a
 * second.
 */
const LOOK_MS = 1000;

export interface LiveOptions {
  /** As written: absolute, or relative to the workspace. */
  readonly policiesDir: string;
  readonly language: PolicyLanguage;
  readonly clock: Pick<Clock, 'now'>;
  readonly parse: (files: readonly PolicyFile[], workspace: PolicyWorkspace | null) => Promise<ParsedPolicies>;
}

interface Loaded {
  readonly stamp: string | null;
  readonly digest: string;
  readonly parsed: ParsedPolicies;
  lookedAt: number;
}

/**
 * Policies of a folder: read and parsed when they are first needed, and again when the files
 * changed.
 */
export interface LivePolicies {
  check(workspace: PolicyWorkspace): Promise<readonly PolicyProblem[]>;
  decide(facts: Facts, signal: AbortSignal): Promise<Decision>;
}

/**
 * Policies that cannot be used decide nothing but denials, also while a run is under way (fail
 * closed).
 */
export function livePolicies(options: LiveOptions): LivePolicies {
  let workspace: PolicyWorkspace | null = null;
  let loaded: Loaded | null = null;
  let loading: Promise<Loaded> | null = null;

  const folderOf = (): PolicyFolder | null => {
    const { policiesDir, language } = options;
    if (isAbsolute(policiesDir)) return { directory: policiesDir, root: workspace?.root ?? null, language };
    return workspace === null ? null : { directory: join(workspace.root, policiesDir), root: workspace.root, language };
  };

  const current = async (): Promise<Loaded> => {
    const now = options.clock.now();
    if (loaded !== null && now - loaded.lookedAt < LOOK_MS && now >= loaded.lookedAt) return loaded;
    loading ??= refresh(loaded).finally(() => {
      loading = null;
    });
    return loading;
  };

  const refresh = async (before: Loaded | null): Promise<Loaded> => {
    const lookedAt = options.clock.now();
    const folder = folderOf();
    const stamp = folder === null ? null : await stampOf(folder);
    if (before !== null && stamp !== null && stamp === before.stamp) {
      before.lookedAt = lookedAt;
      return before;
    }
    loaded = { stamp, lookedAt, ...(await load(folder)) };
    return loaded;
  };

  const load = async (folder: PolicyFolder | null): Promise<Pick<Loaded, 'digest' | 'parsed'>> => {
    const unusable = (message: string) => ({
      digest: '',
      parsed: { ok: false, problems: [missing(message)] } as const,
    });
    const missing = (message: string): PolicyProblem =>
      problem('policy.missing', options.policiesDir, message, {
        help: `write a ${options.language} policy there, or correct \`policies_dir\``,
      });
    if (folder === null) return unusable('the policies were not read yet');
    try {
      const files = await readPolicyFiles(folder);
      if (files.length === 0) return unusable(`the directory holds no ${options.language} policy`);
      return { digest: digestOf(files), parsed: await options.parse(files, workspace) };
    } catch (error) {
      // No problem of a policy: a package is missing.
      if (isKitError(error)) throw error;
      return unusable(`the policies cannot be read: ${whyUnread(error)}`);
    }
  };

  return {
    check: async (of) => {
      const isKnown = workspace !== null && JSON.stringify(workspace) === JSON.stringify(of);
      workspace = of;
      // Other names make other problems of the same text.
      if (!isKnown) loaded = null;
      else if (loaded !== null) loaded.lookedAt = Number.NEGATIVE_INFINITY;
      const { parsed } = await current();
      return parsed.ok ? [] : parsed.problems;
    },
    decide: async (facts, signal) => {
      const { parsed, digest } = await current();
      if (parsed.ok) return { ...(await parsed.set.decide(facts, signal)), policyDigest: digest };
      const [first] = parsed.problems;
      return {
        verdict: 'deny',
        reason: `the policies cannot be used: ${first?.path ?? ''}: ${first?.message ?? 'unknown'}`,
        needs: [],
      };
    },
  };
}

/**
 * The words of the system name the path on this machine, and agents and callers read this reason.
 */
function whyUnread(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException; // a thrown value that is none has no code
  if (typeof code !== 'string') return sentenceOf(error);
  return code === 'ENOENT' ? 'there is no such directory' : code;
}
