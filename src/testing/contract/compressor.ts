import type { Compressor } from '../../domain/ports/compressor.js';
import { must, type Settled, settled } from './case.js';
import { conformanceOf, openIn, type Subject } from './common.js';
import { type ContractFixtures, SILENT, UNREACHABLE, type World } from './world.js';

/** What the suite gives a compressor to shorten. It is always created with {}. */
export interface CompressorFixtures extends Omit<ContractFixtures, 'config'> {
  /** A text that it makes shorter. Without it no text is tried that it surely takes. */
  readonly text?: string;
  /** The tool that the texts come from. Default `search`, of no server. */
  readonly tool?: string;
  readonly server?: string;
}

type Sub = Subject<'compressors', CompressorFixtures>;

const TEXTS: readonly string[] = [
  '',
  'x',
  '{"a":',
  'null',
  '\u0000',
  '\ud83d\ude00'.repeat(3000),
  'a line\n'.repeat(5000),
  JSON.stringify([{ a: 1 }, { a: 2 }, { a: 3 }]),
];

async function compressIn(
  world: World,
  compressor: Compressor,
  { fixtures, text }: { readonly fixtures: CompressorFixtures; readonly text: string },
) {
  const place = { tool: fixtures.tool ?? 'search', server: fixtures.server ?? null };
  const outcome: Settled<unknown> = await settled(
    async () => compressor.compress(text, place),
    world.deadlineMs,
    'compress',
  );
  if (outcome.how === 'value') {
    const { value } = outcome;
    must(
      value === null || typeof value === 'string',
      `compress gave a value of type ${typeof value}, neither a text nor null`,
    );
    must(value === null || value.isWellFormed(), 'compress cut a character in half: the text is not well formed');
  }
  return outcome as Settled<string | null>; // checked just now
}

async function shortensItsText(subject: Sub): Promise<string | null> {
  const { fixtures } = subject;
  const { text } = fixtures;
  if (text === undefined) return 'no `text` was given that it shortens';
  const { world, instance } = await openIn(subject);
  const outcome = await compressIn(world, instance, { fixtures, text });
  must(outcome.how === 'value', 'compress threw for the `text` of the fixtures');
  must(
    outcome.value !== null && outcome.value.length < text.length,
    'compress did not make the `text` of the fixtures shorter',
  );
  return null;
}

async function answersAnyText(subject: Sub): Promise<string | null> {
  const { fixtures } = subject;
  const { world, instance: compressor } = await openIn(subject);
  for (const text of TEXTS) {
    const outcome = await compressIn(world, compressor, { fixtures, text });
    must(outcome.how === 'value', `compress threw for a text of ${text.length} characters; null leaves it as it is`);
  }
  return null;
}

async function answersTheSame(subject: Sub): Promise<string | null> {
  const { fixtures } = subject;
  const { world, instance: compressor } = await openIn(subject);
  const text = fixtures.text ?? TEXTS.at(-1) ?? '';
  const ask = () => compressIn(world, compressor, { fixtures, text });
  const [one, two] = await Promise.all([ask(), ask()]);
  if (one.how === 'error' || two.how === 'error') return 'it threw, which leaves the text as it is';
  if (world.requests.length > 0) return 'it asks a server, which may answer otherwise';
  must(
    one.value === two.value,
    'compress answered two calls with one text differently; calls run side by side and must not share what they write',
  );
  return null;
}

async function endsWithout(subject: Sub, network: typeof UNREACHABLE): Promise<string | null> {
  const { fixtures } = subject;
  const { world, instance: compressor } = await openIn(subject, network);
  if (network === SILENT) void world.asked.then(world.abort);
  const outcome = await compressIn(world, compressor, { fixtures, text: fixtures.text ?? TEXTS.at(-1) ?? '' });
  if (world.requests.length === 0) return 'it asked no server';
  world.mustHideSecrets(outcome.how === 'error' ? { 'its error': outcome.error } : {});
  return null;
}

/**
 * The contract of `compressors`: what a run relies on when a result enters a conversation. Cases
 * run one after the other.
 */
export const compressorConformance = conformanceOf<'compressors', CompressorFixtures>('compressors', {
  'makes the text of its fixtures shorter': shortensItsText,
  'answers any text with a text or null, and cuts no character in half': answersAnyText,
  'answers two calls at once with one text alike': answersTheSame,
  'ends when its server cannot be reached, and shows no secret': (subject) => endsWithout(subject, UNREACHABLE),
  'ends soon when the host is disposed while its server is silent': (subject) => endsWithout(subject, SILENT),
});
