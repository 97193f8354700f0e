import type { AgentNode } from '../../domain/agent-node.js';
import type { StepOutcome, StepRow } from '../../domain/journal.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type { Decision } from '../../domain/ports/governance.js';
import type { ToolSpec } from '../../domain/ports/model.js';
import { type RunSnapshot, ruleSetOf } from '../../domain/snapshot.js';
import { issueText } from '../../lib/json-pointer.js';
import { moreOf, partOf, unknownRef } from '../../prompts/shortened.js';
import { RETRIEVE_TOOL } from '../../prompts/tools.js';
import { authorizeRetrieve, policyDenied } from '../authorize.js';
import type { NewEvent } from '../new-event.js';
import { isParked, type Parked } from '../park.js';
import { type Permitted, withPermission } from '../permission.js';
import { needsOf, outputText } from '../results.js';
import type { RunServices } from '../services.js';
import { executedEvent } from '../skills/executed-event.js';
import type { ToolValue } from '../skills/tool-result.js';
import { failedEnd } from '../step-ends.js';
import type { StepEnd } from '../step-types.js';
import type { CallAnswer, KeyedCall } from '../tool-call.js';
import { wholeAt } from './headtail.js';
import { RETRIEVE, refOf } from './ref.js';
import { keepsOriginals } from './rule-for.js';

const DEFAULT_LIMIT = 4000;
/** A larger window would undo what the rule is there for. */
const MAX_LIMIT = 20_000;

const SPEC: ToolSpec = {
  name: RETRIEVE,
  description: RETRIEVE_TOOL.tool,
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['ref'],
    properties: {
      ref: { type: 'string', minLength: 1, description: RETRIEVE_TOOL.ref },
      offset: { type: 'integer', minimum: 0, default: 0, description: RETRIEVE_TOOL.offset },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_LIMIT,
        default: DEFAULT_LIMIT,
        description: RETRIEVE_TOOL.limit,
      },
    },
  },
};

/**
 * `context_retrieve`, where something was left out of a result of the conversation, or some rule of
 * the run may do so; an agent without tools has no results.
 */
export const retrieveTools = (
  snapshot: RunSnapshot,
  of: { readonly hasTools: boolean; readonly isCut: boolean },
): readonly ToolSpec[] => (of.hasTools && (of.isCut || keepsOriginals(snapshot.compression)) ? [SPEC] : []);

type Window = { readonly output: Json };

export interface RetrieveCall extends KeyedCall {
  readonly node: AgentNode;
  readonly input: JsonObject;
}

/**
 * One call of `context_retrieve`, a step like any other call. The original is what the journal
 * holds of the call that gave it, so it is there after a resume and after a crash; an agent gets
 * results of its own calls of this run and of nobody else's. A reference that names none is an
 * error result.
 */
export async function retrieveOriginal(services: RunServices, call: RetrieveCall): Promise<CallAnswer | Parked> {
  const { key, node, input } = call;
  const ref = typeof input.ref === 'string' ? input.ref : '';
  const startedAt = services.clock.now();
  const spec: Permitted<Window>['spec'] = {
    key,
    kind: 'tool',
    identity: { tool: RETRIEVE, input },
    effects: 'read',
    onInDoubt: 'repeat',
    agentId: node.id,
    units: 0,
    authorize: () => authorizeRetrieve(services, { node, ref }),
    onDenied: (decision) => deniedEvents(call, ref, decision),
  };
  const read = async (): Promise<StepEnd<Window>> => {
    const end = await windowOf(services, call);
    return {
      ...end,
      events: [
        retrievedEvent(call, { outcome: end.outcome, durationMs: Math.max(0, services.clock.now() - startedAt) }),
      ],
    };
  };
  const outcome = await withPermission<Window>(services, {
    spec,
    asked: async () => ({
      agentId: node.id,
      skillId: null,
      question: `May ${node.id} read the whole of ${ref}?`,
      details: { action: `context:retrieve:${ref}`, arguments: input, step: key },
    }),
    what: 'the call',
    run: (authorize) => services.steps.run<Window>({ ...spec, authorize }, read),
  });
  return isParked(outcome)
    ? outcome
    : { index: call.index, id: call.call.id, name: call.call.name, ...answerOf(outcome, ref) };
}

function answerOf(outcome: StepOutcome<Window>, ref: string): Pick<CallAnswer, 'output' | 'isError' | 'ref'> {
  if (outcome.status === 'ok') return { output: outcome.value.output, isError: false, ref };
  const { reason, message, data = null } = outcome;
  const output =
    reason === 'denied'
      ? { status: 'denied', reason: message, needs: needsOf(data) }
      : { status: 'failed', reason, message };
  return { output, isError: true };
}

async function windowOf(services: RunServices, { input, node }: RetrieveCall): Promise<StepEnd<Window>> {
  const invalid = await services.validate(SPEC.inputSchema, input);
  if (invalid.length > 0) return failedEnd('invalid_arguments', invalid.map(issueText).join('; '));
  const {
    ref,
    offset = 0,
    limit = DEFAULT_LIMIT,
    // checked above
  } = input as { readonly ref: string; readonly offset?: number; readonly limit?: number };
  const text = originalOf(services, { ref, agentId: node.id });
  if (text === null) return failedEnd('unknown_ref', unknownRef(ref));
  if (offset >= text.length && text.length > 0)
    return failedEnd(
      'invalid_arguments',
      `/offset: the result has ${text.length} characters, the last one at ${text.length - 1}`,
    );
  const start = wholeAt(text, offset);
  const cut = wholeAt(text, Math.min(text.length, start + limit));
  // The least window still holds a whole character.
  const end = cut > start ? cut : Math.min(text.length, start + 2);
  const more = text.length - end;
  const head = partOf(ref, start, end, text.length);
  const tail = more === 0 ? '' : `\n${moreOf(more, end)}`;
  return { outcome: { status: 'ok', value: { output: `${head}\n${text.slice(start, end)}${tail}` } } };
}

/** What a call of this agent answered, by its reference; null = no finished call has it. */
function originalOf(
  { steps, snapshot }: RunServices,
  of: { readonly ref: string; readonly agentId: string },
): string | null {
  for (const row of steps.deps.session.all()) {
    const tool =
      row.agentId === of.agentId && row.outcome?.status === 'ok' && row.prunedAt === undefined ? toolOf(row) : null;
    if (tool === null || refOf(tool, row.key) !== of.ref) continue;
    // A finished call of a tool: what `compressEnd` made of it.
    const value = row.outcome?.status === 'ok' ? (row.outcome.value as ToolValue) : null;
    if (value !== null && (value.shown !== undefined || ruleSetOf(snapshot) >= 4)) return outputText(value.output);
  }
  return null;
}

/** The tool that a call site names: `.../c0:fetch` (docs/design/journal.md#keys). */
function toolOf({ kind, key }: StepRow): string | null {
  if (kind !== 'tool' && kind !== 'skill') return null;
  const name = /\/c\d+:([^/]*)$/.exec(key)?.[1];
  return name === undefined ? null : decodeURIComponent(name);
}

function deniedEvents(
  { node }: RetrieveCall,
  ref: string,
  decision: Exclude<Decision, { verdict: 'allow' }>,
): readonly NewEvent[] {
  const base = { agentId: node.id, skillId: null };
  return [
    policyDenied(`context:retrieve:${ref}`, decision, base),
    executedEvent({ ...base, tool: RETRIEVE, effects: 'read' }, { refused: decision.reason }),
  ];
}

/**
 * Without the text: the policy of the tool that gave it says what of it may be logged, and its own
 * event did.
 */
function retrievedEvent(
  { node }: RetrieveCall,
  of: { readonly outcome: StepOutcome<Window>; readonly durationMs: number },
): NewEvent {
  const { outcome, durationMs } = of;
  const reason = outcome.status === 'ok' ? null : outcome.reason;
  return executedEvent(
    { agentId: node.id, skillId: null, tool: RETRIEVE, effects: 'read' },
    { status: outcome.status, reason, durationMs },
  );
}
