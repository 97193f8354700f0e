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

const texts = { type: 'object', additionalProperties: { type: 'string' } };
const answer = {
  type: 'object',
  additionalProperties: false,
  required: ['body'],
  properties: { status: { type: 'integer', minimum: 100, maximum: 599 }, headers: texts, body: { type: 'string' } },
};
const config = { type: 'object' };
const COMMON = { env: texts, credentials: texts, deadlineMs: { type: 'integer', minimum: 1, maximum: 60_000 } };

const fixturesOf = (properties: object): object => ({
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: false, properties: { ...COMMON, ...properties } },
});

const program = {
  type: 'object',
  additionalProperties: false,
  properties: {
    stdout: { type: 'array', items: { type: 'string' } },
    exitCode: { type: 'integer' },
    stderr: { type: 'string' },
  },
};
const request = {
  type: 'object',
  additionalProperties: false,
  required: ['agentId', 'action', 'scopesRequired', 'context'],
  properties: {
    agentId: { type: 'string' },
    action: { type: 'string' },
    scopesRequired: { type: 'array', items: { type: 'string' } },
    context: { type: 'object' },
  },
};
const known = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: { name: { type: 'string' }, config: { type: 'object' } },
};

const accepted = {
  type: 'object',
  additionalProperties: false,
  required: ['authorization', 'clientId'],
  properties: { authorization: { type: 'string' }, clientId: { type: 'string' } },
};
const answers = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    required: ['body'],
    properties: {
      status: { type: 'integer', minimum: 100, maximum: 599 },
      body: { type: 'string' },
      otherwise: { type: 'string' },
    },
  },
};

const server = {
  type: 'object',
  additionalProperties: false,
  required: ['settings', 'replies', 'replyToCall', 'tool'],
  properties: {
    settings: { type: 'object' },
    replies: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['to', 'answer'],
        properties: { to: { type: 'string' }, answer: {} },
      },
    },
    replyToCall: { type: 'string' },
    tool: { type: 'string' },
    input: { type: 'object' },
  },
};

const evalCase = {
  type: 'object',
  additionalProperties: false,
  required: ['expected', 'output'],
  properties: {
    expected: {},
    output: { type: ['string', 'null'] },
    usedSkills: { type: 'array', items: { type: 'string' } },
  },
};

const event = {
  type: 'object',
  additionalProperties: false,
  required: ['event_type', 'payload'],
  properties: { event_type: { type: 'string' }, payload: { type: 'object' } },
};

const verdict = { enum: ['pass', 'fail', 'needs-revision'] };
const panel = {
  type: 'object',
  additionalProperties: false,
  required: ['votes', 'verdict'],
  properties: { votes: { type: 'array', items: { anyOf: [verdict, { type: 'null' }] } }, verdict },
};

const BY_POINT: Readonly<Record<LivePointId, object>> = {
  executors: fixturesOf({ config, statement: { type: 'string' }, adapter: { type: ['object', 'null'] }, program }),
  governanceProviders: fixturesOf({ config, requests: { type: 'array', items: request } }),
  modelProviders: fixturesOf({ config, model: { type: 'string' }, answer }),
  // created with {}: what a credential needs comes with each question
  credentialSources: fixturesOf({ known, answer }),
  artifactStores: fixturesOf({ config, plainHttp: { type: 'boolean' } }),
  toolSources: fixturesOf({ config, servers: { type: 'array', items: server } }),
  triggers: fixturesOf({ config }),
  // created with {}
  skillStrategies: fixturesOf({ verdicts: { type: 'array', items: panel } }),
  compressors: fixturesOf({ text: { type: 'string' }, tool: { type: 'string' }, server: { type: 'string' } }),
  eventSinks: fixturesOf({ config, event }),
  signalListeners: fixturesOf({ config }),
  agentTransports: fixturesOf({ config }),
  authProviders: fixturesOf({ config, accepted, answers }),
  httpMounts: fixturesOf({ config }),
  evalChecks: fixturesOf({ config, holds: evalCase, fails: evalCase }),
};

const SCHEMA = { type: 'object', additionalProperties: false, properties: BY_POINT };

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
