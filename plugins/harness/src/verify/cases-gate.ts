import type { JsonObject } from '@kit-run/kit/plugin';
import type { Case, CaseOf, Ended } from './bench-port.js';
import { entries, howOf, isDone, lost, none, ok, wordsOf } from './cases.js';
import { scripted } from './script.js';

/** A case of programs that ask kit before their calls. */
const gated =
  (run: Case): Case =>
  async (of) =>
    of.program.hasGate ? run(of) : none('the adapter has no gate');

const asks = ({ program, bench }: CaseOf, turns: readonly (readonly JsonObject[])[]): Promise<Ended> =>
  bench.run(scripted(turns), { config: { ...program.config, ...program.asking } });

const notAsked = (ended: Ended) => lost(`people were not asked: ${wordsOf(ended)}`);
const isParked = ({ status }: Ended): boolean => status === 'deferred';

const denial: Case = gated(async ({ program, bench }) => {
  const turns = [[program.execute('touch denied.txt')], [{ say: 'not allowed' }]];
  const permissions = entries(['deny', 'execute', 'touch denied.txt']);
  const ended = await bench.run(scripted(turns), { config: { ...program.config, permissions } });
  if ((await bench.diff(ended.id)).includes('denied.txt')) return lost('the call was made although it was denied');
  return isDone(ended) ? ok('refused, and the session went on') : lost(wordsOf(ended));
});

const approved: Case = gated(async (of) => {
  const { program, bench } = of;
  const parked = await asks(of, [[program.execute('touch asked.txt')], [{ say: 'done' }]]);
  if (!isParked(parked)) return notAsked(parked);
  const ended = await bench.decide(parked.id, 'approve');
  if (!isDone(ended)) return lost(wordsOf(ended));
  return (await bench.diff(ended.id)).includes('asked.txt')
    ? ok('parked, approved, made, in the same session')
    : lost('the approved call was not made');
});

const nobodyResident: Case = gated(async (of) => {
  const { program, bench } = of;
  const parked = await asks(of, [[program.execute('touch asked.txt')], [{ say: 'done' }]]);
  if (!isParked(parked)) return notAsked(parked);
  const left = await bench.processes();
  if (left === null) return none('this system does not tell of processes');
  return left.length === 0 ? ok('no process while people decide') : lost(`${left.length} processes are left`);
});

const once: Case = gated(async (of) => {
  const { program, bench } = of;
  const call = program.execute('echo made >> effects.txt');
  const parked = await asks(of, [[call], [{ say: 'done' }]]);
  if (!isParked(parked)) return notAsked(parked);
  const ended = await bench.decide(parked.id, 'approve');
  const times = (await bench.diff(ended.id)).split('+made').length - 1;
  return isDone(ended) && times === 1 ? ok('made once') : lost(`made ${times} times: ${wordsOf(ended)}`);
});

const rejected: Case = gated(async (of) => {
  const { program, bench } = of;
  const parked = await asks(of, [[program.execute('touch rejected.txt')], [{ say: 'without it' }]]);
  if (!isParked(parked)) return notAsked(parked);
  bench.takeCount();
  const ended = await bench.decide(parked.id, 'reject', 'use the blue one');
  if ((await bench.diff(ended.id)).includes('rejected.txt')) return lost('the call was made although it was rejected');
  if (!isDone(ended)) return lost(wordsOf(ended));
  return bench.hasHeard('use the blue one') ? ok('the model was told why') : lost('the model was not told why');
});

const twice: Case = gated(async (of) => {
  const { program, bench } = of;
  const turns = [[program.execute('touch one.txt')], [program.execute('touch two.txt')], [{ say: 'both' }]];
  const parked = await asks(of, turns);
  if (!isParked(parked)) return notAsked(parked);
  const again = await bench.decide(parked.id, 'approve');
  if (!isParked(again)) return notAsked(again);
  const ended = await bench.decide(again.id, 'approve');
  const diff = await bench.diff(ended.id);
  return isDone(ended) && diff.includes('one.txt') && diff.includes('two.txt')
    ? ok('each was asked about, in one session')
    : lost(wordsOf(ended));
});

const oneAtATime: Case = gated(async (of) => {
  const { program, bench } = of;
  const turns = [[program.execute('touch first.txt'), program.execute('touch second.txt')], [{ say: 'one of them' }]];
  const parked = await asks(of, turns);
  if (!isParked(parked)) return notAsked(parked);
  const ended = await bench.decide(parked.id, 'approve');
  const diff = await bench.diff(parked.id);
  const made = ['first.txt', 'second.txt'].filter((name) => diff.includes(name));
  if (made.length > 1) return lost('a call was made that nobody approved');
  return isParked(ended) || isDone(ended) ? ok('what nobody approved was not made') : lost(wordsOf(ended));
});

const outside: Case = gated(async (of) => {
  const parked = await asks(of, [[of.program.write('/tmp/kit-verify-outside.txt', 'x\n')], [{ say: 'outside' }]]);
  return isParked(parked) ? ok('an edit outside the worktree is asked about') : notAsked(parked);
});

const edited: Case = gated(async ({ program, bench }) => {
  const turns = [[program.write('edited.txt', 'kept\n')], [{ say: 'written' }]];
  const permissions = entries(['ask', 'edit', '**']);
  const parked = await bench.run(scripted(turns), { config: { ...program.config, permissions } });
  if (!isParked(parked)) return notAsked(parked);
  if ((await bench.diff(parked.id)).includes('+kept')) return lost('it was made before anybody had decided');
  const ended = await bench.decide(parked.id, 'approve');
  return isDone(ended) && (await bench.diff(ended.id)).includes('+kept')
    ? ok('an edit was asked about, approved and made')
    : lost(wordsOf(ended));
});

const hostile: Case = gated(async (of) => {
  const { program, bench } = of;
  await bench.commit(program.hostile);
  const parked = await asks(of, [[program.execute('touch hostile.txt')], [{ say: 'done' }]]);
  if (parked.reason.includes('gate_unavailable')) return ok('not started in such a repository');
  if ((await bench.diff(parked.id)).includes('hostile.txt')) return lost('the repository let the call through');
  return isParked(parked) ? ok('the repository had no say') : lost(wordsOf(parked));
});

/** Of programs that ask. The last one changes the repository. */
export const GATE_CASES: Readonly<Record<string, Case>> = {
  denial,
  'gate, approved': approved,
  'gate, once': once,
  'gate, rejected': rejected,
  'gate, two in a row': twice,
  'gate, two at once': oneAtATime,
  'gate, edit': edited,
  'gate, outside': outside,
  'gate, nothing stays': nobodyResident,
  'hostile repository': hostile,
};

/** What a run with a gate is let do by itself. */
export const letDo = (of: Pick<CaseOf, 'program'>, ...commands: readonly string[]) =>
  howOf(
    of,
    of.program.hasGate
      ? { permissions: entries(...commands.map((command) => ['allow', 'execute', command] as const)) }
      : {},
  );
