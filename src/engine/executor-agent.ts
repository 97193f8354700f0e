import { isLoginOver } from '../domain/consent.js';
import type { StepOutcome } from '../domain/journal.js';
import type { Json } from '../domain/json.js';
import type { Worktree } from '../domain/ports/worktrees.js';
import { issueText } from '../lib/json-pointer.js';
import type { Activation } from './activation-call.js';
import { checkEvents, checkOutput, MAX_CORRECTIONS, outputInvalid } from './answer-check.js';
import type { DraftCall, DraftEnd } from './drafts.js';
import type { ExecutorValue } from './executor-end.js';
import { openSandbox, type SessionOwner, sessionStep } from './executor-sandbox.js';
import { removeWorktree, runSession } from './executor-session.js';
import { hasLaunches } from './harness/has-gateway.js';
import type { GatedDraft } from './harness/launch.js';
import { historyText, requestText } from './history.js';
import { isParked, type Parked } from './park.js';
import type { ActivationValue } from './results.js';
import type { RunServices } from './services.js';
import { failedEnd } from './step-ends.js';
import type { StepEnd } from './step-types.js';
import { stopAtBoundary } from './stop.js';
import { isTimed } from './timed-verdict.js';
import { Unfinished } from './unfinished.js';

/**
 * One draft of an agent that a harness or a plugin's executor carries out: a step with an effect, a
 * session in a throw-away worktree, under the supervisor of the run. An answer that does not fit
 * the schema is asked for again, with its errors, by a session under the next number.
 */
export async function runExecutorAgent(
  services: RunServices,
  { activation, first, recalled = '', activate }: DraftCall,
): Promise<DraftEnd> {
  const { node } = activation;
  if (node.executor.kind === 'model') throw new Error('a model agent has no executor');
  const earlier = historyText(services.snapshot, activation.history);
  const { contract, sessionCorrection } = await import('../prompts/harness.js');
  const statement = withContract(
    `${recalled === '' ? '' : `${recalled}\n\n`}${earlier}${requestText(services.snapshot, activation)}`,
    node.systemPrompt,
    node.outputSchema === null ? '' : contract(JSON.stringify(node.outputSchema)),
  );
  let corrections: string | null = null;
  let worktree: Worktree | null = null;
  for (let draft = first; ; draft += 1) {
    const ended = async (end: StepEnd<ActivationValue>, diff: string | null = null): Promise<DraftEnd> => {
      if (worktree !== null) await removeWhenDurable(services, worktree);
      return { end, next: draft + 1, diff };
    };
    if (draft > 0 && services.steps.rowOf(draftKey(activation, draft))?.outcome == null) await stopAtBoundary(services);
    const attempt = draft - first;
    const outcome = await executeDraft(services, {
      activation,
      activate,
      executor: node.executor,
      draft,
      attempt,
      statement: statement + (corrections ?? ''),
      further: corrections?.trim() ?? null,
      opened: (one) => {
        worktree = one;
      },
    });
    if (isParked(outcome)) return { end: outcome, next: draft + 1, diff: null };
    // Its step has this end; the run has it too, before another agent is asked about the task.
    if (outcome.status === 'failed' && isLoginOver(outcome.reason)) {
      await ended({ outcome });
      throw new Unfinished(outcome.reason, outcome.message);
    }
    if (outcome.status === 'failed') return ended({ outcome });
    const { output, diff } = outcome.value;
    // Who may only read has not done its task when a file differs afterwards, whatever it says.
    if (activation.view !== undefined && diff !== '')
      return ended(failedEnd('files_changed', `${node.id} changed files, and may only read`));
    if (node.outputSchema === null) return ended(ok(output), diff);
    const check = outcome.value.check ?? (await checkOutput(services, node.outputSchema, output));
    if (check.valid) return ended(ok(check.value), diff);
    if (attempt >= MAX_CORRECTIONS) return ended(outputInvalid(check.errors));
    const errors = check.errors.map(issueText);
    corrections = `\n\n${sessionCorrection(errors)}`;
  }
}

/** The log tells of the check in the commit of the session, as it does with a model's answer. */
async function withCheck(
  services: RunServices,
  { activation, attempt }: Draft,
  end: StepEnd<ExecutorValue>,
): Promise<StepEnd<ExecutorValue>> {
  const { id, outputSchema } = activation.node;
  if (end.outcome.status === 'failed' || outputSchema === null) return end;
  const { value } = end.outcome;
  const check = await checkOutput(services, outputSchema, value.output);
  const outcome: typeof end.outcome = isTimed(outputSchema)
    ? { status: 'ok', value: { ...value, check } }
    : end.outcome;
  const answer = { agentId: id, skillId: null, attempt, corrections: MAX_CORRECTIONS };
  return { ...end, outcome, events: [...(end.events ?? []), ...checkEvents(answer, check)] };
}

const draftKey = (activation: Activation, draft: number): string => `${activation.key}/d${draft}/x`;

const ok = (output: Json): StepEnd<ActivationValue> => ({ outcome: { status: 'ok', value: { output } } });

/**
 * What the session is told: its standing instructions, the task, and the schema of the answer when
 * one is declared.
 */
function withContract(task: string, systemPrompt: string | null, end: string): string {
  const prompt = systemPrompt === null ? '' : `${systemPrompt}\n\n`;
  return `${prompt}${task}${end === '' ? '' : `\n\n${end}`}`;
}

interface Draft extends Pick<GatedDraft, 'activation' | 'activate' | 'statement'> {
  readonly executor: SessionOwner['executor'];
  readonly draft: number;
  /** Corrections that its draft has had. */
  readonly attempt: number;
  /** What is corrected, for a session that knows the rest; null = nothing yet. */
  readonly further: string | null;
  /** Called with the worktree, which stays until the last correction. */
  readonly opened: (worktree: Worktree) => void;
}

async function removeWhenDurable(services: RunServices, worktree: Worktree): Promise<void> {
  await services.steps.deps.session.flush();
  await removeWorktree(services, worktree);
}

async function executeDraft(services: RunServices, draft: Draft): Promise<StepOutcome<ExecutorValue> | Parked> {
  const { activation, executor, activate } = draft;
  const key = draftKey(activation, draft.draft);
  // A session that began before kit gave its program tools goes on without them.
  const isOfBefore = services.steps.rowOf(key) !== undefined;
  if (executor.kind === 'harness' && !isOfBefore && hasLaunches(services, activation.node)) {
    // A run without a gate and tools never loads what holds them.
    const { runLaunches } = await import('./harness/launches.js');
    return runLaunches(services, {
      activation,
      activate,
      executor,
      key: `${activation.key}/d${draft.draft}`,
      before: draft.attempt === 0 ? null : `${activation.key}/d${draft.draft - 1}`,
      statement: draft.statement,
      further: draft.further,
      opened: draft.opened,
      finish: (end) => withCheck(services, draft, end),
    });
  }
  // A correction goes on in the worktree and the session of the answer that it corrects.
  const before = draft.attempt === 0 ? undefined : services.steps.rowOf(draftKey(activation, draft.draft - 1));
  const owner = { key, activation, executor };
  return services.steps.run<ExecutorValue>(sessionStep(services, owner), async (context) => {
    const sandbox = await openSandbox(services, owner, { ...before?.notes, ...context.notes });
    if (sandbox.kind === 'refused') return failedEnd(sandbox.reason, sandbox.message);
    draft.opened(sandbox.worktree);
    const end = await runSession(services, {
      ...owner,
      statement: draft.statement,
      // Cut off itself, it was told already what to correct.
      further: context.attempt > 1 ? null : draft.further,
      context,
      sandbox,
    });
    return withCheck(services, draft, end);
  });
}
