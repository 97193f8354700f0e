import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';
import { triggerFile } from '../support/triggers/trigger-world.js';
import { localProvider, talk } from './workspaces.js';
import { type LiveKit, makeWorld, type World } from './world.js';

interface Manifest {
  readonly commands: Readonly<
    Record<
      string,
      {
        readonly args?: Readonly<Record<string, unknown>>;
        readonly flags?: Readonly<Record<string, { readonly required?: boolean }>>;
      }
    >
  >;
}

/** Every command of the built command line, with the arguments that it takes. */
const COMMANDS = readdirSync(join(projectRoot, 'plugins'))
  .map((name): Manifest => JSON.parse(readFileSync(join(projectRoot, 'plugins', name, 'oclif.manifest.json'), 'utf8')))
  .flatMap(({ commands }) => Object.entries(commands))
  .map(([id, { args = {}, flags = {} }]) => ({
    id,
    args: Object.keys(args),
    required: Object.keys(flags).filter((name) => flags[name]?.required === true),
    takesWorkspace: 'workspace' in flags,
  }));

/** A value for each argument; others are `x`. */
const VALUES: Readonly<Record<string, string>> = {
  topology: 'talk',
  run: '0123456789ab',
  what: '0123456789ab',
  id: 'start',
  point: 'executors',
  shell: 'bash',
  set: 'smoke',
};

/** Commands that are at work on something else than the store, as a person types them. */
const AT_WORK = [
  'run models talk --input hi',
  'run models talk --input hi --json',
  'chat models talk',
  'ask what? models',
  'eval models smoke',
  'triggers fire start models',
  'serve models --port 0',
  'doctor models --crash',
];

const ENDS_WITHIN_MS = 15_000;
/** How long a command may take until it is seen at work; one that shows nothing is asked then. */
const LOOK_MS = 20_000;
/** How far `kit doctor --crash` is. */
const CRASH_PROGRESS = /^\d+\/\d+ points/m;

/** Takes connections and says nothing: a database, a model or a registry that is stuck. */
async function silentServer(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((socket) => socket.on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  const files = {
    'providers/local.yaml': localProvider,
    'triggers/start.yaml': triggerFile('start', 'type: manual\ntargets: [talk]'),
    'evals/smoke.yaml':
      'apiVersion: kit/v1\nkind: EvalSet\nmetadata: { id: smoke }\ntarget: talk\ncases:\n  - { id: a, input: Say a. }\n',
  };
  const storage = 'storage: { runtime: { backend: postgres, url: "${RUNS_URL}" } }\n';
  world.files('stuck', talk({ provider: 'local', files, workspace: storage }));
  world.files('models', talk({ provider: 'local', files }));
  execFileSync('mkfifo', [join(world.base, 'fifo')]);
});
afterAll(() => world.dispose());

/** `true` = the signal met it at work; `false` = it had ended by itself. Fails where it stays. */
async function endedBySigterm(argv: readonly string[]): Promise<boolean> {
  const { server, port } = await silentServer();
  const connected = once(server, 'connection').then(() => 'at work' as const);
  const at = `127.0.0.1:${port}`;
  const live: LiveKit = world.start(argv, {
    env: {
      RUNS_URL: `postgres://kit:kit@${at}/kit`,
      MODEL_URL: `http://${at}`,
      LOCAL_KEY: 'key-of-the-test',
      npm_config_registry: `http://${at}/`,
      KIT_NPM_REGISTRY: `http://${at}/`,
    },
  });
  const look = Promise.withResolvers<'at work'>();
  const timer = setTimeout(() => look.resolve('at work'), LOOK_MS);
  // On a fast machine this one is done before anybody looks.
  const points = setInterval(() => {
    if (CRASH_PROGRESS.test(live.stdout() + live.stderr())) look.resolve('at work');
  }, 50);
  try {
    const seen = await Promise.race([connected, look.promise, live.ended.then(() => 'ended' as const)]);
    if (seen === 'ended') return false;
    live.child.kill('SIGTERM');
    const late = Promise.withResolvers<'stays'>();
    const bound = setTimeout(() => late.resolve('stays'), ENDS_WITHIN_MS);
    const end = await Promise.race([live.ended, late.promise]);
    clearTimeout(bound);
    if (end === 'stays') {
      live.child.kill('SIGKILL');
      await live.ended;
      throw new Error(`kit ${argv.join(' ')} stays after SIGTERM\n${live.stdout()}\n${live.stderr()}`);
    }
    expect(end.stderr).not.toContain('KIT_INTERNAL');
    return true;
  } finally {
    clearTimeout(timer);
    clearInterval(points);
    server.close();
  }
}

let atWork = 0;

describe.concurrent('SIGTERM', () => {
  it.each(COMMANDS)('ends kit $id while its store does not answer', { timeout: 120_000 }, async (command) => {
    const { id, args, required, takesWorkspace } = command;
    const argumentFor = (name: string): string => {
      if (name === 'workspace') return 'stuck';
      if (name === 'file') return 'fifo';
      if (name === 'directory') return `made-${id.replaceAll(':', '-')}`;
      return VALUES[name] ?? 'x';
    };
    const flags = [
      ...required.flatMap((name) => [`--${name}`, argumentFor(name)]),
      ...(takesWorkspace && !args.includes('workspace') ? ['-w', 'stuck'] : []),
    ];
    if (await endedBySigterm([...id.split(':'), ...args.map(argumentFor), ...flags])) atWork += 1;
  });

  it.each(AT_WORK)('ends kit %s, at work', { timeout: 120_000 }, async (line) => {
    expect(await endedBySigterm(line.split(' '))).toBe(true);
  });
});

it('met most commands at work', () => {
  process.stdout.write(`SIGTERM met ${atWork} of ${COMMANDS.length} commands before they ended by themselves\n`);
  expect(COMMANDS.length).toBeGreaterThan(50);
  expect(atWork).toBeGreaterThan(COMMANDS.length / 3);
});
