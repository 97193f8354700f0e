import type { ExecutorChoice } from '../domain/agent-node.js';
import { messageOf } from '../domain/errors.js';
import type { ExecutorResult } from '../domain/ports/executor.js';
import type { Worktree } from '../domain/ports/worktrees.js';
import type { RunSnapshot } from '../domain/snapshot.js';
import type { Activation } from './activation-call.js';
import { StepFailure } from './step-failure.js';

type Profile = 'files' | 'structured' | 'media';

/**
 * `artifacts.profile` of its adapter: which changed files are the work of the harness. `files`, the
 * default: all of them; `media`: images, sounds, films and PDF documents; `structured`: none, its
 * answer is all it leaves. What else lies in the worktree goes with it. Of who may only read every
 * change is wanted, since each is one too many.
 */
export function profileOf(
  { adapters }: Pick<RunSnapshot, 'adapters'>,
  { executor, activation }: { readonly executor: ExecutorChoice; readonly activation: Pick<Activation, 'view'> },
): Profile {
  if (executor.kind !== 'harness' || activation.view !== undefined) return 'files';
  const artifacts = adapters[executor.ref]?.spec.artifacts;
  const profile =
    typeof artifacts === 'object' && artifacts !== null && 'profile' in artifacts ? artifacts.profile : null;
  return profile === 'structured' || profile === 'media' ? profile : 'files';
}

/** A session whose changes cannot be read has not succeeded: its diff is part of its result. */
export async function withDiff(
  worktree: Worktree,
  result: ExecutorResult,
  profile: Profile,
): Promise<{ readonly result: ExecutorResult; readonly diff: string }> {
  try {
    return { result, diff: profile === 'structured' ? '' : await worktree.diff(profile) };
  } catch (error) {
    if (error instanceof StepFailure) throw error;
    if (result.status !== 'success') return { result, diff: '' };
    return {
      result: {
        ...result,
        status: 'failure',
        reason: 'diff_unreadable',
        message: messageOf(error),
      },
      diff: '',
    };
  }
}
