import { isKitError } from '../../domain/errors.js';
import type { AuthProvider, AuthVerdict } from '../../domain/ports/http.js';
import { isReservedScope } from '../../domain/scopes.js';
import { must, type Settled, settled, textOf } from './case.js';
import { conformanceOf, createIn, type Subject } from './common.js';
import { type ContractFixtures, createWorld, type Network, SILENT, UNREACHABLE, type World } from './world.js';

/** What the suite is told of an auth provider. */
export interface AuthProviderFixtures extends ContractFixtures {
  /**
   * An `Authorization` header that it accepts, and whom it names then. The suite's clock stands at
   * 2026-01-02T03:04:05Z.
   */
  readonly accepted?: { readonly authorization: string; readonly clientId: string };
  /**
   * What its server answers: address -> answer; any other address is 404. `otherwise`: what it
   * answers to a request in which the accepted credential does not stand, where that makes a
   * difference. Absent = nothing can be reached.
   */
  readonly answers?: Readonly<
    Record<string, { readonly status?: number; readonly body: string; readonly otherwise?: string }>
  >;
}

type Sub = Subject<'authProviders', AuthProviderFixtures>;

/** Longer than any time that a caller would wait for an answer, by the suite's clock. */
const PATIENCE_MS = 60_000;
const NO_CREDENTIAL = 'no `accepted` credential was given';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const UNSIGNED = `${part({ alg: 'none' })}.${part({ sub: 'contract-garbage', exp: 4_102_444_800, scope: 'serve:admin *' })}.`;

/** What people, broken clients and attackers send. */
const GARBAGE: readonly (string | undefined)[] = [
  undefined,
  '',
  ' ',
  'Bearer',
  'Bearer ',
  'Basic contract-garbage-basic',
  'Bearer contract-garbage-one contract-garbage-two',
  'Bearer contract-garbage-unknown',
  'Bearer a.b.c',
  'Bearer ..',
  `Bearer ${UNSIGNED}`,
  `Bearer ${part({ alg: 'HS256', kid: '../../contract-garbage' })}.${part({})}.contract-garbage`,
  `Bearer ${'contract-garbage'.repeat(10_000)}`,
  'Bearer contract-garbage-\u0000\u0007\u001b[31m',
  'Bearer contract-garbage-\u{1f511}',
  'Bearer, Bearer contract-garbage-list',
];

const tokenOf = (authorization: string): string => authorization.replace(/^\S+\s+/, '');

function networkOf({ answers, accepted }: AuthProviderFixtures): Network {
  if (answers === undefined) return UNREACHABLE;
  return async (sent, _init, { url }) => {
    const found = Object.hasOwn(answers, url) ? answers[url] : undefined;
    if (found === undefined) return new Response('', { status: 404 });
    const isKnown = accepted !== undefined && sent.includes(tokenOf(accepted.authorization));
    return new Response(isKnown ? found.body : (found.otherwise ?? found.body), { status: found.status ?? 200 });
  };
}

/** A world in which the accepted credential counts as a secret. */
function worldOf(subject: Sub, network: Network = networkOf(subject.fixtures)): World {
  const world = createWorld(subject.fixtures, network);
  const { accepted } = subject.fixtures;
  if (accepted !== undefined) world.learn(tokenOf(accepted.authorization));
  return world;
}

const ask = (provider: AuthProvider, authorization: string | undefined, world: World): Promise<Settled<AuthVerdict>> =>
  settled(() => provider.authenticate({ authorization }), world.deadlineMs, 'authenticate');

/** What was promised is not always what is given: the shape of a verdict is looked at. */
function verdictProblem(verdict: AuthVerdict): string | null {
  if (typeof verdict !== 'object' || verdict === null) return 'no verdict';
  if (verdict.kind === 'refused')
    return typeof verdict.detail === 'string' && verdict.detail !== '' ? null : 'a refusal without a detail';
  if (verdict.kind !== 'caller')
    return `the unknown verdict ${JSON.stringify((verdict as { readonly kind: unknown }).kind)}`;
  const { clientId, clientName, scopes, assurance } = verdict.caller;
  if (typeof clientId !== 'string' || clientId === '' || typeof clientName !== 'string')
    return 'a caller without a name';
  if (!Array.isArray(scopes)) return 'a caller without a list of scopes';
  return assurance === 'authenticated' || assurance === 'asserted' ? null : 'a caller without an assurance';
}

async function namesCaller(subject: Sub): Promise<string | null> {
  const { accepted } = subject.fixtures;
  if (accepted === undefined) return NO_CREDENTIAL;
  const world = worldOf(subject);
  const outcome = await ask(await createIn(subject, world), accepted.authorization, world);
  must(outcome.how === 'value', `authenticate threw ${outcome.how === 'error' ? textOf(outcome.error) : ''}`);
  const problem = verdictProblem(outcome.value);
  must(problem === null, `authenticate gave ${problem}`);
  must(
    outcome.value.kind === 'caller',
    `authenticate refused: ${outcome.value.kind === 'refused' ? outcome.value.detail : ''}`,
  );
  must(
    outcome.value.caller.clientId === accepted.clientId,
    `the caller is ${outcome.value.caller.clientId}, not ${accepted.clientId}`,
  );
  return null;
}

async function hasNoReservedScope(subject: Sub): Promise<string | null> {
  const { accepted } = subject.fixtures;
  if (accepted === undefined) return NO_CREDENTIAL;
  const world = worldOf(subject);
  const outcome = await ask(await createIn(subject, world), accepted.authorization, world);
  must(outcome.how === 'value' && outcome.value.kind === 'caller', 'the accepted credential was not accepted');
  const { scopes, assurance } = outcome.value.caller;
  // Nobody proved who an asserted caller is: `*` opens the server to this machine alone.
  const held = scopes.filter((scope) => isReservedScope(scope) && !(scope === '*' && assurance === 'asserted'));
  must(held.length === 0, `the caller carries ${held.join(', ')}, which only people may have`);
  return null;
}

const repeats = (text: string): boolean => /contract-garbage/.test(text) || text.includes(UNSIGNED);

async function bearsGarbage(subject: Sub): Promise<string | null> {
  const world = worldOf(subject);
  const provider = await createIn(subject, world);
  for (const authorization of GARBAGE) {
    const outcome = await ask(provider, authorization, world);
    const shown = JSON.stringify(authorization?.slice(0, 40) ?? null);
    if (outcome.how === 'error') {
      const isNotReady = isKitError(outcome.error) && outcome.error.code === 'KIT_NOT_READY';
      must(isNotReady, `authenticate threw ${textOf(outcome.error)} for the header ${shown}; a refusal is a value`);
      continue;
    }
    const problem = verdictProblem(outcome.value);
    must(problem === null, `authenticate gave ${problem} for the header ${shown}`);
    must(
      outcome.value.kind === 'refused' || outcome.value.caller.assurance === 'asserted',
      `the header ${shown} was taken for proof`,
    );
  }
  return null;
}

async function repeatsNothing(subject: Sub): Promise<string | null> {
  const world = worldOf(subject);
  world.learn('contract-garbage');
  const provider = await createIn(subject, world);
  for (const authorization of GARBAGE) {
    const outcome = await ask(provider, authorization, world);
    const text =
      outcome.how === 'error'
        ? textOf(outcome.error)
        : JSON.stringify(outcome.value.kind === 'refused' ? outcome.value : {});
    must(!repeats(text), 'a refusal repeats the credential');
  }
  world.mustHideSecrets({});
  return null;
}

async function showsNoSecret(subject: Sub): Promise<string | null> {
  const world = worldOf(subject);
  const provider = await createIn(subject, world);
  const { accepted } = subject.fixtures;
  if (accepted !== undefined) await ask(provider, accepted.authorization, world);
  const info = provider.info();
  must(typeof info?.mode === 'string' && info.mode !== '', 'info has no mode');
  must(
    Array.isArray(provider.warnings) && provider.warnings.every((line) => typeof line === 'string'),
    'warnings is not a list of lines',
  );
  must(provider.identities === null || Array.isArray(provider.identities), 'identities is neither a list nor null');
  world.mustHideSecrets({ info, 'its warnings': provider.warnings, 'its identities': provider.identities });
  return null;
}

/** With a server that gives nothing: an answer comes in the end, and it is not a caller. */
async function withoutServer(subject: Sub, network: Network, stop: boolean): Promise<string | null> {
  const { accepted } = subject.fixtures;
  if (accepted === undefined) return NO_CREDENTIAL;
  const world = worldOf(subject, network);
  const pending = ask(await createIn(subject, world), accepted.authorization, world);
  await Promise.race([world.asked, pending]);
  if (world.requests.length === 0) {
    await pending;
    return 'it asked no server';
  }
  if (stop) world.abort();
  else await world.clock.advance(PATIENCE_MS);
  const outcome = await pending;
  must(
    outcome.how === 'error' || outcome.value.kind === 'refused',
    'the caller was let in although the server that knows them gave nothing',
  );
  world.mustHideSecrets(outcome.how === 'error' ? { 'its error': outcome.error } : { 'its refusal': outcome.value });
  return null;
}

/** The contract of `authProviders`: what every request relies on. Cases run one after the other. */
export const authProviderConformance = conformanceOf<'authProviders', AuthProviderFixtures>('authProviders', {
  'names the caller of a credential that holds': namesCaller,
  'gives no caller a scope that only people may have': hasNoReservedScope,
  'answers every malformed header with a refusal and never throws': bearsGarbage,
  'repeats nothing of a credential in a refusal or its log': repeatsNothing,
  'says what it is without a secret': showsNoSecret,
  'lets nobody in while its server is broken': (subject) => withoutServer(subject, UNREACHABLE, false),
  'gives up in the end when its server is silent': (subject) => withoutServer(subject, SILENT, false),
  'ends soon when the host is disposed while its server is silent': (subject) => withoutServer(subject, SILENT, true),
});
