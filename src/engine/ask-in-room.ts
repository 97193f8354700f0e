import type { StepOutcome } from '../domain/journal.js';
import type { JsonObject } from '../domain/json.js';
import type { ToolSpec } from '../domain/ports/model.js';
import { ruleSetOf } from '../domain/snapshot.js';
import { answerCheck, MAX_CORRECTIONS } from './answer-check.js';
import type { makeRoom } from './context/make-room.js';
import { type AgentConversation, correctionsOf, firstCall, isCrowded } from './conversation.js';
import { describer } from './describe-tools.js';
import type { ModelValue } from './model-ask.js';
import { callModel } from './model-call.js';
import { seenIn } from './seen-documents.js';

/**
 * One turn, in a conversation that fits the window of its model as far as that is known; one that
 * the provider refuses as too long is made shorter and asked once more, as `<turn>/again`.
 */
export function askInRoom(
  conversation: AgentConversation,
  key: string,
  offered: readonly ToolSpec[],
): Promise<StepOutcome<ModelValue>> {
  const { services } = conversation;
  const ask = (as: string) => callModel(services, callOf(conversation, as, conversation.tools ?? offered));
  const asked = isCrowded(conversation) ? madeRoom(conversation, key, 'crowded').then(() => ask(key)) : ask(key);
  return asked.then((outcome) =>
    isTooLong(outcome) && ruleSetOf(services.snapshot) >= 4
      ? madeRoom(conversation, `${key}/again`, 'overflow').then(() => ask(`${key}/again`))
      : outcome,
  );
}

const isTooLong = (outcome: StepOutcome<ModelValue>): boolean =>
  outcome.status === 'failed' && outcome.reason === 'provider.context_overflow';

/** Few conversations come near the end of their window, and the others never load this. */
const madeRoom = async (...of: Parameters<typeof makeRoom>): Promise<void> =>
  (await import('./context/make-room.js')).makeRoom(...of);

function callOf(
  conversation: AgentConversation,
  key: string,
  tools: readonly ToolSpec[],
): Parameters<typeof callModel>[1] {
  const { services, activation } = conversation;
  const { node } = activation;
  const { model, choice, agentId } = conversation.speaker;
  const schema = node.outputSchema;
  const describe = describer(services, node, { key, tools });
  const isOpen = conversation.phase.kind === 'tools';
  const corrections = correctionsOf(conversation);
  const inLoop = isOpen && conversation.turn > 0;
  conversation.documents = seenIn(conversation.messages, conversation.documents);
  return {
    ...{ key, agentId, skillId: null, choice, ...conversation.fallback },
    purpose: corrections > 0 ? 'correction' : 'turn',
    provider: inLoop ? model.toolProvider : model.provider,
    model: inLoop ? model.toolModel : model.model,
    messages: [...conversation.messages],
    holdsDocument: conversation.documents.areThere,
    tools,
    ...(describe === null ? {} : { describe }),
    ...(isOpen ? firstCall(conversation) : { isClosed: true }),
    outputSchema: isOpen && conversation.tools === null ? null : schema,
    check: schema === null ? null : answerCheck(services, schema, () => conversation.results as JsonObject),
    checkIsFinal: !isOpen,
    attempt: corrections,
    corrections: MAX_CORRECTIONS,
    activation: activation.key,
  };
}
