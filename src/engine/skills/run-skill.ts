import { isLoginOver } from '../../domain/consent.js';
import type { EventPayloads } from '../../domain/generated/events.js';
import type { StepOutcome } from '../../domain/journal.js';
import type { Json } from '../../domain/json.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import { isDeeper } from '../../lib/is-deeper.js';
import { issueText } from '../../lib/json-pointer.js';
import { checkValue } from '../answer-check.js';
import { authorizeSkill } from '../authorize.js';
import { compressEnd } from '../compress/compress-result.js';
import { forModel, resultLimit, shorten } from '../compress/headtail.js';
import { refOf } from '../compress/ref.js';
import { isParked, type Parked } from '../park.js';
import { type Permitted, withPermission } from '../permission.js';
import { needsOf } from '../results.js';
import type { RunServices } from '../services.js';
import type { StepEnd } from '../step-types.js';
import { verdictOf } from '../timed-verdict.js';
import { Unfinished } from '../unfinished.js';
import { carryOut, type Finish, waitFor } from './carry-out.js';
import { deniedEvents, ofServer } from './denied-events.js';
import { grantElevated, type NotGranted } from './elevate.js';
import { orAskPerson } from './escalate.js';
import { executedEvent } from './executed-event.js';
import { toolIdentity } from './mcp-tool.js';
import { type PreparedCall, prepareCall } from './prepare-call.js';
import type { SkillCall, SkillResult } from './skill-call.js';
import { isToolSkill } from './tool-facts.js';
import { type ToolValue, tooDeep } from './tool-result.js';

type SkillValue = ToolValue;

/**
 * One call of a skill: its step, then, where the skill says so, a person who answers for what
 * failed.
 */
export async function runSkill(services: RunServices, asked: SkillCall): Promise<SkillResult | Parked> {
  const prepared = await prepareCall(services, asked);
  const outcome = await callSkill(services, prepared);
  // Its step has this end; the run has it too, before a model or a person is asked about the call.
  if (!isParked(outcome) && outcome.status === 'failed' && isLoginOver(outcome.reason))
    throw new Unfinished(outcome.reason, outcome.message);
  const answered = isParked(outcome) ? outcome : await orAskPerson(services, prepared.call, outcome);
  if (isParked(answered)) return answered;
  // What a person says in its place does not come from the tool.
  return {
    ...resultOf(services, prepared.call, answered),
    ...(answered === outcome ? sourceOf(prepared.call.skill, answered) : {}),
  };
}

/**
 * The step: governance first, people where it says so, then the implementation, and exactly one
 * `skill.executed`.
 */
async function callSkill(services: RunServices, prepared: PreparedCall): Promise<StepOutcome<SkillValue> | Parked> {
  const { call } = prepared;
  const refused = prepared.refused ?? (await invalidEnd(services, prepared));
  if (refused !== null) {
    const end = await withEvent(services, { call, end: refused, isCached: false, durationMs: 0 });
    return refuse(services, { prepared, end });
  }
  const granted = await grantElevated(services, call);
  if (isParked(granted)) return granted;
  if ('denied' in granted)
    return services.steps.answer<SkillValue>({ ...specOf(services, call, []), kind: 'tool' }, () =>
      notGranted(call, granted),
    );
  const spec = specOf(services, call, granted.scopes);
  // A call that waited for another run has taken all the time since it was made, whoever came back
  // to it.
  const row = spec.kind === 'skill' ? services.steps.rowOf(spec.key) : undefined;
  const startedAt = row === undefined ? services.steps.now() : Date.parse(row.startedAt);
  const finish: Finish = async (end, isCached = false) =>
    withEvent(services, {
      call,
      end: await fitted(services, call, end),
      isCached,
      durationMs: Math.max(0, services.steps.now() - startedAt),
    });
  return withPermission<SkillValue>(services, {
    spec,
    asked: async () => (await import('./permission.js')).askAboutCall(call, spec),
    what: 'the call',
    ...(call.isApproved === true ? { isApproved: true } : {}),
    run: (authorize) => carryOut(services, { prepared, spec: { ...spec, authorize }, finish, ask: runSkill }),
  });
}

/** A server that is down when its tool is to be called is waited for: nothing was sent yet. */
function refuse(
  services: RunServices,
  { prepared: { call, down }, end }: { readonly prepared: PreparedCall; readonly end: StepEnd<SkillValue> },
): Promise<StepOutcome<SkillValue>> {
  const { authorize: _, ...spec } = { ...specOf(services, call, []), kind: 'tool' as const };
  if (down === null) return services.steps.answer<SkillValue>(spec, () => end);
  return services.steps.run<SkillValue>({ ...spec, effects: 'none', onInDoubt: 'repeat' }, async (context) => {
    await waitFor(services, { call, context, down });
    return end;
  });
}

/** Outputs are a module that a skill without them never loads. */
async function fitted(services: RunServices, call: SkillCall, end: StepEnd<SkillValue>): Promise<StepEnd<SkillValue>> {
  if (end.outcome.status === 'ok' && isDeeper(end.outcome.value.output)) return { ...end, ...tooDeep() };
  return call.skill.outputs === null ? end : (await import('./fit-outputs.js')).fitOutputs(services, call, end);
}

/** Whether its steps hang below it. */
const holdsSteps = ({ implementation }: LinkedSkill): boolean =>
  implementation.type === 'llm_prompt' ||
  implementation.type === 'composed' ||
  (implementation.type === 'agent' && implementation.topology !== null);

async function invalidEnd(services: RunServices, { call, inputs }: PreparedCall): Promise<StepEnd<SkillValue> | null> {
  if (inputs === null) return null;
  const of = { key: `${call.key}/fits`, agentId: call.activation.node.id, schema: inputs };
  const check = await verdictOf(services, of, () => checkValue(services, { schema: inputs, value: call.input }));
  if (check.valid) return null;
  const message = check.errors.map(issueText).join('; ');
  return { outcome: { status: 'failed', reason: 'invalid_arguments', message } };
}

const notGranted = (call: SkillCall, { denied }: NotGranted): StepEnd<SkillValue> => ({
  outcome: { status: 'failed', reason: 'denied', message: denied.reason, data: { needs: [...denied.needs] } },
  events: deniedEvents(call, denied),
});

/** `granted`: elevated scopes of this one call. */
function specOf(services: RunServices, call: SkillCall, granted: readonly string[]): Permitted<SkillValue>['spec'] {
  const { skill, activation, key, input } = call;
  const { node } = activation;
  return {
    key,
    // A refusal before anything was done is recorded as a call that holds nothing, and found again
    // as one.
    kind: holdsSteps(skill) && services.steps.rowOf(key)?.kind !== 'tool' ? 'skill' : 'tool',
    identity: isToolSkill(skill) ? toolIdentity(skill, input) : { skill: skill.id, input },
    effects: skill.effects,
    onInDoubt: skill.onInDoubt,
    agentId: node.id,
    units: 0,
    authorize: () => authorizeSkill(services, { node, skill, granted }),
    onDenied: (decision) => deniedEvents(call, decision),
  };
}

async function withEvent(
  services: RunServices,
  done: { call: SkillCall; end: StepEnd<SkillValue>; isCached: boolean; durationMs: number },
): Promise<StepEnd<SkillValue>> {
  const { call, isCached, durationMs } = done;
  const { skill } = call;
  const { end, facts } =
    call.isForModel === true ? await compressEnd(services, call, done.end) : { end: done.end, facts: {} };
  const outputs: Json =
    end.outcome.status === 'ok'
      ? end.outcome.value.output
      : { reason: end.outcome.reason, message: end.outcome.message };
  const shown = await services.redactCall(skill.id, { inputs: call.input, outputs });
  const event = executedEvent(
    { agentId: call.activation.node.id, skillId: skill.id, tool: skill.id, effects: skill.effects },
    { status: end.outcome.status, reason: end.outcome.status === 'ok' ? null : end.outcome.reason, durationMs },
    { ...shown, ...ofServer(skill, isCached), ...usedBy(skill, end), ...facts },
  );
  return { ...end, events: [...(end.events ?? []), event] };
}

/**
 * What a call cost and, of a run that was asked for, what it used: its tokens stand in no other
 * event of this run.
 */
function usedBy(
  { implementation }: LinkedSkill,
  { usage }: StepEnd<SkillValue>,
): Partial<EventPayloads['skill.executed']> {
  if (usage == null) return {};
  const { costUsd, inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage;
  if (implementation.type !== 'agent') return { cost_usd: costUsd };
  return {
    cost_usd: costUsd,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cached_input_tokens: cachedInputTokens,
    reasoning_tokens: reasoningTokens,
  };
}

const sourceOf = ({ implementation }: LinkedSkill, { status }: StepOutcome<SkillValue>): Pick<SkillResult, 'source'> =>
  implementation.type === 'mcp_tool' && status === 'ok'
    ? { source: `${implementation.server}/${implementation.tool}` }
    : {};

function resultOf(
  services: RunServices,
  { isForModel = false, skill, key }: SkillCall,
  outcome: StepOutcome<SkillValue>,
): SkillResult {
  const limit = resultLimit(services.snapshot);
  if (outcome.status === 'ok') {
    const { output, shown, images } = outcome.value;
    const whole = { output: shown ?? output, isCut: false };
    const ref = refOf(skill.id, key);
    return {
      status: 'ok',
      ...(isForModel ? { ref, ...forModel(outcome.value, { limit, ref }) } : whole),
      ...(images === undefined ? {} : { images }),
    };
  }
  const { reason, message, data = null } = outcome;
  if (reason === 'denied')
    return { status: 'denied', output: { status: 'denied', reason: message, needs: needsOf(data) } };
  const facts = data === null ? {} : { data: shorten(data, limit) };
  return { status: 'failed', output: { status: 'failed', reason, message: shorten(message, limit), ...facts } };
}
