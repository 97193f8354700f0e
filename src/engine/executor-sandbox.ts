import type { ExecutorChoice } from '../domain/agent-node.js';
import { isKitError } from '../domain/errors.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { Worktree } from '../domain/ports/worktrees.js';
import { maybeTextAt, textsAt } from '../lib/read-json.js';
import { INTERRUPTED } from '../prompts/harness.js';
import type { Activation } from './activation-call.js';
import type { RunServices } from './services.js';
import type { StepSpec } from './step-types.js';

/** Whose session it is: a harness, or a plugin's executor. */
export interface SessionOwner {
  /** Key of the step. */
  readonly key: string;
  readonly activation: Activation;
  readonly executor: Exclude<ExecutorChoice, { kind: 'model' }>;
}

/** The step of one session; `goesOn`: what else it is identified by. */
export const sessionStep = (
  services: RunServices,
  { key, activation, executor }: SessionOwner,
  goesOn: JsonObject = {},
): StepSpec => ({
  key,
  kind: 'harness',
  identity: {
    executor: executor.kind,
    ref: executor.ref,
    digest: services.snapshot.adapters[executor.ref]?.digest ?? null,
    ...goesOn,
  },
  effects: 'write',
  onInDoubt: executor.onInDoubt,
  agentId: activation.node.id,
  units: 1,
});

export type Sandbox =
  | {
      readonly kind: 'open';
      readonly worktree: Worktree;
      /** Session of the attempt before, when its worktree is still there; null = start anew. */
      readonly resumeToken: string | null;
      /** What a takeover could not keep; null = nothing was lost. */
      readonly lost: string | null;
    }
  | { readonly kind: 'refused'; readonly reason: string; readonly message: string };

/**
 * A throw-away worktree for one session, or the one that a crashed attempt left on this host: then
 * the same session goes on in it. Elsewhere, or when it is gone, the session starts anew and says
 * what was lost (docs/design/journal.md#harness-sessions).
 */
export async function openSandbox(
  services: RunServices,
  { key, activation: { view }, executor: { config } }: SessionOwner,
  notes: Readonly<Record<string, Json>>,
): Promise<Sandbox> {
  const earlier = await reopen(services, notes);
  if (earlier !== null)
    return { kind: 'open', worktree: earlier, resumeToken: maybeTextAt(notes, 'session'), lost: null };
  try {
    const worktree = await services.worktrees.create({
      jobId: services.jobId,
      stepKey: key,
      repository: services.workspaceRoot,
      includeUncommitted: config.include_uncommitted === true,
      link: textsAt(config, 'link'),
      ...(view === undefined ? {} : { view }),
    });
    return { kind: 'open', worktree, resumeToken: null, lost: maybeTextAt(notes, 'worktree') };
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { kind: 'refused', reason: 'sandbox_unavailable', message: error.message };
  }
}

async function reopen(services: RunServices, notes: Readonly<Record<string, Json>>): Promise<Worktree | null> {
  const path = maybeTextAt(notes, 'worktree');
  const baseCommit = maybeTextAt(notes, 'base_commit');
  if (path === null || baseCommit === null) return null;
  return services.worktrees.reopen(path, baseCommit);
}

/** `resume.prompt` of an adapter: what a session is told that was cut off. */
export function resumePrompt({ resume }: JsonObject): string {
  const prompt = typeof resume === 'object' && resume !== null && 'prompt' in resume ? resume.prompt : null;
  return typeof prompt === 'string' ? prompt : INTERRUPTED;
}

/** True for an adapter that hands a session back to its program, by its command line or by ACP. */
export function canResume(spec: JsonObject): boolean {
  const { stream } = spec;
  if (typeof stream === 'object' && stream !== null && 'format' in stream && stream.format === 'acp') return true;
  const text = JSON.stringify([spec.resume ?? null, spec.launch ?? null]);
  return text.includes('{resume.token}');
}
