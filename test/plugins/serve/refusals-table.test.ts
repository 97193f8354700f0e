import type { OpenAPIV3_1 } from 'openapi-types';
import { expect, it } from 'vitest';
import { createJudge } from '../../support/http/fuzz/judge.js';
import { type Operation, operationsOf } from '../../support/http/fuzz/requests.js';
import { createSender } from '../../support/http/fuzz/send.js';
import { openFuzzServer } from '../../support/http/fuzz/server.js';
import { PLANTED } from '../../support/http/fuzz/workspace.js';
import { REFUSALS, type Refusal, type Wrong } from './refusals-table.js';

const nameOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string => `${method.toUpperCase()} ${path}`;

/** What the description of a route says can be wrong with a request to it. */
function possible({ path, method, of }: Operation): readonly Wrong[] {
  const mayCarry = method === 'post' || method === 'put' || method === 'patch';
  return [
    ...(path.includes('{') ? (['unknown id'] as const) : []),
    ...((of.parameters ?? []).some((one) => 'in' in one && one.in === 'query') ? (['malformed query'] as const) : []),
    ...(mayCarry ? (['malformed body', 'oversized body'] as const) : []),
    ...(of.requestBody === undefined ? [] : (['misfitting body'] as const)),
  ];
}

it('every route refuses what is unknown, malformed and oversized as the table says, and is in it', async () => {
  const server = await openFuzzServer();
  const { send, close } = createSender(server.port);
  const authorization = `Bearer ${PLANTED.admin}`;
  const document: OpenAPIV3_1.Document = JSON.parse(
    (await send({ method: 'GET', target: '/openapi.json', headers: { authorization }, body: null })).body,
  );
  const operations = operationsOf(document).filter(({ method }) => method !== 'head');
  const judge = createJudge(document);

  const missing = operations.flatMap((operation) => {
    const rows = REFUSALS[nameOf(operation)] ?? [];
    return possible(operation)
      .filter((wrong) => !rows.some(({ why }) => why === wrong))
      .map((wrong) => `${nameOf(operation)}: ${wrong}`);
  });
  expect(missing, 'add a row to test/plugins/serve/refusals-table.ts').toEqual([]);
  const known = new Set(operations.map(nameOf));
  expect(Object.keys(REFUSALS).filter((name) => !known.has(name))).toEqual([]);

  const reported = async (name: string, { path, body }: Refusal): Promise<string> => {
    const [method = ''] = name.split(' ');
    const bytes = body === undefined ? null : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const asked = {
      method,
      target: path,
      headers: { authorization, ...(bytes === null ? {} : { 'content-type': 'application/json' }) },
      body: bytes,
    };
    const answer = await send(asked);
    const { code: own, error } = JSON.parse(answer.body);
    const code = own ?? error?.code;
    return `${answer.statusCode} ${code}${judge(asked, answer) ?? ''}`;
  };
  const lines = { expected: [] as string[], seen: [] as string[] };
  for (const [name, rows] of Object.entries(REFUSALS))
    for (const row of rows) {
      const at = `${name}, ${row.why} (${row.path}): `;
      lines.expected.push(`${at}${row.status} ${row.code}`);
      lines.seen.push(`${at}${await reported(name, row).catch((error: unknown) => String(error))}`);
    }
  close();
  expect(lines.seen).toEqual(lines.expected);
  // A refusal leaves nothing behind.
  expect(await server.app.jobs.list({ workspace: server.workspace, limit: 10 })).toEqual([]);
}, 120_000);
