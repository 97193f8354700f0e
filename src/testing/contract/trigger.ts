import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PluginContext } from '../../domain/extension-points.js';
import type { Delivery, Firing, TriggerType } from '../../domain/ports/triggers.js';
import { frozen, must, resultOf, settled, textOf } from './case.js';
import { conformanceOf, openIn, type Subject } from './common.js';
import { type ContractFixtures, createWorld, type World } from './world.js';

/** What the suite is told about the contribution. */
export type TriggerFixtures = ContractFixtures;

type Sub = Subject<'triggers', TriggerFixtures>;

/** Longer than any trigger of the suite waits between two firings. */
const A_DAY_MS = 24 * 3_600_000;

/** Deliveries that prove nothing, whatever a type takes for a proof. */
const UNPROVEN: readonly Delivery[] = [
  { headers: {}, body: new Uint8Array() },
  {
    headers: { authorization: 'Bearer ', 'x-api-key': '', 'x-hub-signature-256': 'sha256=' },
    body: new TextEncoder().encode('{}'),
  },
  {
    headers: {
      authorization: `Bearer ${'0'.repeat(64)}`,
      'x-api-key': '\u0000',
      'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
    },
    body: Uint8Array.from([0, 255, 128]),
  },
  {
    headers: Object.fromEntries(['authorization', 'x-api-key', 'x-hub-signature-256'].map((name) => [name, undefined])),
    body: new Uint8Array(1024),
  },
];

async function inWorkspace<T>(work: (workspaceRoot: string) => Promise<T>): Promise<T> {
  const workspaceRoot = await mkdtemp(join(tmpdir(), 'kit-contract-trigger-'));
  try {
    return await work(workspaceRoot);
  } finally {
    await rm(workspaceRoot, { recursive: true, force: true });
  }
}

async function saysReady(subject: Sub): Promise<string | null> {
  const { world, instance: type } = await openIn(subject);
  const reason = await inWorkspace((workspaceRoot) =>
    resultOf(() => type.ready({ workspaceRoot }), world.deadlineMs, 'ready'),
  );
  must(
    reason === null || (typeof reason === 'string' && reason.trim() !== ''),
    'ready gave neither null nor a sentence',
  );
  world.mustHideSecrets({ 'what ready says': reason });
  return null;
}

interface Listening {
  readonly fired: string[];
  readonly stop: AbortController;
}

async function listen(type: TriggerType, world: World, workspaceRoot: string): Promise<Listening> {
  const [fired, stop]: [string[], AbortController] = [[], new AbortController()];
  const start = (triggerId: string) => {
    const fire = async (_firing: Firing): Promise<void> => void fired.push(triggerId);
    return type.start?.({ triggerId, workspaceRoot, signal: stop.signal, fire });
  };
  await resultOf(() => Promise.all([start('one'), start('two')]), world.deadlineMs, 'start');
  return { fired, stop };
}

async function listensForTwo(subject: Sub): Promise<string | null> {
  const { world, instance: type } = await openIn(subject);
  if (type.start === undefined) return 'it fires nothing by itself';
  await inWorkspace(async (workspaceRoot) => (await listen(type, world, workspaceRoot)).stop.abort());
  world.mustHideSecrets({});
  return null;
}

async function stopsWithSignal(subject: Sub): Promise<string | null> {
  const { world, instance: type } = await openIn(subject);
  if (type.start === undefined) return 'it fires nothing by itself';
  return inWorkspace(async (workspaceRoot) => {
    const { fired, stop } = await listen(type, world, workspaceRoot);
    await world.clock.advance(1);
    stop.abort();
    const before = fired.length;
    await world.clock.advance(A_DAY_MS);
    must(fired.length === before, 'it fired after its signal had aborted');
    must(world.clock.sleeping === 0, 'it still sleeps after its signal has aborted');
    return null;
  });
}

async function saysWhenItFires(subject: Sub): Promise<string | null> {
  const { world, instance: type } = await openIn(subject);
  if (type.nextFireAt === undefined) return 'nobody can know when it fires';
  const next = await resultOf(() => type.nextFireAt?.() ?? Promise.resolve(null), world.deadlineMs, 'nextFireAt');
  if (next === null) return 'it never fires with this configuration';
  must(new Date(next).toISOString() === next, `nextFireAt gave ${next}, which is not an instant of ISO 8601 in UTC`);
  must(Date.parse(next) > world.clock.now(), 'nextFireAt gave a time that has passed');
  return null;
}

async function verifyAll(type: TriggerType, world: World): Promise<void> {
  for (const delivery of UNPROVEN) {
    const outcome = await settled(async () => type.verify?.(frozenDelivery(delivery)), world.deadlineMs, 'verify');
    must(
      outcome.how === 'value',
      `verify threw ${outcome.how === 'error' ? textOf(outcome.error) : ''}; a refusal is an answer`,
    );
    const verdict = outcome.value;
    must(
      verdict?.kind === 'refused' || verdict?.kind === 'unavailable',
      `verify answered ${String(verdict?.kind)} to a delivery that proves nothing`,
    );
    must(typeof verdict.detail === 'string' && verdict.detail.trim() !== '', 'verify says nothing about its refusal');
    world.mustHideSecrets({ 'what verify says': verdict.detail });
  }
}

/** Bytes cannot be frozen; a copy of them is as good. */
const frozenDelivery = ({ headers, body }: Delivery): Delivery => ({
  headers: frozen(headers),
  body: Uint8Array.from(body),
});

async function refusesUnproven(subject: Sub): Promise<string | null> {
  const { world, instance: type } = await openIn(subject);
  if (type.verify === undefined) return 'it verifies no deliveries';
  await verifyAll(type, world);
  return null;
}

/** The same world, in which no secret is set. */
const bare = (world: World): PluginContext => ({
  ...world.context,
  secrets: { env: () => null, credential: (ref) => Promise.reject(new Error(`the secret ${ref} is not set`)) },
});

async function refusesWithoutSecrets({ contribution, fixtures }: Sub): Promise<string | null> {
  const world = createWorld(fixtures);
  const outcome = await settled(
    async () => contribution.create(frozen(fixtures.config ?? {}), bare(world)),
    world.deadlineMs,
    'create',
  );
  if (outcome.how === 'error') return 'it is not created without its secrets';
  const type = outcome.value;
  if (type.verify === undefined) return 'it verifies no deliveries';
  await verifyAll(type, world);
  return null;
}

/**
 * The contract of `triggers`: what a server relies on when a trigger starts and a delivery comes.
 * Cases run one after the other.
 */
export const triggerConformance = conformanceOf<'triggers', TriggerFixtures>('triggers', {
  'says whether it can start, and shows no secret in saying so': saysReady,
  'listens for two triggers at once': listensForTwo,
  'fires nothing and sleeps no more after their signal': stopsWithSignal,
  'gives the next firing as an instant to come': saysWhenItFires,
  'refuses deliveries that prove nothing, without a throw or a secret': refusesUnproven,
  'verifies nothing when its secrets are not set': refusesWithoutSecrets,
});
