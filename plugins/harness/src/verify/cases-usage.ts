import type { Case, CaseOf, Ended } from './bench-port.js';
import { howOf, isDone, lost, none, ok, type Seen, wordsOf } from './cases.js';
import { letDo } from './cases-gate.js';
import { scripted } from './script.js';
import { saysOf } from './totals.js';
import { TOKENS } from './wire.js';

const usage: Case = async (of) => {
  of.bench.takeCount();
  const ended = await of.bench.run(scripted([[{ say: 'counted' }]]), howOf(of));
  const given = of.bench.takeCount();
  if (!isDone(ended)) return lost(wordsOf(ended));
  if ((ended.inputTokens ?? 0) === 0) return none('it tells no tokens');
  const seen = `${ended.inputTokens} in and ${ended.outputTokens} out`;
  return ended.inputTokens === given * TOKENS.input && ended.outputTokens === given * TOKENS.output
    ? ok(`${seen}, as they were given`)
    : lost(`${seen}; ${given * TOKENS.input} and ${given * TOKENS.output} were given`);
};

/** A sum without the last digits of its machine. */
const usdOf = (cost: number | null): string => (cost === null ? 'unknown' : String(Number(cost.toFixed(9))));

/** What kit counted beside what the program printed of itself. */
async function beside({ program, bench }: CaseOf, ended: Ended): Promise<Seen> {
  if (!isDone(ended)) return lost(wordsOf(ended));
  const says = saysOf(program.says, await bench.raw());
  if (says.inputTokens === null && says.costUsd === null) return none('it tells nothing of them');
  const seen = `${ended.inputTokens} in, ${ended.outputTokens} out, ${usdOf(ended.costUsd)} USD`;
  const isSame =
    (says.inputTokens ?? 0) === (ended.inputTokens ?? 0) &&
    (says.outputTokens ?? 0) === (ended.outputTokens ?? 0) &&
    Math.abs((says.costUsd ?? 0) - (ended.costUsd ?? 0)) < 1e-9;
  return isSame
    ? ok(seen)
    : lost(`${seen}; it says ${says.inputTokens} in, ${says.outputTokens} out, ${usdOf(says.costUsd)} USD`);
}

const totals: Case = async (of) => {
  const { program, bench } = of;
  const turns = [[program.execute('ls')], [program.execute('ls a.txt')], [{ say: 'three turns' }]];
  return beside(of, await bench.run(scripted(turns), { ...letDo(of, 'ls', 'ls a.txt'), isTeed: true }));
};

const ofSubagent: Case = async (of) => {
  const { program, bench } = of;
  if (program.delegate === null) return none('kit does not know how its model starts one');
  const { config, call } = program.delegate;
  const turns = [[call('Say hello and stop.')], [{ say: 'it was done' }]];
  return beside(of, await bench.run(scripted(turns), { ...howOf(of, config), isTeed: true }));
};

const afterPark: Case = async (of) => {
  const { program, bench } = of;
  if (!program.hasGate) return none('the adapter has no gate');
  bench.takeCount();
  const turns = [[program.execute('touch counted.txt')], [{ say: 'done' }]];
  const parked = await bench.run(scripted(turns), { config: { ...program.config, ...program.asking } });
  if (parked.status !== 'deferred') return lost(wordsOf(parked));
  const given = bench.takeCount();
  const ended = await bench.decide(parked.id, 'approve');
  const all = (given + bench.takeCount()) * TOKENS.input;
  if (!isDone(ended)) return lost(wordsOf(ended));
  if ((ended.inputTokens ?? 0) === 0) return none('it tells no tokens');
  if (ended.inputTokens === all) return ok(`${ended.inputTokens} in, over both processes`);
  return program.hidesCutUsage
    ? none(`${ended.inputTokens} in of ${all}: a prompt that was put off is told no tokens of`)
    : lost(`${ended.inputTokens} in of ${all}`);
};

/** What a program says of tokens and cost, and what kit makes of it. */
export const USAGE_CASES: Readonly<Record<string, Case>> = {
  usage,
  'own totals': totals,
  'totals of a subagent': ofSubagent,
  'usage over a park': afterPark,
};
