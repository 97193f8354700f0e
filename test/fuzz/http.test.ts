import { join } from 'node:path';
import type { OpenAPIV3_1 } from 'openapi-types';
import { expect, it } from 'vitest';
import { randomFrom, seed } from '../support/crash-share.js';
import { createJudge, leakIn } from '../support/http/fuzz/judge.js';
import { createPools } from '../support/http/fuzz/pools.js';
import { chooseOperation, type FuzzRequest, makeRequest, operationsOf } from '../support/http/fuzz/requests.js';
import { createSender } from '../support/http/fuzz/send.js';
import { openFuzzServer } from '../support/http/fuzz/server.js';
import { warmUp } from '../support/http/fuzz/warm-up.js';
import { PLANTED } from '../support/http/fuzz/workspace.js';
import { dumpStore } from '../support/store-dump.js';

/** Requests of a share; `npm run fuzz` sends 50,000. */
const COUNT = Number(process.env.KIT_TEST_FUZZ_HTTP ?? '1500');
const AT_ONCE = 8;
/** So often the files of the workspace are put back: an attacker who removed them would find nothing more to attack. */
const RESTORE_EVERY = 400;
const MAX_FAILURES = 40;
/** What a socket does when its server has answered and does not read the rest of a body. */
const CUT = /ECONNRESET|EPIPE/;
const LARGE_BYTES = 1_000_000;

const shown = ({ method, target, headers, body }: FuzzRequest): string =>
  `${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${body?.toString('utf8').slice(0, 600) ?? '(no body)'}`;

it(
  'whatever is sent to a server: no 500, no undeclared 503, every answer as OpenAPI describes it, and no planted secret anywhere',
  async () => {
    const server = await openFuzzServer();
    const { send, close } = createSender(server.port);
    const admin = { authorization: `Bearer ${PLANTED.admin}` };
    const document: OpenAPIV3_1.Document = JSON.parse((await send({ method: 'GET', target: '/openapi.json', headers: admin, body: null })).body);
    const operations = operationsOf(document);
    const judge = createJudge(document);
    const pools = createPools();
    const statuses: Record<string, number> = {};
    const reached = new Map<string, Readonly<Record<string, number>>>();
    const failures: string[] = [];
    let slowest = { ms: 0, of: '' };
    let sent = 0;

    const ask = async (n: number): Promise<void> => {
      const random = randomFrom(seed() * 1_000_003 + n);
      const operation = chooseOperation(operations, random);
      const asked = makeRequest(operation, { pools, random });
      const told = `${n} of seed ${seed()}: ${shown(asked)}`;
      try {
        const answer = await send(asked);
        statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
        if (answer.ms > slowest.ms) slowest = { ms: answer.ms, of: told };
        const wrong = judge(asked, answer);
        if (wrong !== null) failures.push(`${wrong.slice(0, 600)}\n  ${told}`);
        const name = `${operation.method} ${operation.path}`;
        const code = answer.statusCode < 400 ? String(answer.statusCode) : (/"code":"([\w-]+)"/.exec(answer.body)?.[1] ?? String(answer.statusCode));
        const outcomes = reached.get(name) ?? {};
        reached.set(name, { ...outcomes, [code]: (outcomes[code] ?? 0) + 1 });
        if (answer.statusCode !== 200) return;
        if (String(answer.headers['content-type']).startsWith('application/json') && operation.path !== '/openapi.json')
          pools.harvest(operation.path, JSON.parse(answer.body === '' ? 'null' : answer.body));
      } catch (error) {
        if (CUT.test(String(error)) && (asked.body?.length ?? 0) > LARGE_BYTES) statuses.cut = (statuses.cut ?? 0) + 1;
        else failures.push(`${error}\n  ${told}`);
      }
    };

    await warmUp({ send }, pools);
    const startedMs = performance.now();
    let restoring = Promise.resolve();
    const worker = async (): Promise<void> => {
      while (sent < COUNT && failures.length < MAX_FAILURES) {
        const n = sent++;
        if (n % RESTORE_EVERY === RESTORE_EVERY - 1) restoring = restoring.then(server.restore);
        await restoring;
        await ask(n);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const seconds = (performance.now() - startedMs) / 1000;
    close();
    await server.running.stop();

    console.log(`fuzz of HTTP: seed ${seed()}, ${sent} requests in ${seconds.toFixed(0)} s, by status ${JSON.stringify(statuses)}`);
    console.log(`slowest ${slowest.ms.toFixed(0)} ms: ${slowest.of}`);
    const missed = operations.map(({ method, path }) => `${method} ${path}`).filter((name) => reached.get(name)?.[200] === undefined);
    for (const name of missed) console.log(`no 200 of ${name}: ${JSON.stringify(reached.get(name) ?? {})}`);
    for (const failure of failures) console.log(failure);
    expect(failures.map((failure) => failure.split('\n')[0])).toEqual([]);

    const log = server.logged();
    const defects = log.split('\n').filter((line) => /does not declare|KIT_INTERNAL/.test(line));
    expect(defects).toEqual([]);
    const { tables, serving } = dumpStore(join(server.workspace, '.kit'));
    const kept = Object.entries({ ...tables, ...serving }).map(([name, rows]) => [name, leakIn(rows.join('\n'))]);
    expect([['log', leakIn(log)], ...kept].filter(([, leak]) => leak !== null)).toEqual([]);
    // What was looked at is really there: the test would otherwise pass over nothing.
    for (const rows of [tables?.events, tables?.jobs, tables?.decisions, serving?.serve_access, serving?.conversation_turns])
      expect(rows?.length).toBeGreaterThan(0);
    expect(log).toContain('"route":"/run/:topology"');
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '404', '405', '422']));
  },
  Math.max(180_000, COUNT * 60),
);
