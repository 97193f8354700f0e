import { isKitError, KitError } from '../../domain/errors.js';
import type { Conversation, ConversationsOf } from '../../domain/ports/serving.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Ids } from '../../domain/ports/system.js';
import type { Workspace } from '../../domain/workspace.js';
import { findTopology } from '../submit/prepare-run.js';
import {
  type ConversationReader,
  type ConversationsApp,
  MAX_MESSAGE_CHARS,
  type SendMessage,
} from './conversations-app.js';
import { saidBefore } from './said-before.js';

/** Real parts behind the use cases. */
export interface ConversationsDeps {
  readonly ids: Pick<Ids, 'jobId'>;
  readonly loadWorkspace: (directory: string) => Promise<Workspace>;
  /** Makes the store where there is none. */
  readonly openStores: (directory: string) => Promise<Pick<Stores, 'serving'>>;
  /** Null where nothing was ever run: looking makes no store. */
  readonly openExisting: (directory: string) => Promise<Pick<Stores, 'serving'> | null>;
}

const SHOWN_CHARS = 60;
/** Of a conversation id. */
const ID_CHARS = 8;

export function createConversationsApp(deps: ConversationsDeps): ConversationsApp {
  const conversationsOf = async (workspace: string) => (await deps.openStores(workspace)).serving.conversations;
  return {
    create: async ({ workspace, topology, by, shared = false }) => {
      findTopology(await deps.loadWorkspace(workspace), topology);
      const conversations = await conversationsOf(workspace);
      return conversations.create({ id: deps.ids.jobId().slice(0, ID_CHARS), topology, createdBy: by, shared });
    },
    list: async ({ workspace, limit, reader }) => {
      const stores = await deps.openExisting(workspace);
      const found = (await stores?.serving.conversations.list(limit, seenBy(reader))) ?? [];
      return found.map(({ id, topology, turnCount, updatedAt, turns }) => ({
        id,
        topology,
        turnCount,
        updatedAt,
        lastMessage: [...(turns.at(-1)?.message ?? '')].slice(0, SHOWN_CHARS).join(''),
      }));
    },
    get: async ({ workspace, conversation, reader }) => {
      const stores = await deps.openExisting(workspace);
      if (stores === null) throw new KitError('KIT_CONVERSATION_UNKNOWN', `there is no conversation ${conversation}`);
      return stores.serving.conversations.get(conversation, seenBy(reader));
    },
    send: async (ask) => send(deps, ask),
  };
}

const seenBy = ({ identity, isAnybody, isAdmin }: ConversationReader): ConversationsOf =>
  isAnybody === true || isAdmin === true ? null : identity;

/** Whoever sees a conversation as an admin alone puts no words into it. */
async function assertOwn(
  conversations: Stores['serving']['conversations'],
  { id }: Conversation,
  reader: ConversationReader,
): Promise<void> {
  if (reader.isAnybody === true || reader.isAdmin !== true) return;
  await conversations.get(id, reader.identity).catch((error: unknown) => {
    if (!isKitError(error) || error.code !== 'KIT_CONVERSATION_UNKNOWN') throw error;
    throw new KitError('KIT_CONVERSATION_FOREIGN', `conversation ${id} is another person's`, { data: { id } });
  });
}

async function send<T>(deps: ConversationsDeps, ask: SendMessage<T>) {
  assertMessage(ask.message);
  const { conversations } = (await deps.openStores(ask.workspace)).serving;
  const conversation = await conversations.get(ask.conversation, seenBy(ask.reader));
  await assertOwn(conversations, conversation, ask.reader);
  const jobId = deps.ids.jobId();
  const { n } = await conversations.begin(conversation.id, { jobId, message: ask.message });
  try {
    const run = await ask.submit({
      id: jobId,
      topology: conversation.topology,
      input: ask.message,
      conversation: saidBefore(conversation.turns),
      correlationId: conversation.id,
      source: 'chat',
      labels: {},
    });
    return { conversation, n, jobId, run };
  } catch (error) {
    await conversations.giveBack(jobId);
    throw error;
  }
}

function assertMessage(message: string): void {
  const problem =
    message.trim() === ''
      ? 'is empty'
      : message.length > MAX_MESSAGE_CHARS
        ? `is longer than ${MAX_MESSAGE_CHARS} characters`
        : null;
  if (problem === null) return;
  throw new KitError('KIT_REQUEST_INVALID', `the message ${problem}`, {
    data: { errors: [{ pointer: '/body/message', message: problem, code: 'message' }] },
  });
}
