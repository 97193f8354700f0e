import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../kit-process.js';
import { candidatesIn, type Mutation } from './candidates.js';
import { type Outcome, tryMutation } from './try-mutation.js';

/** Rooms without disk, clock or process: a run of their tests takes seconds. */
const ROOMS = ['lib', 'domain', 'govern', 'compile', 'view'];
/** What tests of other rooms prove: generated text, and keys, which are seen from outside. */
const ELSEWHERE = /\/generated\/|^src\/compile\/keys\//;

/** Every place of the pure rooms where a mutation can be made. */
export async function allCandidates(): Promise<readonly Mutation[]> {
  const files = globSync(`src/{${ROOMS.join(',')}}/**/*.ts`, { cwd: projectRoot })
    .filter((file) => !ELSEWHERE.test(file))
    .toSorted();
  const found = files.map(async (file) => candidatesIn(file, await readFile(join(projectRoot, file), 'utf8')));
  return (await Promise.all(found)).flat();
}

export interface Tried {
  readonly mutation: Mutation;
  readonly outcome: Outcome;
}

/** Tries each once, one at a time in each of the `copies`; the answer is in their order. */
export async function tryAll(
  copies: readonly string[],
  mutations: readonly Mutation[],
  timeoutMs: number,
): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  const waiting = [...mutations.entries()];
  const work = async (copy: string): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, mutation] = next;
      tried[index] = { mutation, outcome: await tryMutation(copy, mutation, timeoutMs) };
    }
  };
  await Promise.all(copies.map(work));
  return tried;
}

const LONGEST_SNIPPET = 100;
const snippet = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > LONGEST_SNIPPET ? `${line.slice(0, LONGEST_SNIPPET)}...` : line;
};

/** One line for people: `src/lib/semaphore.ts:12  a < b -> a <= b`. */
export const mutationLine = ({ file, line, before, after }: Mutation): string =>
  `${file}:${line}  ${snippet(before)} -> ${snippet(after)}`;
