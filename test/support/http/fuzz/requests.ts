import { createHmac } from 'node:crypto';
import type { OpenAPIV3_1 } from 'openapi-types';
import { below, mutate, oneOf, type Random } from '../../fuzz-mutations.js';
import { type Pools, poolOf } from './pools.js';
import { anyValue, spoil, TEXTS, type ValueSchema, valueFor } from './values.js';
import { FUZZED_FILES, PLANTED } from './workspace.js';

/** One request as it goes over the wire. */
export interface FuzzRequest {
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer | null;
}

/** An operation of the document. */
export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly tier: string;
  readonly of: OpenAPIV3_1.OperationObject;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

export const operationsOf = (document: OpenAPIV3_1.Document): readonly Operation[] =>
  Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const of = item?.[method] as (OpenAPIV3_1.OperationObject & { readonly 'x-kit-tier'?: string }) | undefined;
      return of === undefined ? [] : [{ path, method, tier: of['x-kit-tier'] ?? 'public', of }];
    }),
  );

/**
 * What compiles the whole workspace costs a hundred times the others; it gets fewer requests, and
 * never none.
 */
const SLOW = /^\/(api\/|validate|system|workspace|reload|storage|openapi|capabilities)/;

/** An operation for a request: the slow ones three times in ten. */
export const chooseOperation = (operations: readonly Operation[], random: Random): Operation => {
  const first = oneOf(random, operations);
  return SLOW.test(first.path) && random() < 0.7
    ? oneOf(
        random,
        operations.filter(({ path }) => !SLOW.test(path)),
      )
    : first;
};

const TOKENS: Readonly<Record<string, readonly string[]>> = {
  public: [PLANTED.reader],
  read: [PLANTED.reader, PLANTED.runner, PLANTED.admin],
  run: [PLANTED.runner, PLANTED.signer, PLANTED.admin],
  admin: [PLANTED.admin],
};

function authorization(tier: string, random: Random): Readonly<Record<string, string | readonly string[]>> {
  const fitting = oneOf(random, TOKENS[tier] ?? TOKENS.run ?? []);
  if (random() < 0.88) return { authorization: `Bearer ${fitting}` };
  const others = [
    {},
    { authorization: `Bearer ${oneOf(random, Object.values(PLANTED))}` },
    { authorization: `bearer  ${fitting}` },
    { authorization: `Basic ${Buffer.from(`kit:${fitting}`).toString('base64')}` },
    { authorization: [`Bearer ${fitting}`, `Bearer ${PLANTED.reader}`] },
    { authorization: `Bearer ${'x'.repeat(4_000)}` },
    { authorization: `Bearer ${fitting}, ${fitting}` },
  ];
  return oneOf<Readonly<Record<string, string | readonly string[]>>>(random, others);
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Ways to write a part of a path that routers and file systems read differently. */
function trick(text: string, random: Random): string {
  const ways = [
    () => encoded(encoded(text)),
    () => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    () => `${encoded(text)}%00`,
    () => `..%2f${encoded(text)}`,
    () => `%2e%2e/${encoded(text)}`,
    () => `../${encoded(text)}`,
    () => `./${encoded(text)}`,
    () => `${encoded(text)};a=b`,
    () => `${encoded(text)}/`,
    () => `/${encoded(text)}`,
    () => `${encoded(text)}%`,
    () => `${encoded(text)}%zz`,
    () => '%c0%ae%c0%ae',
    () => '%ff%fe',
    () => 'x'.repeat(oneOf(random, [1_023, 1_024, 1_025, 8_000])),
    () => encoded(text).toUpperCase(),
    () => '',
  ];
  return oneOf(random, ways)();
}

function pathPart(operation: Operation, name: string, { pools, random }: Making): string {
  const known = random() < 0.75 ? pools.pick(poolOf(operation.path, name), random) : null;
  const text = known ?? oneOf(random, TEXTS);
  return random() < 0.08 ? trick(text, random) : name === '*' ? text.split('/').map(encoded).join('/') : encoded(text);
}

interface Making {
  readonly pools: Pools;
  readonly random: Random;
}

function queryOf({ path, of }: Operation, { pools, random }: Making): string {
  const parts: string[] = [];
  for (const parameter of of.parameters ?? []) {
    if (!('in' in parameter) || parameter.in !== 'query' || random() < 0.5) continue;
    const schema = (parameter.schema ?? {}) as ValueSchema;
    const valid =
      (random() < 0.6 ? pools.pick(poolOf(path, parameter.name), random) : null) ?? valueFor(schema, random);
    const value =
      random() < 0.25
        ? oneOf(random, TEXTS)
        : schema.type === 'integer' || schema.type === 'number'
          ? valueFor(schema, random)
          : valid;
    const written = `${parameter.name}=${encoded(String(value))}`;
    parts.push(
      ...(random() < 0.05
        ? [written, written]
        : random() < 0.03
          ? [`${parameter.name}[]=1`, `${parameter.name}[a]=b`, parameter.name]
          : [written]),
    );
  }
  if (random() < 0.05)
    parts.push(
      oneOf(random, [
        '__proto__=1',
        'x=%',
        '%ff=1',
        '=',
        '&&',
        'a[b][c]=1',
        'constructor[prototype]=1',
        'x'.repeat(3_000),
      ]),
    );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Without the file that holds secrets: an attacker who knows one need not be told it. */
const ARTIFACTS = Object.entries(FUZZED_FILES).flatMap(([path, text]) =>
  path === 'workspace.env.yaml' || path === 'workspace.yaml' ? [] : [text],
);

const artifactTexts = (kind: string): readonly string[] =>
  Object.entries(FUZZED_FILES).flatMap(([path, text]) => (path.startsWith(`${kind}/`) ? [text] : []));

/** A file of the kind under another name, changed a little or not at all. */
function changeOf(kind: string, random: Random): unknown {
  const texts = artifactTexts(kind);
  const all = ARTIFACTS;
  const text = (texts.length === 0 ? oneOf(random, all) : oneOf(random, texts)).replaceAll(
    /"(idle|release|note|writer|sign-off)"/g,
    '"scratch"',
  );
  const changed = random() < 0.5 ? mutate(text, oneOf(random, all), random) : text;
  const dry_run = random() < 0.5;
  if (random() < 0.5) return { yaml: changed, dry_run };
  try {
    return { content: JSON.parse(changed), dry_run };
  } catch {
    return { content: anyValue(random) };
  }
}

const CALLS = [
  ...['message/send', 'message/stream', 'tasks/get', 'tasks/list', 'tasks/cancel', 'tasks/resubscribe', 'tasks/wonder'],
  ...['SendMessage', 'SendStreamingMessage', 'GetTask', 'ListTasks', 'CancelTask', 'SubscribeToTask'],
  ...['tasks/pushNotificationConfig/set', 'GetExtendedAgentCard'],
];

/** A call of A2A in which each member may be anything, and mostly is what it should be. */
function callValue(random: Random, pools: Making['pools']): unknown {
  const or = (usual: unknown): unknown => (random() < 0.1 ? anyValue(random) : usual);
  const text = () => oneOf(random, TEXTS);
  const part = () =>
    oneOf<unknown>(random, [
      { kind: 'text', text: text() },
      { text: text() },
      { kind: 'data', data: anyValue(random) },
      { kind: 'file', file: { bytes: 'aGVsbG8=', name: text() } },
      { kind: 'file', file: { uri: text() } },
      { raw: text(), filename: 'x' },
      anyValue(random),
    ]);
  const swarmkit = { budget: { max_cost_usd: or(1), max_turns: or(2) }, depth: or(1), on_behalf_of: or(['x']) };
  const message = {
    messageId: or(oneOf(random, ['m1', 'm2', text()])),
    contextId: or(text()),
    role: or('user'),
    parts: or([part(), part()]),
    metadata: or({ skill: or(pools.pick('run', random)), ...(random() < 0.3 ? { swarmkit: or(swarmkit) } : {}) }),
    ...(random() < 0.1 ? { taskId: or(pools.pick('jobs', random)) } : {}),
  };
  const configuration = { blocking: or(random() < 0.1), returnImmediately: or(true), maxSteps: or(3) };
  const params = {
    message: or(message),
    configuration: or(configuration),
    id: or(pools.pick('jobs', random)),
    pageSize: or(2),
    pageToken: or(''),
    status: or('TASK_STATE_WORKING'),
  };
  return { jsonrpc: or('2.0'), id: or(1), method: or(oneOf(random, CALLS)), params: or(params) };
}

function bodyValue(operation: Operation, making: Making): unknown {
  const { random, pools } = making;
  const { path, method } = operation;
  const body = operation.of.requestBody as OpenAPIV3_1.RequestBodyObject | undefined;
  const schema = (body?.content?.['application/json']?.schema ?? {}) as ValueSchema;
  const kind = /^\/api\/(\w+)/.exec(path)?.[1];
  if (kind !== undefined && kind !== 'workspace' && (method === 'put' || method === 'post') && random() < 0.8)
    return changeOf(kind, random);
  if (path.startsWith('/api/workspace/config/') && random() < 0.7)
    return oneOf(random, [
      { source: 'env', config: { env: 'API_TOKEN' } },
      { source: 'file', config: { path: '../../etc/hostname' } },
      { url: '${API_TOKEN}' },
    ]);
  if (path === '/run/{topology}' && random() < 0.6)
    return {
      ...(valueFor(schema, random) as object),
      input: random() < 0.5 ? { n: 1 } : oneOf(random, TEXTS),
      attachments: null,
      supersedes: null,
      parent_job_id: null,
    };
  if (path.startsWith('/a2a')) return callValue(random, pools);
  if (path === '/conversations' && random() < 0.7) return { topology: pools.pick('run', random) };
  if (path.startsWith('/canary/') && random() < 0.7) return { version: oneOf(random, ['1.0.0', '2.0.0', '3.0.0']) };
  if (path.endsWith('/resolve') && random() < 0.7)
    return { outcome: oneOf(random, ['approve', 'reject', 'changes_requested']), comment: oneOf(random, TEXTS) };
  return valueFor(schema, random);
}

const TYPES = [
  'application/json; charset=utf-16',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'x',
  '/',
  '',
];

/** Deeper than anybody who walks through it by recursion can go; JSON.parse can. */
const deepIn = (text: string, name: string, depth: number): Buffer =>
  Buffer.from(text.replace('{', `{"${name}":${'['.repeat(depth)}${']'.repeat(depth)},`).replace(/,\}$/, '}'));

/** Bytes that are not JSON, or are it in a way that readers differ in. */
function broken(text: string, random: Random): Buffer {
  const ways = [
    () => Buffer.from(text.slice(0, below(random, text.length + 1))),
    () => Buffer.from(`${text}${text}`),
    () => Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from(text)]),
    () => Buffer.from([0xff, 0xfe, 0x00, ...Buffer.from(text)]),
    () => Buffer.from(text.replace('{', '{"__proto__":{"admin":true},')),
    () => Buffer.from(text.replace('{', '{"constructor":{"prototype":{"admin":true}},')),
    () => Buffer.from(text.replace('{', '{"input":1,"input":2,')),
    () => Buffer.from(text.replaceAll('"', "'")),
    () => Buffer.from('NaN'),
    () => Buffer.alloc(0),
    () => Buffer.from(`{"a":${'['.repeat(50_000)}`),
    () => Buffer.from('"\\ud800"'),
    () => deepIn(text, oneOf(random, ['input', 'content', 'a']), oneOf(random, [5_000, 40_000])),
    () => Buffer.alloc(oneOf(random, [1_048_577, 1_500_000]), 'a'),
  ];
  return oneOf(random, ways)();
}

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'a2a-version': ['1.0', '0.3', '2.0', '', 'x'],
  'x-request-id': ['own-id', '', 'x'.repeat(200), 'a b c'],
  'idempotency-key': ['k1', 'k2', 'k3', '', 'two words', 'x'.repeat(256)],
  'last-event-id': ['0', '3', '-1', '99999999999999999999', 'x'],
  'if-match': ['*', '"x"', 'W/"x"', '"', ','],
  'if-none-match': ['*', '"x"'],
  origin: ['https://app.example', 'https://evil.example', 'null'],
  'access-control-request-method': ['PUT'],
  'x-hub-signature-256': ['sha256=', 'sha256=00', 'x'],
  'x-api-key': ['x', ''],
  accept: ['text/html', '*/*;q=0', 'application/xml'],
  'accept-encoding': ['gzip', 'identity;q=0'],
  'content-encoding': ['gzip', 'br'],
  'x-forwarded-for': ['1.2.3.4'],
  'x-forwarded-host': ['evil.example'],
  'x-http-method-override': ['DELETE'],
  expect: ['100-continue'],
  range: ['bytes=0-1'],
};

function extraHeaders(random: Random): Record<string, string> {
  const headers: Record<string, string> = {};
  while (random() < 0.2) {
    const name = oneOf(random, Object.keys(HEADERS));
    headers[name] = oneOf(random, HEADERS[name] ?? ['']);
  }
  return headers;
}

/**
 * A request to the operation: fitting three times in five, else with something wrong, or several
 * things.
 */
export function makeRequest(operation: Operation, making: Making): FuzzRequest {
  const { random } = making;
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) =>
    pathPart(operation, name === 'wildcard' ? '*' : name, making),
  );
  const method = random() < 0.04 ? oneOf(random, METHODS).toUpperCase() : operation.method.toUpperCase();
  const target = `${random() < 0.01 ? oneOf(random, ['/', '//', '/api', '/mcp', '/%2e%2e']) : path}${queryOf(operation, making)}`;
  const headers = { ...authorization(operation.tier, random), ...extraHeaders(random) };
  if (operation.of.requestBody === undefined && !/^(POST|PUT)$/.test(method))
    return { method, target, headers, body: null };
  if (operation.of.requestBody === undefined && random() < 0.6 && !path.startsWith('/hooks/'))
    return { method, target, headers, body: null };
  const valid = bodyValue(operation, making);
  const text = JSON.stringify(random() < 0.3 ? spoil(valid, random) : valid) ?? 'null';
  const body = random() < 0.08 ? broken(text, random) : Buffer.from(text);
  const signature =
    path.startsWith('/hooks/') && random() < 0.7
      ? { 'x-hub-signature-256': `sha256=${createHmac('sha256', PLANTED.hook).update(body).digest('hex')}` }
      : {};
  const type = random() < 0.05 ? oneOf(random, TYPES) : 'application/json';
  return {
    method,
    target,
    headers: { ...headers, ...signature, 'content-type': type },
    body: method === 'GET' || method === 'HEAD' ? null : body,
  };
}
