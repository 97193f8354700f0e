import type { JsonObject } from '@kit-run/kit/plugin';
import type { Case, CaseOf, CaseResult, Ended, RunOf } from './bench-port.js';
import { REMARK } from './documents.js';
import { scripted } from './script.js';

export type Seen = Omit<CaseResult, 'name'>;

export const ok = (seen: string): Seen => ({ result: 'ok', seen });
export const lost = (seen: string): Seen => ({ result: 'lost', seen });
export const none = (seen: string): Seen => ({ result: 'none', seen });

/** How a run ended, in one line. */
export const wordsOf = ({ status, reason, output }: Ended): string =>
  [status, reason, output.slice(0, 80)].filter((text) => text !== '').join(': ');

/** What every run of the program is given; where it has no gate, it is let do everything. */
export const howOf = ({ program }: Pick<CaseOf, 'program'>, more: JsonObject = {}): RunOf => ({
  config: { ...program.config, ...program.open, ...more },
});

export const isDone = ({ status }: Ended): boolean => status === 'completed';

/** `then` of an entry, without a member that looks like a promise. */
export const entries = (...list: readonly (readonly [answer: string, kind: string, match: string])[]): JsonObject[] =>
  list.map(([answer, kind, match]) =>
    Object.fromEntries([
      ['kind', kind],
      ['match', match],
      ['then', answer],
    ]),
  );

const LONG = 140_000;
/** Nothing in it comes twice: some programs end a model that repeats itself. */
const NUMBERS = Array.from({ length: LONG / 5 }, (_, at) => 10_000 + at).join(' ');

const answer: Case = async (of) => {
  const ended = await of.bench.run(scripted([[{ say: 'verified answer' }]]), howOf(of));
  return isDone(ended) && ended.output.includes('verified answer')
    ? ok(ended.output.slice(0, 80))
    : lost(wordsOf(ended));
};

const anyText: Case = async (of) => {
  const text = 'gr\u00fc\u00dfe "quoted" {braces} \ud83c\udf0d\nline two';
  const ended = await of.bench.run(scripted([[{ say: text }]]), howOf(of));
  return isDone(ended) && ended.output.includes(text)
    ? ok('quotes, lines and any letters arrive')
    : lost(wordsOf(ended));
};

const longAnswer: Case = async (of) => {
  const ended = await of.bench.run(scripted([[{ say: `${NUMBERS} long end` }]]), howOf(of));
  return isDone(ended) && ended.output.length >= LONG && ended.output.includes('long end')
    ? ok(`${ended.output.length} characters`)
    : lost(`${ended.status} ${ended.reason}: ${ended.output.length} characters`);
};

const longTask: Case = async (of) => {
  const ended = await of.bench.run(`${'x'.repeat(LONG)} ${scripted([[{ say: 'read it all' }]])}`, howOf(of));
  return isDone(ended) && ended.output.includes('read it all') ? ok(`${LONG} characters`) : lost(wordsOf(ended));
};

const edit: Case = async (of) => {
  const { program, bench } = of;
  const ended = await bench.run(
    scripted([[program.write('verify.txt', 'verified\n')], [{ say: 'written' }]]),
    howOf(of),
  );
  const diff = await bench.diff(ended.id);
  return isDone(ended) && diff.includes('+verified') ? ok('the file is in the diff') : lost(wordsOf(ended));
};

const command: Case = async (of) => {
  const { program, bench } = of;
  const permissions = { permissions: entries(['allow', 'execute', 'touch made.txt']) };
  const turns = [[program.execute('touch made.txt')], [{ say: 'made' }]];
  const ended = await bench.run(scripted(turns), howOf(of, program.hasGate ? permissions : {}));
  return isDone(ended) && (await bench.diff(ended.id)).includes('made.txt')
    ? ok('it was carried out')
    : lost(wordsOf(ended));
};

const failing: Case = async (of) => {
  const { program, bench } = of;
  const permissions = { permissions: entries(['allow', 'execute', 'ls no-such-file']) };
  const turns = [[program.execute('ls no-such-file')], [{ say: 'it failed' }]];
  const ended = await bench.run(scripted(turns), howOf(of, program.hasGate ? permissions : {}));
  return isDone(ended) ? ok(`the session went on: ${ended.output.slice(0, 40)}`) : lost(wordsOf(ended));
};

const refused: Case = async (of) => {
  const ended = await of.bench.run(scripted([[{ status: 400 }]]), howOf(of));
  return ended.status === 'failed' && ended.reason.includes('executor.')
    ? ok(ended.reason.slice(0, 60))
    : lost(wordsOf(ended));
};

const corrected: Case = async (of) => {
  const outputSchema = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };
  const turns = [[{ say: '{"n":"one"}' }], [{ say: '{"n":1}' }]];
  const ended = await of.bench.run(scripted(turns), { ...howOf(of), outputSchema });
  const started = await of.bench.events(ended.id, 'executor.started');
  if (!isDone(ended) || ended.output.replaceAll(' ', '') !== '{"n":1}') return lost(wordsOf(ended));
  return JSON.stringify(started.at(-1) ?? '').includes('"resumed":true')
    ? ok('in the same session')
    : lost('in a new session');
};

const skill: Case = async (of) => {
  const { program, bench } = of;
  const calls = program.skill('remark');
  if (calls.length === 0) return none('the program takes no tools of kit');
  bench.takeCount();
  const ended = await bench.run(scripted([...calls.map((call) => [call]), [{ say: 'remarked' }]]), {
    ...howOf(of),
    hasSkill: true,
  });
  if (!isDone(ended)) return lost(wordsOf(ended));
  const executed = await bench.events(ended.id, 'skill.executed');
  if (executed.length !== 1) return lost(`it was called ${executed.length} times`);
  return bench.hasHeard(REMARK) ? ok('a skill of its agent was called once, by kit') : lost('its answer was not heard');
};

/** Of every program. */
export const CASES: Readonly<Record<string, Case>> = {
  answer,
  'any letters': anyText,
  'long answer': longAnswer,
  'long task': longTask,
  'edit and diff': edit,
  command,
  'failing tool': failing,
  'model refuses': refused,
  correction: corrected,
  skill,
};
