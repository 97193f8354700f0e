import type { Json, JsonObject } from '../../domain/json.js';
import type { ProcessSpec } from '../../domain/ports/system.js';
import type { ToolServer } from '../../domain/ports/tools.js';
import { frozen } from './case.js';
import { createIn, type Subject } from './common.js';
import { type PlayedProcess, type PlayedReply, type PlayedServer, playNetwork, playServer } from './played-server.js';
import { type ContractFixtures, createWorld, type World } from './world.js';

/** What the suite is told of a tool source: one server a way of reaching it. */
export interface ToolSourceFixtures extends ContractFixtures {
  readonly servers?: readonly {
    /** What `settings` gives. The values of `env` and `headers` in it count as secrets. */
    readonly settings: JsonObject;
    /** What the server answers, over stdin and stdout of a program as over HTTP. */
    readonly replies: readonly PlayedReply[];
    /**
     * `to` of the reply that answers calls: leaving it out makes a server that does not answer
     * them.
     */
    readonly replyToCall: string;
    readonly tool: string;
    readonly input?: JsonObject;
  }[];
}

/** A tool source under test. */
export type Sub = Subject<'toolSources', ToolSourceFixtures>;
/** A server that was given for it. */
export type Known = NonNullable<ToolSourceFixtures['servers']>[number];

const BEARER = 'kit-contract-bearer-7f3a9c';

/** A source, and the server that is played to it. */
export interface Stage {
  readonly world: World;
  readonly stop: AbortController;
  readonly spawned: readonly ProcessSpec[];
  readonly played: readonly PlayedProcess[];
  /** Resolves when the server has been sent something that holds the text. */
  readonly heard: (text: string) => Promise<void>;
  readonly open: () => Promise<ToolServer>;
}

const secretsOf = ({ settings }: Known): readonly string[] =>
  [settings.env, settings.headers].flatMap((map) =>
    Object.values(typeof map === 'object' && map !== null ? map : {}).filter(
      (value: Json) => typeof value === 'string',
    ),
  );

/** Sets the source up beside this server. */
export async function stageOf(subject: Sub, known: Known, server: PlayedServer): Promise<Stage> {
  const said: string[] = [];
  const listeners = new Set<() => void>();
  const note = (text: string): void => {
    said.push(text);
    for (const listener of listeners) listener();
  };
  const network = playNetwork(server);
  const world = createWorld(subject.fixtures, (sent, init, request) => {
    note(sent);
    return network(sent, init, request);
  });
  for (const secret of [BEARER, ...secretsOf(known)]) world.learn(secret);
  const stop = new AbortController();
  const spawned: ProcessSpec[] = [];
  const played: PlayedProcess[] = [];
  const source = await createIn(subject, world);
  const open = (): Promise<ToolServer> =>
    source.open(
      { id: 'contract', settings: async () => frozen(known.settings), bearer: async () => BEARER },
      {
        signal: stop.signal,
        log: world.context.log,
        clock: world.clock,
        env: { PATH: '/usr/bin:/bin' },
        workspaceRoot: '/',
        spawn: (spec, own) => {
          spawned.push(spec);
          const one = playServer(server, spec, own === undefined ? [stop.signal] : [stop.signal, own], note);
          played.push(one);
          return one.child;
        },
      },
    );
  const heard = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (said.some((one) => one.includes(text))) resolve();
      };
      listeners.add(look);
      look();
    });
  return { world, stop, spawned, played, heard, open };
}
