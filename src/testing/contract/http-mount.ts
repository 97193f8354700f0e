import type { FastifyInstance, RouteOptions } from 'fastify';
import { isObject } from '../../lib/json.js';
import { must, resultOf } from './case.js';
import { conformanceOf, openIn, type Subject } from './common.js';
import { watchEffects } from './effects.js';
import type { ContractFixtures } from './world.js';

/** What the suite is told about the contribution. */
export type HttpMountFixtures = ContractFixtures;

type Sub = Subject<'httpMounts', HttpMountFixtures>;

const PREFIX = '/kit-contract';
const SIBLING = '/kit-contract-sibling';
const TIERS: readonly unknown[] = ['public', 'read', 'run', 'admin', undefined];

/**
 * Use cases that nobody has: a group may take what it likes of them while it registers, and get
 * nothing.
 */
const NO_APP: object = new Proxy(() => {}, {
  get: (_target, key) => (key === 'then' || typeof key === 'symbol' ? undefined : NO_APP),
  apply: () => undefined,
});

/**
 * A server with a route beside the group's, after the group has been registered and everything has
 * been compiled.
 */
interface Mounted {
  readonly server: FastifyInstance;
  readonly routes: readonly RouteOptions[];
  /** Names that requests, answers and the server have, before and after. */
  readonly names: { readonly before: readonly string[]; readonly after: readonly string[] };
}

const namesOf = (server: FastifyInstance): readonly string[] => Object.getOwnPropertyNames(server).sort();

async function mounted(subject: Sub): Promise<Mounted> {
  const { world, instance: mount } = await openIn(subject);
  // Loaded by those who have a group to check, and by nobody else who asks for the suites.
  const [{ fastify }, { Ajv2020 }, addFormats] = await Promise.all([
    import('fastify'),
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ]);
  const ajv = new Ajv2020({ strict: false, coerceTypes: 'array', useDefaults: true });
  addFormats.default.default(ajv);
  const server = fastify({ pluginTimeout: world.deadlineMs });
  server.setValidatorCompiler<object>(({ schema }) => ajv.compile(schema));
  const routes: RouteOptions[] = [];
  server.decorateRequest('caller');
  server.get(SIBLING, (_request, reply) => void reply.send({ sibling: true }));
  const before = namesOf(server);
  try {
    const register = async (): Promise<void> => {
      await server.register(
        async (scope) => {
          scope.addHook('onRoute', (route) => void routes.push(route));
          await mount.register(scope, { app: NO_APP, workspace: '/workspace', closing: new AbortController().signal });
        },
        { prefix: PREFIX },
      );
      await server.ready();
    };
    await resultOf(register, world.deadlineMs, 'register');
    return { server, routes, names: { before, after: namesOf(server) } };
  } catch (error) {
    server.close().catch(() => {}); // not waited for: a group that never ends would hold it up
    throw error;
  }
}

/** Runs a check over a registered group and closes the server. */
async function checkMounted(subject: Sub, check: (mounted: Mounted) => Promise<void> | void): Promise<null> {
  const one = await mounted(subject);
  try {
    await check(one);
  } finally {
    await one.server.close();
  }
  return null;
}

async function registersQuietly(subject: Sub): Promise<null> {
  const watch = watchEffects();
  try {
    await checkMounted(subject, ({ server }) => {
      must(!server.server.listening, 'it made the server listen; kit does that when everything is mounted');
      must(watch.seen().length === 0, `register started ${watch.seen().join(', ')}; wait for the first request`);
    });
  } finally {
    watch.stop();
  }
  return null;
}

const nameOf = ({ method, url }: RouteOptions): string => `${String(method)} ${url.slice(PREFIX.length)}`;

/** What is missing from the description of one route; null = nothing. */
function undescribed({ schema, config }: RouteOptions): string | null {
  const { summary, response }: { readonly summary?: unknown; readonly response?: unknown } = isObject(schema)
    ? schema
    : {};
  if (typeof summary !== 'string' && config?.summary === undefined) return 'has no summary';
  const isAnswered = isObject(response) && Object.keys(response).some((status) => /^2/.test(status));
  return isAnswered ? null : 'has no schema of what it answers (schema.response)';
}

function describesRoutes({ routes }: Mounted): void {
  must(routes.length > 0, 'it mounts no route');
  const shown = routes.filter(({ method, schema }) => method !== 'HEAD' && !(isObject(schema) && schema.hide === true));
  const bare = shown.flatMap((route) => {
    const why = undescribed(route);
    return why === null ? [] : [`${nameOf(route)} ${why}`];
  });
  must(bare.length === 0, bare.join('; '));
}

function asksForTiers({ routes }: Mounted): void {
  const odd = routes.filter(({ config }) => typeof config?.tier !== 'function' && !TIERS.includes(config?.tier));
  must(
    odd.length === 0,
    `${odd.map(nameOf).join(', ')}: config.tier is none of public, read, run, admin, and no function`,
  );
}

async function keepsToItself({ server, names }: Mounted): Promise<void> {
  const left = names.after.filter((name) => !names.before.includes(name));
  must(left.length === 0, `it left ${left.join(', ')} on the server outside its scope`);
  const beside = await server.inject(SIBLING);
  const plain = ['connection', 'content-length', 'content-type', 'date'];
  const added = Object.keys(beside.headers).filter((name) => !plain.includes(name));
  must(
    beside.statusCode === 200 && beside.body === '{"sibling":true}',
    'a route beside it answers something else once it is mounted',
  );
  must(added.length === 0, `a route beside it answers with ${added.join(', ')} once it is mounted`);
}

async function registersAlike(subject: Sub): Promise<null> {
  const seen: string[] = [];
  for (const _time of ['first', 'second'])
    await checkMounted(subject, ({ routes }) => void seen.push(routes.map(nameOf).sort().join(', ')));
  must(
    seen[0] === seen[1],
    'it mounts other routes on a second server; a server that leaves a broken plugin out registers the others again',
  );
  return null;
}

/**
 * The contract of `httpMounts`: what a server relies on when it mounts routes. Cases run one after
 * the other.
 */
export const httpMountConformance = conformanceOf<'httpMounts', HttpMountFixtures>('httpMounts', {
  'registers without listening, asking the network or starting a process': registersQuietly,
  'describes each of its routes and what it answers': (subject) => checkMounted(subject, describesRoutes),
  'asks callers for a tier that kit knows': (subject) => checkMounted(subject, asksForTiers),
  'leaves no hook and no decorator outside its scope': (subject) => checkMounted(subject, keepsToItself),
  'registers the same routes on another server': registersAlike,
});
