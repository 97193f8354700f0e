import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError, messageOf } from '../domain/errors.js';
import type { LivePointId } from '../domain/extension-points.js';
import { issueText } from '../lib/json-pointer.js';
import { loadJsonSchemas } from '../lib/json-schema.js';
import type { FixturesByPoint } from './contract/suites.js';

/**
 * Where a plugin keeps what its contract suites are told, relative to the package. It need not be
 * published.
 */
export const FIXTURES_FILE = 'test/contract.json';

/** Point -> contribution id -> what its suite is told. */
export type Fixtures = Readonly<Partial<{ readonly [P in LivePointId]: Readonly<Record<string, FixturesByPoint[P]>> }>>;

/** An object of these members and no other. */
const shape = (required: object, optional: object = {}): object => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(required),
  properties: { ...required, ...optional },
});

const text = { type: 'string' };
const list = (items: object): object => ({ type: 'array', items });
const anyObject = { type: 'object' };
const status = { type: 'integer', minimum: 100, maximum: 599 };
const texts = { type: 'object', additionalProperties: text };
const COMMON = { env: texts, credentials: texts, deadlineMs: { type: 'integer', minimum: 1, maximum: 60_000 } };

const fixturesOf = (properties: object): object => ({
  type: 'object',
  additionalProperties: shape({}, { ...COMMON, ...properties }),
});

const config = anyObject;
const answer = shape({ body: text }, { status, headers: texts });
const program = shape({}, { stdout: list(text), exitCode: { type: 'integer' }, stderr: text });
const request = shape({ agentId: text, action: text, scopesRequired: list(text), context: anyObject });
const known = shape({ name: text }, { config });
const accepted = shape({ authorization: text, clientId: text });
const answers = { type: 'object', additionalProperties: shape({ body: text }, { status, otherwise: text }) };
const server = shape(
  { settings: anyObject, replies: list(shape({ to: text, answer: {} })), replyToCall: text, tool: text },
  { input: anyObject },
);
const evalCase = shape({ expected: {}, output: { type: ['string', 'null'] } }, { usedSkills: list(text) });
const event = shape({ event_type: text, payload: anyObject });
const verdict = { enum: ['pass', 'fail', 'needs-revision'] };
const panel = shape({ votes: list({ anyOf: [verdict, { type: 'null' }] }), verdict });

const BY_POINT: Readonly<Record<LivePointId, object>> = {
  executors: fixturesOf({ config, statement: text, adapter: { type: ['object', 'null'] }, program }),
  governanceProviders: fixturesOf({ config, requests: list(request) }),
  modelProviders: fixturesOf({ config, model: text, answer }),
  // created with {}: what a credential needs comes with each question
  credentialSources: fixturesOf({ known, answer }),
  artifactStores: fixturesOf({ config, plainHttp: { type: 'boolean' } }),
  toolSources: fixturesOf({ config, servers: list(server) }),
  triggers: fixturesOf({ config }),
  // created with {}
  skillStrategies: fixturesOf({ verdicts: list(panel) }),
  compressors: fixturesOf({ text, tool: text, server: text }),
  eventSinks: fixturesOf({ config, event }),
  signalListeners: fixturesOf({ config }),
  agentTransports: fixturesOf({ config }),
  authProviders: fixturesOf({ config, accepted, answers }),
  httpMounts: fixturesOf({ config }),
  evalChecks: fixturesOf({ config, holds: evalCase, fails: evalCase }),
};

const SCHEMA = shape({}, BY_POINT);

const refuse = (path: string, problem: string, cause?: unknown): KitError =>
  new KitError('KIT_PLUGIN_CONFIG_INVALID', `${path} cannot be used: ${problem}`, {
    hint: 'It holds point -> contribution id -> fixtures; `kit plugins check --explain <point>` names them.',
    ...(cause === undefined ? {} : { cause }),
  });

/** What a text of the file says where a contribution needs a directory. */
const SCRATCH = '{scratch}';

/**
 * The fixtures of the package at `root`; {} when it has none. `{scratch}` in a text becomes
 * `scratch`, a directory that the caller makes and removes. Throws KIT_PLUGIN_CONFIG_INVALID for a
 * file of another shape.
 */
export async function readFixtures(root: string, scratch: string = SCRATCH): Promise<Fixtures> {
  const path = join(root, FIXTURES_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw refuse(path, error.message, error);
  });
  if (text === null) return {};
  let value: unknown;
  try {
    value = JSON.parse(text.replaceAll(SCRATCH, JSON.stringify(scratch).slice(1, -1)));
  } catch (error) {
    throw refuse(path, messageOf(error), error);
  }
  const issues = (await loadJsonSchemas()).validate(SCHEMA, value);
  if (issues.length > 0) throw refuse(path, issues.map(issueText).join('; '));
  return value as Fixtures; // checked against the schema above
}
