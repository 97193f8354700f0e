import type { OpenAPIV3_1 } from 'openapi-types';
import { randomFrom, seed, shuffled } from '../../crash-share.js';
import { createJudge, isEndless, type Judge } from './judge.js';
import { createPools, type Pools } from './pools.js';
import { chooseOperation, type FuzzRequest, makeRequest, type Operation, operationsOf } from './requests.js';
import { createSender, type FuzzAnswer } from './send.js';
import type { FuzzServer } from './server.js';
import { sweep } from './sweep.js';
import { warmUp } from './warm-up.js';
import { PLANTED } from './workspace.js';

const AT_ONCE = 8;
/**
 * So often the files of the workspace are put back: an attacker who removed them would find nothing
 * more to attack.
 */
const RESTORE_EVERY = 400;
const MAX_FAILURES = 40;
/** What a socket does when its server has answered and does not read the rest of a body. */
const CUT = /ECONNRESET|EPIPE/;
const LARGE_BYTES = 1_000_000;

type Counts = Record<string, number>;

/** What came of an attack. */
export interface AttackReport {
  readonly sent: number;
  readonly seconds: number;
  /** By status; `cut`: the server had answered before it was told everything. */
  readonly statuses: Readonly<Counts>;
  /** What was wrong, with the request. */
  readonly failures: readonly string[];
  readonly slowest: string;
  /** Operations that never succeeded, with how they answered. */
  readonly missed: readonly string[];
}

const shown = ({ method, target, headers, body }: FuzzRequest): string =>
  `${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${body?.toString('utf8').slice(0, 600) ?? '(no body)'}`;

const countIn = (counts: Counts, name: string): void => void Object.assign(counts, { [name]: (counts[name] ?? 0) + 1 });

/** What is known of the answers so far. */
function createTally(judge: Judge, pools: Pools) {
  const statuses: Counts = {};
  const outcomes = new Map<string, Counts>();
  const failures: string[] = [];
  let slowest = { ms: 0, of: '' };
  return {
    statuses,
    failures,
    slowest: () => `${slowest.ms.toFixed(0)} ms: ${slowest.of}`,
    outcomesOf: (name: string): Counts => outcomes.get(name) ?? {},
    take: (
      { method, path }: Operation,
      asked: FuzzRequest,
      { answer, told: reported }: { readonly answer: FuzzAnswer; readonly told: string },
    ): void => {
      const { statusCode, body, headers, ms } = answer;
      countIn(statuses, String(statusCode));
      if (ms > slowest.ms) slowest = { ms, of: reported };
      const wrong = judge(asked, answer);
      if (wrong !== null) failures.push(`${wrong.slice(0, 600)}\n  ${reported}`);
      const counts = outcomes.get(`${method} ${path}`) ?? {};
      outcomes.set(`${method} ${path}`, counts);
      countIn(
        counts,
        statusCode < 400 ? String(statusCode) : (/"code":"([\w-]+)"/.exec(body)?.[1] ?? String(statusCode)),
      );
      const isJson = String(headers['content-type']).startsWith('application/json');
      if (statusCode === 200 && isJson && body !== '' && path !== '/openapi.json')
        pools.harvest(path, JSON.parse(body));
    },
    lose: (error: unknown, asked: FuzzRequest, reported: string): void => {
      // The socket answers headers without end with a body, whatever the method was: it has not
      // read that.
      const isUnread = asked.method === 'HEAD' && isEndless(asked);
      if (isUnread || (CUT.test(String(error)) && (asked.body?.length ?? 0) > LARGE_BYTES)) countIn(statuses, 'cut');
      else failures.push(`${error}\n  ${reported}`);
    },
  };
}

/**
 * Uses the server, then sends `count` requests that are made from its own description (the sweep
 * and by chance in turn), and judges every answer. It runs on afterwards.
 */
export async function attack(server: FuzzServer, count: number): Promise<AttackReport> {
  const { send, close } = createSender(server.port);
  const headers = { authorization: `Bearer ${PLANTED.admin}` };
  const document: OpenAPIV3_1.Document = JSON.parse(
    (await send({ method: 'GET', target: '/openapi.json', headers, body: null })).body,
  );
  const operations = operationsOf(document);
  const pools = createPools();
  const tally = createTally(createJudge(document), pools);

  let swept: ReturnType<typeof sweep> = [];
  const ask = async (n: number): Promise<void> => {
    const random = randomFrom(seed() * 1_000_003 + n);
    const chosen = chooseOperation(operations, random);
    // Every second one, so that a share has some of both.
    const planned = n % 2 === 0 ? swept[n / 2] : undefined;
    const { operation, asked } = planned ?? { operation: chosen, asked: makeRequest(chosen, { pools, random }) };
    const reported = `${n} of seed ${seed()}: ${shown(asked)}`;
    try {
      tally.take(operation, asked, { answer: await send(asked), told: reported });
    } catch (error) {
      tally.lose(error, asked, reported);
    }
  };
  await warmUp({ send }, pools);
  swept = shuffled(sweep(operations, pools));
  const startedMs = performance.now();
  let sent = 0;
  let restoring = Promise.resolve();
  const attacker = async (): Promise<void> => {
    while (sent < count && tally.failures.length < MAX_FAILURES) {
      const n = sent++;
      if (n % RESTORE_EVERY === RESTORE_EVERY - 1) restoring = restoring.then(server.restore);
      await restoring;
      await ask(n);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, attacker));
  close();
  const seconds = (performance.now() - startedMs) / 1000;
  const missed = operations
    .map(({ method, path }) => `${method} ${path}`)
    .filter((name) => tally.outcomesOf(name)[200] === undefined);
  const { statuses, failures } = tally;
  const report = missed.map((name) => `${name}: ${JSON.stringify(tally.outcomesOf(name))}`);
  return { sent, seconds, statuses, failures, slowest: tally.slowest(), missed: report };
}
