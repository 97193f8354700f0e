import type { Json } from '../../domain/json.js';
import type { LinkedFunnel } from '../../domain/linked-funnel.js';
import { overBudget, sliceSize } from '../../govern/checks/slice-budget.js';
import { issueText } from '../../lib/json-pointer.js';
import { sha256Hex } from '../../lib/sha256.js';
import { misfits } from '../../prompts/rework.js';
import { correctionOf } from '../../prompts/turns.js';
import { textTask } from '../activation-call.js';
import { answerCheck, checkOutput, checkValue } from '../answer-check.js';
import type { AnswerCheck } from '../model-ask.js';
import { callModel, fallbackOf } from '../model-call.js';
import { isParked } from '../park.js';
import { outputText } from '../results.js';
import type { SchemaError } from '../services/run-ports.js';
import type { RunServices } from '../services.js';
import { verdictOf } from '../timed-verdict.js';
import type { CheckedDraft } from './layer-event.js';
import { layerEvent } from './layer-event.js';

type ValidateLayer = NonNullable<LinkedFunnel['validate']>;

/** Recorded: what the checks said, and what `autocorrect` made of the output. */
export type ValidateResult = {
  readonly passed: boolean;
  readonly critique: string | null;
  /** The draft as it goes on, in a list of one; [] = as it came. */
  readonly corrected: readonly Json[];
};

/**
 * The checks that need no opinion: schema, slice_budget, cited_change, all of them, so that one
 * retry can fix everything. When the schema alone is broken and a model wrote the draft, the model
 * is asked once for the places that do not fit, before a retry counts. A harness has no
 * conversation to go on with: there a retry is a new session.
 */
export async function runValidate(
  services: RunServices,
  of: { readonly funnel: LinkedFunnel; readonly validate: ValidateLayer },
  draft: CheckedDraft,
): Promise<ValidateResult> {
  const { funnel, validate } = of;
  const key = `${draft.key}/validate`;
  const outcome = await services.steps.scope<ValidateResult>(
    {
      key,
      kind: 'decision',
      identity: { funnel: funnel.id, layer: 'validate', content: sha256Hex(draft.text) },
      effects: 'none',
      onInDoubt: 'repeat',
      agentId: draft.activation.node.id,
      units: 0,
    },
    async () => {
      const value = await checkDraft(services, { validate, draft, key });
      const { passed, critique } = value;
      return {
        outcome: { status: 'ok', value },
        events: [layerEvent(draft, { funnelId: funnel.id, layer: 'validate', passed, critique })],
      };
    },
  );
  if (isParked(outcome)) throw new Error('a validation waits for nobody');
  return outcome.status === 'ok' ? outcome.value : { passed: false, critique: outcome.message, corrected: [] };
}

interface Check {
  readonly validate: ValidateLayer;
  readonly draft: CheckedDraft;
  readonly key: string;
}

async function checkDraft(services: RunServices, { validate, draft, key }: Check): Promise<ValidateResult> {
  const schema = await schemaCheck(services, { validate, draft, key });
  const others = await otherFaults(validate, draft);
  if (schema !== null && !schema.valid && others.length === 0 && canCorrect(validate, draft)) {
    const corrected = await correct(services, { validate, draft, key, errors: schema.errors });
    if (corrected !== null) return { passed: true, critique: null, corrected: [corrected.value] };
  }
  const faults = [...(schema === null || schema.valid ? [] : [misfits(linesOf(schema))]), ...others];
  return { passed: faults.length === 0, critique: faults.length === 0 ? null : faults.join('\n'), corrected: [] };
}

/**
 * Text is asked for the outermost JSON value in it, as everywhere
 * (docs/design/execution.md#output-schema).
 */
async function schemaCheck(
  services: RunServices,
  { validate: { schema }, draft: { output, activation }, key }: Check,
): Promise<AnswerCheck | null> {
  if (schema === null) return null;
  return verdictOf(services, { key: `${key}/fits`, agentId: activation.node.id, schema }, () =>
    checkOutput(services, schema, output),
  );
}

/** What does not depend on the schema; it is judged anew of a corrected draft. */
async function otherFaults(
  validate: ValidateLayer,
  draft: Pick<CheckedDraft, 'output' | 'text' | 'diff'>,
): Promise<readonly string[]> {
  return [
    ...(validate.sliceBudget === null ? [] : overBudget(validate.sliceBudget, sliceSize(draft))),
    ...(validate.citedChange ? await citations(draft) : []),
  ];
}

/** The one check that reads YAML, whose parser nothing else of a run needs. */
async function citations({ output, diff }: Pick<CheckedDraft, 'output' | 'diff'>): Promise<readonly string[]> {
  const { citationFaults } = await import('../../govern/checks/cited-change.js');
  return citationFaults(output, diff);
}

const linesOf = (check: Extract<AnswerCheck, { valid: false }>): string =>
  check.errors.map((error) => `- ${issueText(error)}`).join('\n');

/**
 * A field that must equal what a child reported cannot be judged here, where nothing is known of
 * the children.
 */
function canCorrect({ autocorrect }: ValidateLayer, { activation }: CheckedDraft): boolean {
  const { node } = activation;
  return (
    autocorrect && node.executor.kind === 'model' && !JSON.stringify(node.outputSchema ?? {}).includes('"x-equals"')
  );
}

/**
 * One more turn of the author: its task, its draft, and the places that do not fit. Null = it does
 * not fit now either.
 */
async function correct(
  services: RunServices,
  of: Check & { readonly errors: readonly SchemaError[] },
): Promise<{ readonly value: Json } | null> {
  const { validate, draft, key, errors } = of;
  const { node, task } = draft.activation;
  const model = services.snapshot.models[node.id];
  if (model === undefined || validate.schema === null) return null;
  const outcome = await callModel(services, {
    key: `${key}/t0`,
    agentId: node.id,
    skillId: null,
    purpose: 'correction',
    provider: model.provider,
    model: model.model,
    choice: node.model,
    ...fallbackOf(model),
    messages: [
      ...(node.systemPrompt === null ? [] : [{ role: 'system', parts: textTask(node.systemPrompt) } as const]),
      { role: 'user', parts: task },
      { role: 'assistant', parts: textTask(draft.text) },
      {
        role: 'user',
        parts: textTask(correctionOf(errors)),
      },
    ],
    tools: [],
    outputSchema: validate.schema,
    check: answerCheck(services, validate.schema),
    checkIsFinal: true,
    attempt: 1,
    corrections: 1,
    activation: draft.activation.key,
  });
  if (outcome.status === 'failed' || outcome.value.check?.valid !== true) return null;
  const { value } = outcome.value.check;
  const others = await otherFaults(validate, { output: value, text: outputText(value), diff: draft.diff });
  return (await fitsOwn(services, of, value)) && others.length === 0 ? { value } : null;
}

/** Whether a corrected draft still fits the schema of its author. */
async function fitsOwn(services: RunServices, { draft, key }: Check, value: Json): Promise<boolean> {
  const { id, outputSchema: schema } = draft.activation.node;
  if (schema === null) return true;
  const check = () => checkValue(services, { schema, value });
  return (await verdictOf(services, { key: `${key}/own`, agentId: id, schema }, check)).valid;
}
