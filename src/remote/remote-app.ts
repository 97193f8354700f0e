import type { App } from '../app/app.js';
import type { ReadLoose } from '../app/events/read-loose.js';
import type { Inventory } from '../app/info/info-app.js';
import { KitError } from '../domain/errors.js';
import { fieldsOf, listOf, maybeTextAt, textAt } from '../lib/read-json.js';
import { oneLine } from '../view/lines/words.js';
import { remoteCanary } from './remote-canary.js';
import type { RemoteContext } from './remote-context.js';
import { remoteFleet } from './remote-fleet.js';
import { remoteConversations, remoteMemory } from './remote-kept.js';
import { readLoose } from './remote-loose.js';
import { remoteObserve } from './remote-observe.js';
import { remoteReview } from './remote-review.js';
import { remoteRuns } from './remote-runs.js';
import { remoteArtifacts, remoteChanges, remoteProviders } from './remote-things.js';
import { remoteTriggers } from './remote-triggers.js';
import { remoteUsage } from './remote-usage.js';

/** A server that has answered, and whom it knows the caller as. */
export interface RemoteSession {
  readonly app: App;
  /** What the token proves; under `none` everybody's. */
  readonly identity: string;
  /** How somebody else acts there, as a sentence: what is said in place of `--as`. */
  readonly otherwise: string;
  /** Id of the workspace that is served. */
  readonly workspace: string;
}

/**
 * The use cases of a server, as commands call those of a directory. Whatever a server cannot do
 * throws KIT_REMOTE_UNSUPPORTED with `help`, which says what does it. One request: who am I there.
 * Throws what the server refuses with, KIT_SERVER_UNREACHABLE and KIT_SERVER_ANSWER.
 */
export async function openRemoteApp(context: RemoteContext, help: string): Promise<RemoteSession> {
  const { client } = context;
  const me = fieldsOf(await client.read(client.http.GET('/whoami')));
  const identity = maybeTextAt(me, 'client_id');
  if (identity === null) throw new KitError('KIT_SERVER_ANSWER', `${client.base} does not answer as a kit server does`);
  const groups = {
    observe: remoteObserve(context),
    events: { loose: (query: ReadLoose) => readLoose(context, query) },
    review: remoteReview(context),
    runs: remoteRuns(context),
    artifacts: remoteArtifacts(context),
    changes: remoteChanges(context),
    providers: remoteProviders(context),
    triggers: remoteTriggers(context),
    memory: remoteMemory(context),
    conversations: remoteConversations(context),
    fleet: remoteFleet(context),
    canary: remoteCanary(context),
    info: { ...remoteUsage(context), inventory: () => inventoryOf(context), address: async () => client.base },
  };
  return {
    app: orUnsupported(groups, help),
    identity,
    // Without auth nobody proves who they are, and a sign-in would change nothing.
    otherwise:
      maybeTextAt(me, 'provider') === 'none' ? OPEN_TO_ALL : `Sign in as somebody else: kit auth login ${client.base}`,
    workspace: oneLine(textAt(me, 'workspace'), 100),
  };
}

const OPEN_TO_ALL =
  'That server has no auth, so that nobody can be anybody else there: whoever operates it sets server.auth (kit docs auth), or decides in the directory of the workspace.';

const inventoryOf = async ({ client }: RemoteContext): Promise<Inventory> => ({
  topologies: listOf(await client.read(client.http.GET('/topologies'))).filter((name) => typeof name === 'string'),
  skills: [],
  archetypes: [],
  funnels: [],
  contracts: [],
});

type Groups = { readonly [K in keyof App]?: Partial<App[K]> };

/** Every other member is there and refuses: a command is told what does it, and nothing half. */
function orUnsupported(groups: Groups, help: string): App {
  const refuse = async (): Promise<never> => {
    throw new KitError('KIT_REMOTE_UNSUPPORTED', 'a server does not do this for a command line', { hint: help });
  };
  const groupOf = (name: string): object =>
    new Proxy(refuse, {
      get: (_target, member) =>
        isAsked(member) ? (Reflect.get(fieldsOf(Reflect.get(groups, name)), member) ?? refuse) : undefined,
    });
  const app = new Proxy(Object.freeze({}), {
    get: (_target, name) => {
      if (name === 'close') return async () => undefined;
      return isAsked(name) ? groupOf(name) : undefined;
    },
  });
  return app as App; // each member is a use case of a server, or refuses as one
}

/** What a language asks of any object is not a use case. */
const isAsked = (name: string | symbol): name is string =>
  typeof name === 'string' && name !== 'then' && name !== 'toJSON';
