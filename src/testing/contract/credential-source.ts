import type { JsonObject } from '../../domain/json.js';
import { frozen, must, type Settled, settled, textOf } from './case.js';
import { conformanceOf, openIn, type Subject } from './common.js';
import { answering, type ContractFixtures, type Network, SILENT, UNREACHABLE, type World } from './world.js';

/**
 * What the suite asks of a credential source, and what its server answers. It is always created
 * with {}.
 */
export interface CredentialSourceFixtures extends Omit<ContractFixtures, 'config'> {
  /**
   * A name that it can resolve, with the `config` of that credential. Without it no name is tried
   * that exists.
   */
  readonly known?: { readonly name: string; readonly config?: JsonObject };
  /** What its server answers for the known name. */
  readonly answer?: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

type Sub = Subject<'credentialSources', CredentialSourceFixtures>;

const MISSING = 'contract-no-such-credential';

interface Probe {
  readonly world: World;
  readonly outcome: Settled<string>;
}

interface Question {
  readonly name: string;
  readonly network: Network;
  readonly stop?: 'before' | 'during';
}

async function ask(subject: Sub, { name, network, stop }: Question): Promise<Probe> {
  const { known } = subject.fixtures;
  const { world, instance: source } = await openIn(subject, network);
  if (stop === 'before') world.abort();
  if (stop === 'during') void world.asked.then(world.abort);
  const outcome = await settled<string>(
    () => source.resolve(name, frozen(known?.config ?? {})),
    world.deadlineMs,
    'resolve',
  );
  return { world, outcome };
}

async function resolvesKnown(subject: Sub): Promise<string | null> {
  const { known, answer } = subject.fixtures;
  if (known === undefined) return 'no `known` name was given';
  const network =
    answer === undefined
      ? UNREACHABLE
      : answering(answer.status ?? 200, answer.body, { headers: answer.headers ?? {} });
  const { world, outcome } = await ask(subject, { name: known.name, network });
  must(outcome.how === 'value', `resolve threw ${outcome.how === 'error' ? textOf(outcome.error) : ''}`);
  must(typeof outcome.value === 'string' && outcome.value !== '', 'resolve gave no text, or an empty one');
  world.learn(outcome.value);
  world.mustHideSecrets({});
  return null;
}

async function refusesMissing(subject: Sub): Promise<string | null> {
  const { outcome } = await ask(subject, { name: MISSING, network: answering(404, '{"error":"not found"}') });
  must(outcome.how === 'error', 'resolve gave a value for a name that is not there; kit would use it as the secret');
  must(
    outcome.error instanceof Error && outcome.error.message.includes(MISSING),
    'the error does not name the credential that is missing',
  );
  return null;
}

async function failsWithout(subject: Sub, network: Network, stop?: 'during'): Promise<string | null> {
  const { known } = subject.fixtures;
  const { world, outcome } = await ask(subject, {
    name: known?.name ?? MISSING,
    network,
    ...(stop === undefined ? {} : { stop }),
  });
  if (world.requests.length === 0) return 'it asked no server';
  must(outcome.how === 'error', 'resolve gave a value although its server gave none');
  return null;
}

async function hidesSecrets(subject: Sub): Promise<string | null> {
  const { known } = subject.fixtures;
  for (const network of [UNREACHABLE, answering(403, 'no ', { echo: true })]) {
    for (const name of [MISSING, ...(known === undefined ? [] : [known.name])]) {
      const { world, outcome } = await ask(subject, { name, network });
      world.mustHideSecrets(outcome.how === 'error' ? { 'its error': outcome.error } : {});
    }
  }
  return null;
}

/**
 * The contract of `credentialSources`: what the credential service relies on. Cases run one after
 * the other.
 */
export const credentialSourceConformance = conformanceOf<'credentialSources', CredentialSourceFixtures>(
  'credentialSources',
  {
    'resolves a known name to a text and logs nothing of it': resolvesKnown,
    'refuses a name that is not there and says which': refusesMissing,
    'fails when its server cannot be reached': (subject) => failsWithout(subject, UNREACHABLE),
    'fails when its server is broken': (subject) => failsWithout(subject, answering(500, '{"value":"oops"}')),
    'ends soon when the host is disposed while its server is silent': (subject) =>
      failsWithout(subject, SILENT, 'during'),
    'ends soon when the host was disposed before': async (subject) => {
      await ask(subject, { name: MISSING, network: SILENT, stop: 'before' });
      return null;
    },
    'shows no secret in an error or its log': hidesSecrets,
  },
);
