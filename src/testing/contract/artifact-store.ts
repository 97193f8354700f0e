import { isKitError } from '../../domain/errors.js';
import type { ArtifactBytes } from '../../domain/ports/artifacts.js';
import { sha256Hex } from '../../lib/sha256.js';
import { must, resultOf, type Settled, settled, textOf } from './case.js';
import { conformanceOf, openIn, type Subject } from './common.js';
import type { Network } from './world.js';
import { answering, type ContractFixtures, SILENT, UNREACHABLE, type World } from './world.js';

/** What the suite is told of an artifact store. */
export interface ArtifactStoreFixtures extends ContractFixtures {
  /**
   * Default true: its server keeps what is PUT under an address and answers GET and HEAD with it,
   * or 404; the suite plays that server. False: it speaks otherwise, and the cases that need an
   * answer say that they were not exercised.
   */
  readonly plainHttp?: boolean;
}

type Sub = Subject<'artifactStores', ArtifactStoreFixtures>;

const EVERY_BYTE = Uint8Array.from({ length: 1024 }, (_, n) => n % 256);
const SAMPLES = [EVERY_BYTE, new Uint8Array(), new TextEncoder().encode('a reviewed text')];
const ABSENT = sha256Hex('contract: nobody has put this');

type Call = 'put' | 'get';
const CALLS: readonly Call[] = ['put', 'get'];

const isSame = (one: Uint8Array | null, other: Uint8Array): boolean =>
  one !== null && one.byteLength === other.byteLength && one.every((byte, at) => byte === other[at]);

const perform = (store: ArtifactBytes, call: Call): Promise<unknown> =>
  call === 'put' ? store.put(sha256Hex(EVERY_BYTE), EVERY_BYTE) : store.get(sha256Hex(EVERY_BYTE));

const speaksOtherwise = ({ fixtures }: Sub): string | null =>
  fixtures.plainHttp === false ? 'its server does not support plain HTTP' : null;

async function givesBack(subject: Sub): Promise<string | null> {
  const { world, instance: store } = await openIn(subject, keepingServer());
  for (const bytes of SAMPLES)
    await resultOf(() => store.put(sha256Hex(bytes), bytes.slice()), world.deadlineMs, 'put');
  for (const bytes of SAMPLES) {
    const got = await resultOf(() => store.get(sha256Hex(bytes)), world.deadlineMs, 'get');
    must(isSame(got, bytes), `get gave other bytes than the ${bytes.byteLength} that were put`);
  }
  world.mustHideSecrets({});
  return null;
}

async function keepsOnce(subject: Sub): Promise<string | null> {
  const { world, instance: store } = await openIn(subject, keepingServer());
  for (const _time of ['first', 'second']) await resultOf(() => perform(store, 'put'), world.deadlineMs, 'put');
  must(
    isSame(await resultOf(() => store.get(sha256Hex(EVERY_BYTE)), world.deadlineMs, 'get'), EVERY_BYTE),
    'a second put changed what is kept',
  );
  return null;
}

async function saysNothing(subject: Sub): Promise<string | null> {
  const { world, instance: store } = await openIn(subject, keepingServer());
  must(
    (await resultOf(() => store.get(ABSENT), world.deadlineMs, 'get')) === null,
    'get gave something for a digest that nobody has put',
  );
  return null;
}

interface Attempt {
  readonly call: Call;
  readonly world: World;
  readonly outcome: Settled<unknown>;
}

/**
 * Both calls, each on an instance of its own; of one that asked no server nothing is to be said.
 */
async function attempts(subject: Sub, network: Network, stop?: 'before' | 'during'): Promise<readonly Attempt[]> {
  const made: Attempt[] = [];
  for (const call of CALLS) {
    const { world, instance: store } = await openIn(subject, network);
    if (stop === 'before') world.abort();
    if (stop === 'during') void world.asked.then(world.abort);
    const outcome = await inTime(
      world,
      settled(() => perform(store, call), world.deadlineMs, call),
    );
    if (world.requests.length > 0 || stop === 'before') made.push({ call, world, outcome });
  }
  return made;
}

const NOT_ASKED = 'it asked no server';

/** A server that does not do its part: neither call may look as if it had worked. */
async function failsWithout(subject: Sub, network: Network): Promise<string | null> {
  const made = await attempts(subject, network);
  for (const { call, outcome } of made) {
    must(
      outcome.how === 'error',
      `${call} succeeded although its server did nothing: "not there" and "not to be had" are two things`,
    );
    const isRefusal = isKitError(outcome.error) && outcome.error.code === 'KIT_ARTIFACT_STORE';
    must(isRefusal, `${call} threw ${textOf(outcome.error)}, not KIT_ARTIFACT_STORE`);
  }
  return made.length === 0 ? NOT_ASKED : null;
}

/** That they end at all is the point: `settled` has a deadline. */
async function endsSoon(subject: Sub, stop: 'before' | 'during'): Promise<string | null> {
  const made = await attempts(subject, SILENT, stop);
  return made.length === 0 ? NOT_ASKED : null;
}

async function hidesSecrets(subject: Sub): Promise<string | null> {
  for (const network of [UNREACHABLE, answering(403, 'no ', { echo: true }), answering(500, 'oops ', { echo: true })]) {
    for (const { world, outcome } of await attempts(subject, network)) {
      world.mustHideSecrets(outcome.how === 'error' ? { 'its error': outcome.error } : {});
    }
  }
  return null;
}

/** Waits between attempts pass at once: the clock runs on until the call has ended. */
async function inTime<T>(world: World, call: Promise<Settled<T>>): Promise<Settled<T>> {
  let isOver = false;
  const over = call.finally(() => {
    isOver = true;
  });
  over.catch(() => undefined);
  while (!isOver) {
    await world.clock.advance(1000);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return over;
}

const spoken = (check: (subject: Sub) => Promise<string | null>) => async (subject: Sub) =>
  speaksOtherwise(subject) ?? (await check(subject));

/**
 * The contract of `artifactStores`: what the artifact store of kit relies on. Cases run one after
 * the other.
 */
export const artifactStoreConformance = conformanceOf<'artifactStores', ArtifactStoreFixtures>('artifactStores', {
  'gives back the bytes that were put, whatever they are': spoken(givesBack),
  'keeps the same bytes once': spoken(keepsOnce),
  'answers null for a digest that nobody has put': spoken(saysNothing),
  'fails when its server cannot be reached': (subject) => failsWithout(subject, UNREACHABLE),
  'fails when its server refuses the key': (subject) => failsWithout(subject, answering(403, 'no')),
  'fails when its server is broken': (subject) => failsWithout(subject, answering(500, 'oops')),
  'ends soon when the host is disposed while its server is silent': (subject) => endsSoon(subject, 'during'),
  'ends soon when the host was disposed before': (subject) => endsSoon(subject, 'before'),
  'shows no secret in an error or its log': hidesSecrets,
});

/**
 * A server that keeps what is PUT under an address, and answers GET and HEAD with it, or 404. The
 * query and the headers say nothing to it.
 */
function keepingServer(): Network {
  const kept = new Map<string, Uint8Array>();
  return async (_sent, _init, { method, url, body }) => {
    const address = url.split('?')[0] ?? url;
    if (method === 'PUT') {
      kept.set(address, body);
      return new Response(null, { status: 200 });
    }
    const found = kept.get(address);
    if (found === undefined) return new Response(null, { status: 404 });
    const headers = { 'content-length': String(found.byteLength) };
    return new Response(method === 'HEAD' ? null : Uint8Array.from(found), { status: 200, headers });
  };
}
