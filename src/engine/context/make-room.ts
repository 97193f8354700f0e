import type { ModelMessage } from '../../domain/ports/model.js';
import { fenced } from '../../prompts/fenced.js';
import { SUMMARISE, summaryText } from '../../prompts/summary.js';
import { textTask } from '../activation-call.js';
import { askText } from '../ask-text.js';
import { type AgentConversation, CROWDED_AT, offerRetrieve } from '../conversation.js';
import { tailStart, tokensOfMessages, transcript, withoutResults } from './room.js';

/** Turns whose results stay when older ones are cleared, and that stay whole beside a summary. */
const [CLEARED_BUT, KEPT_TURNS] = [3, 2];
/** Above this part of the window a conversation is summarised, where clearing does not help. */
const SUMMARISED_AT = 0.8;
/** Clearing that frees less of the window would cost the cache for little. */
const WORTH = 0.1;
/** What a summary may be made of, and what it may be, as parts of the window. */
const [READ_PART, CHARS_A_TOKEN] = [0.5, 3];

/** `overflow`: the provider refused the request, whatever was counted. */
export type Cause = 'crowded' | 'overflow';

/**
 * Makes a conversation shorter that fills the window of its model: old results become references,
 * then older messages a summary, which is a step of its own (`<turn>/summary`). What is decided
 * depends on the journal alone, so a replay decides the same.
 */
export async function makeRoom(conversation: AgentConversation, key: string, cause: Cause): Promise<void> {
  const { messages, context } = conversation;
  const before = tokensOfMessages(messages);
  const used = usedBy(conversation);
  const window = context?.window ?? used;
  if (cause === 'crowded' && used < CROWDED_AT * window) return;
  const turns = cause === 'overflow' ? 1 : CLEARED_BUT;
  const shorter = withoutResults(messages, conversation.refs, tailStart(messages, conversation.opening, turns));
  const freed = before - tokensOfMessages(shorter);
  const isSummarised =
    cause === 'overflow' || (used >= SUMMARISED_AT * window && used - freed >= (SUMMARISED_AT - WORTH) * window);
  if (isSummarised) await summarise(conversation, { key, shorter, window });
  else if (freed >= WORTH * window) replace(conversation, shorter);
  else return;
  const after = tokensOfMessages(messages);
  if (after < before) offerRetrieve(conversation);
  if (context !== null) conversation.context = { ...context, used: used - before + after, upTo: messages.length };
}

/** Tokens of the conversation as it would be sent now, about. */
function usedBy({ context, messages }: AgentConversation): number {
  if (context === null || context.used === null) return tokensOfMessages(messages);
  return context.used + tokensOfMessages(messages.slice(context.upTo));
}

const replace = ({ messages }: AgentConversation, by: readonly ModelMessage[]): void => {
  messages.splice(0, messages.length, ...by);
};

interface Summary {
  readonly key: string;
  /** The conversation without old results. */
  readonly shorter: readonly ModelMessage[];
  readonly window: number;
}

/**
 * What the agent was told at first stays, and its newest turns; the rest becomes one message, with
 * the earlier turns of a conversation.
 */
async function summarise(conversation: AgentConversation, { key, shorter, window }: Summary): Promise<void> {
  const { opening, speaker, services, activation } = conversation;
  const start = tailStart(shorter, opening, KEPT_TURNS);
  const [head, said] = apart(shorter.slice(0, opening), conversation.earlier);
  const [old, tail] = [shorter.slice(opening, start), shorter.slice(start)];
  if (said.length + old.length === 0) return replace(conversation, fitted(conversation, { head, tail, window }));
  const text = transcript(
    [...said, ...head.filter(({ role }) => role !== 'system'), ...old],
    READ_PART * CHARS_A_TOKEN * window,
  );
  const summary = await askText(services, {
    key: `${key}/summary`,
    agentId: speaker.agentId,
    purpose: 'summary',
    model: speaker.model,
    choice: speaker.choice,
    system: SUMMARISE,
    user: fenced('conversation', text),
    activation: activation.key,
  });
  const summaryMessage: ModelMessage = { role: 'user', parts: textTask(summaryText(summary)) };
  conversation.opening = head.length;
  conversation.earlier = 0;
  replace(conversation, fitted(conversation, { head: [...head, summaryMessage], tail, window }));
}

/** Without the `earlier` messages after its prompt, and those. */
function apart(opening: readonly ModelMessage[], earlier: number): [readonly ModelMessage[], readonly ModelMessage[]] {
  const from = opening.findIndex(({ role }) => role !== 'system');
  const said = opening.slice(from, from + earlier);
  return [opening.filter((message) => !said.includes(message)), said];
}

/** The newest turns lose their results too where they alone would fill half of the window. */
function fitted(
  conversation: AgentConversation,
  of: { readonly head: readonly ModelMessage[]; readonly tail: readonly ModelMessage[]; readonly window: number },
): readonly ModelMessage[] {
  const { head, tail, window } = of;
  const whole = [...head, ...tail];
  if (tokensOfMessages(tail) < READ_PART * window) return whole;
  const last = withoutResults(whole, conversation.refs, tailStart(whole, head.length, 1));
  return tokensOfMessages(last) < SUMMARISED_AT * window
    ? last
    : withoutResults(whole, conversation.refs, whole.length);
}
