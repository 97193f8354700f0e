import type { JsonObject } from '@kit-run/kit/plugin';
import { scripted } from './model-server.js';
import type { VerifiedProgram } from './programs.js';
import { TOKENS } from './wire.js';

/** What came of one case. `lost`: what kit says of the program does not hold. */
export interface CaseResult {
  readonly name: string;
  readonly result: 'ok' | 'lost' | 'none';
  /** What was seen, in words. */
  readonly seen: string;
}

/** One workspace of kit in which the program is run, with everything private to it. */
export interface Bench {
  run(task: string, config: JsonObject): Promise<Ended>;
  /** Approves or rejects the one open item and goes on with the run. */
  decide(run: string, action: 'approve' | 'reject'): Promise<Ended>;
  diff(run: string): Promise<string>;
  /** Answers of the model since the last call. */
  takeCount(): number;
  /** What the program says of itself; null: it is not there. */
  version(): Promise<string | null>;
}

/** A run as `kit run --json` tells it at its end. */
export interface Ended {
  readonly id: string;
  readonly status: string;
  readonly output: string;
  readonly reason: string;
  readonly inputTokens: number;
}

export interface CaseOf {
  readonly program: VerifiedProgram;
  readonly bench: Bench;
}

type Case = (of: CaseOf) => Promise<Omit<CaseResult, 'name'>>;

const ok = (seen: string): Omit<CaseResult, 'name'> => ({ result: 'ok', seen });
const lost = (seen: string): Omit<CaseResult, 'name'> => ({ result: 'lost', seen });
const NO_GATE = { result: 'none', seen: 'the adapter has no gate' } as const;
const wordsOf = ({ status, reason, output }: Ended): string =>
  [status, reason, output.slice(0, 80)].filter((text) => text !== '').join(': ');

const answer: Case = async ({ program, bench }) => {
  const ended = await bench.run(scripted([[{ say: 'verified answer' }]]), { ...program.config, ...program.open });
  return ended.status === 'completed' && ended.output.includes('verified answer')
    ? ok(ended.output.slice(0, 80))
    : lost(wordsOf(ended));
};

const usage: Case = async ({ program, bench }) => {
  bench.takeCount();
  const ended = await bench.run(scripted([[{ say: 'counted' }]]), { ...program.config, ...program.open });
  const given = bench.takeCount() * TOKENS.input;
  if (ended.inputTokens === 0) return { result: 'none', seen: 'it tells no tokens' };
  const seen = `${ended.inputTokens} tokens in, ${given} were given`;
  return ended.inputTokens === given ? ok(seen) : lost(seen);
};

const edit: Case = async ({ program, bench }) => {
  const turns = [[program.write('verify.txt', 'verified\n')], [{ say: 'written' }]];
  const ended = await bench.run(scripted(turns), { ...program.config, ...program.open });
  const diff = await bench.diff(ended.id);
  return ended.status === 'completed' && diff.includes('+verified')
    ? ok('the file is in the diff')
    : lost(wordsOf(ended));
};

const failing: Case = async ({ program, bench }) => {
  const turns = [[program.execute('ls no-such-file')], [{ say: 'it failed' }]];
  const permissions = [{ kind: 'execute', match: 'ls no-such-file', answer: 'allow' }];
  const ended = await bench.run(scripted(turns), {
    ...program.config,
    ...program.open,
    ...(program.hasGate ? { permissions: entries(permissions) } : {}),
  });
  return ended.status === 'completed' ? ok(`the session went on: ${ended.output.slice(0, 40)}`) : lost(wordsOf(ended));
};

const denial: Case = async ({ program, bench }) => {
  if (!program.hasGate) return NO_GATE;
  const turns = [[program.execute('touch denied.txt')], [{ say: 'not allowed' }]];
  const permissions = entries([{ kind: 'execute', match: 'touch denied.txt', answer: 'deny' }]);
  const ended = await bench.run(scripted(turns), { ...program.config, permissions });
  const diff = await bench.diff(ended.id);
  if (diff.includes('denied.txt')) return lost('the call was made although it was denied');
  return ended.status === 'completed' ? ok('refused, and the session went on') : lost(wordsOf(ended));
};

const approval: Case = async ({ program, bench }) => {
  if (!program.hasGate) return NO_GATE;
  const turns = [[program.execute('touch asked.txt')], [{ say: 'done' }]];
  const parked = await bench.run(scripted(turns), program.config);
  if (parked.status !== 'deferred') return lost(`people were not asked: ${wordsOf(parked)}`);
  const ended = await bench.decide(parked.id, 'approve');
  const diff = await bench.diff(ended.id);
  if (ended.status !== 'completed') return lost(wordsOf(ended));
  return diff.includes('asked.txt')
    ? ok('parked, approved, made, in the same session')
    : lost('the approved call was not made');
};

const rejection: Case = async ({ program, bench }) => {
  if (!program.hasGate) return NO_GATE;
  const turns = [[program.execute('touch rejected.txt')], [{ say: 'without it' }]];
  const parked = await bench.run(scripted(turns), program.config);
  if (parked.status !== 'deferred') return lost(`people were not asked: ${wordsOf(parked)}`);
  const ended = await bench.decide(parked.id, 'reject');
  const diff = await bench.diff(ended.id);
  if (diff.includes('rejected.txt')) return lost('the call was made although it was rejected');
  return ended.status === 'completed' ? ok('told, and the session went on') : lost(wordsOf(ended));
};

/** Entries of `permissions`, without a member that looks like a promise. */
const entries = (list: readonly { kind: string; match: string; answer: string }[]): JsonObject[] =>
  list.map(({ kind, match, answer: word }) =>
    Object.fromEntries([
      ['kind', kind],
      ['match', match],
      ['then', word],
    ]),
  );

export const CASES: Readonly<Record<string, Case>> = {
  answer,
  usage,
  'edit and diff': edit,
  'failing tool': failing,
  denial,
  'gate, approved': approval,
  'gate, rejected': rejection,
};
