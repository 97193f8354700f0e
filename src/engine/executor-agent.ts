import type { OnInDoubt, StepOutcome } from '../domain/journal.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { Worktree } from '../domain/ports/system.js';
import type { ExecutorChoice } from '../domain/workspace.js';
import { type Activation, taskText } from './activation-call.js';
import { answerCheck, checkValue } from './answer-check.js';
import type { DraftCall, DraftEnd } from './drafts.js';
import { openSandbox } from './executor-sandbox.js';
import { type ExecutorValue, removeWorktree, runSession } from './executor-session.js';
import { historyText } from './history.js';
import type { AnswerCheck } from './model-call.js';
import type { ActivationValue } from './results.js';
import { numberOf, type RunServices } from './services.js';
import { failedEnd } from './step-ends.js';
import type { StepEnd } from './step-types.js';
import { stopAtBoundary } from './stop.js';

/** New full runs of a harness whose answer does not fit its schema (execution.md 5.6). */
const MAX_REDRAFTS = 2;

type ForeignExecutor = Exclude<ExecutorChoice, { kind: 'model' }>;

/**
 * One draft of an agent that a harness or a plugin's executor carries out: a step with an effect, a session in a throw-away
 * worktree, under the supervisor of the run. An answer that does not fit the schema is asked for again, with its errors, by a
 * session under the next number.
 */
export async function runExecutorAgent(services: RunServices, { activation, first, recalled = '' }: DraftCall): Promise<DraftEnd> {
  const { node } = activation;
  if (node.executor.kind === 'model') throw new Error('a model agent has no executor');
  const earlier = historyText(activation.history, numberOf(services.snapshot, 'KIT_HISTORY_TURNS'));
  const statement = withContract(
    `${recalled === '' ? '' : `${recalled}\n\n`}${earlier}${taskText(activation.task)}`,
    node.systemPrompt,
    node.outputSchema,
  );
  let corrections = '';
  for (let draft = first; ; draft += 1) {
    const ended = (end: StepEnd<ActivationValue>, diff: string | null = null): DraftEnd => ({ end, next: draft + 1, diff });
    if (draft > 0 && services.steps.rowOf(draftKey(activation, draft))?.outcome == null) await stopAtBoundary(services);
    const outcome = await executeDraft(services, { activation, executor: node.executor, draft, statement: statement + corrections });
    if (outcome.status === 'failed') return ended({ outcome });
    const { output, diff } = outcome.value;
    // Who may only read has not done its task when a file differs afterwards, whatever it says.
    if (activation.view !== undefined && diff !== '') return ended(failedEnd('files_changed', `${node.id} changed files, and may only read`));
    if (node.outputSchema === null) return ended(ok(output), diff);
    const check = await checkOutput(services, node.outputSchema, output);
    if (check.valid) return ended(ok(check.value), diff);
    const errors = check.errors.map((error) => `${error.pointer || '/'}: ${error.message}`);
    if (draft - first >= MAX_REDRAFTS)
      return ended(failedEnd('output_invalid', `the result does not fit the output schema after ${MAX_REDRAFTS} corrections`, { errors }));
    corrections = `\n\nThe last answer did not fit the schema. Correct only these places:\n- ${errors.join('\n- ')}`;
  }
}

const draftKey = (activation: Activation, draft: number): string => `${activation.key}/d${draft}/x`;

/** A session that ends with text is asked for one JSON value in it, like a model; text itself fits where the schema says text. */
async function checkOutput(services: RunServices, schema: JsonObject, output: Json): Promise<AnswerCheck> {
  const check = await checkValue(services, { schema, value: output, results: {} });
  return check.valid || typeof output !== 'string' ? check : answerCheck(services, schema, () => ({}))(output);
}

const ok = (output: Json): StepEnd<ActivationValue> => ({ outcome: { status: 'ok', value: { output } } });

/** What the session is told: its standing instructions, the task, and the schema of the answer when one is declared. */
function withContract(task: string, systemPrompt: string | null, schema: JsonObject | null): string {
  const prompt = systemPrompt === null ? '' : `${systemPrompt}\n\n`;
  const contract = schema === null ? '' : `\n\nEnd with one JSON value that fits this JSON Schema:\n${JSON.stringify(schema)}`;
  return `${prompt}${task}${contract}`;
}

interface Draft {
  readonly activation: Activation;
  readonly executor: ForeignExecutor;
  readonly draft: number;
  readonly statement: string;
}

async function executeDraft(services: RunServices, draft: Draft): Promise<StepOutcome<ExecutorValue>> {
  const { activation, executor } = draft;
  const key = draftKey(activation, draft.draft);
  let worktree: Worktree | null = null;
  const outcome = await services.steps.run<ExecutorValue>(
    {
      key,
      kind: 'harness',
      identity: { executor: executor.kind, ref: executor.ref, digest: services.snapshot.adapters[executor.ref]?.digest ?? null },
      effects: 'write',
      onInDoubt: executor.onInDoubt satisfies OnInDoubt,
      agentId: activation.node.id,
      units: 1,
    },
    async (context) => {
      const sandbox = await openSandbox(services, {
        key,
        config: executor.config,
        notes: context.notes,
        ...(activation.view === undefined ? {} : { view: activation.view }),
      });
      if (sandbox.kind === 'refused') return failedEnd(sandbox.reason, sandbox.message);
      worktree = sandbox.worktree;
      return runSession(services, { key, activation, executor, statement: draft.statement, context, sandbox });
    },
  );
  if (worktree !== null) {
    await services.steps.deps.session.flush();
    await removeWorktree(services, worktree);
  }
  return outcome;
}
