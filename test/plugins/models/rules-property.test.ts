import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject, ModelResult } from '@kit-run/kit/plugin';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { callOptions, message, request, rulesProvider, textOf } from './helpers.js';
import { type Case, type Location, leavesOf, normalized, randomCase } from './rules-cases.js';

const CASES = 1_000;
const SEED = 20_250_101;

let generate: (given: Case) => Promise<ModelResult>;
beforeAll(async () => {
  const provider = await rulesProvider();
  generate = ({ children, schema }) => {
    const results = Object.entries(children).map(([name, { output, isError, asText }]) => ({
      type: 'tool_result' as const,
      id: name,
      name: `delegate_to_${name}`,
      output: asText ? JSON.stringify(output) : output,
      isError,
    }));
    return provider.generate(request({ outputSchema: schema, messages: [message('tool', ...results)] }), callOptions());
  };
});

interface Answer {
  readonly value: Json;
  readonly sources: Readonly<Record<string, string>>;
}

async function answerTo(given: Case): Promise<Answer | null> {
  const result = await generate(given);
  if (!result.ok) {
    expect(result.failure.kind).toBe('unfilled');
    return null;
  }
  return {
    value: JSON.parse(textOf(result.response)) as Json,
    sources: result.response.annotations?.sources as Record<string, string>,
  };
}

/** The steps of a normalized path; null for the text of a query. */
function locationOf(path: string): Location | null {
  if (!/^\$(\['[^']*'\]|\[\d+\])*$/.test(path)) return null;
  return [...path.matchAll(/\['([^']*)'\]|\[(\d+)\]/g)].map(([, key, index]) =>
    index === undefined ? (key ?? '') : Number(index),
  );
}

function at(value: Json, location: Location): Json | undefined {
  return location.reduce<Json | undefined>(
    (current, step) => (current as Record<string | number, Json> | null | undefined)?.[step],
    value,
  );
}

const pointerOf = (location: Location): string => location.map((step) => `/${step}`).join('');
const tokensOf = (pointer: string): Location => (pointer === '' ? [] : pointer.slice(1).split('/'));

describe('rules over random results and schemas', () => {
  test('every leaf of the answer is the input at its recorded source, or the count, sum or status of an input list', async () => {
    const seen = { filled: 0, found: 0, computed: 0 };

    await fc.assert(
      fc.asyncProperty(randomCase, async (given) => {
        const answer = await answerTo(given);
        if (answer === null) return;
        seen.filled += 1;
        const input = normalized(given.children);
        for (const leaf of leavesOf(answer.value)) {
          // The source of a leaf is its own, or that of the open object or list that was taken as a
          // whole.
          const holder = leaf.location
            .map((_, index) => leaf.location.slice(0, leaf.location.length - index))
            .find((part) => pointerOf(part) in answer.sources);
          expect(holder, `no source for ${pointerOf(leaf.location)}`).toBeDefined();
          const source = answer.sources[pointerOf(holder ?? [])] ?? '';
          const computed = /^(?:count|sum|status)\((.*)\)$/s.exec(source)?.[1];
          if (computed === undefined) {
            expect(at(input, [...(locationOf(source) ?? ['no path']), ...leaf.location.slice(holder?.length)])).toEqual(
              leaf.value,
            );
            seen.found += 1;
          } else {
            expect(given.expected.get(computed)).toEqual(leaf.value);
            seen.computed += 1;
          }
        }
      }),
      { numRuns: CASES, seed: SEED },
    );

    // A property over nothing holds for nothing.
    console.log(`rules: ${CASES} cases, ${seen.filled} filled, ${seen.found} leaves found, ${seen.computed} computed`);
    expect(seen.filled).toBeGreaterThan(CASES / 4);
    expect(seen.found).toBeGreaterThan(CASES / 2);
    expect(seen.computed).toBeGreaterThan(CASES / 4);
  });

  test('changing an input leaf that an answer names as its source changes the answer', async () => {
    let changed = 0;

    await fc.assert(
      fc.asyncProperty(randomCase, async (given) => {
        const answer = await answerTo(given);
        if (answer === null) return;
        for (const location of usedLeaves(given, answer)) {
          const other = await answerTo(withOtherLeaf(given, location));
          expect(
            other === null || !isDeepStrictEqual(other.value, answer.value),
            `${location.join('/')} has no effect`,
          ).toBe(true);
          changed += 1;
        }
      }),
      { numRuns: CASES, seed: SEED },
    );

    expect(changed).toBeGreaterThan(CASES / 2);
  });
});

/**
 * Scalars of the input that the answer's sources point at; a failed child's status is not the
 * child's to say.
 */
function usedLeaves(given: Case, answer: Answer): readonly Location[] {
  return Object.entries(answer.sources).flatMap(([pointer, source]) => {
    const location = locationOf(source);
    const value = at(answer.value, tokensOf(pointer));
    // The source of a list that was mapped names the list; its members have sources of their own.
    if (location === null || value === undefined || Array.isArray(value)) return [];
    return leavesOf(value, location)
      .filter((leaf) => typeof leaf.value !== 'object')
      .map((leaf) => leaf.location)
      .filter(([child, key]) => !(key === 'status' && given.children[String(child)]?.isError));
  });
}

function withOtherLeaf(given: Case, location: Location): Case {
  const [name, ...rest] = location;
  const children = structuredClone(given.children) as Record<
    string,
    { output: JsonObject; isError: boolean; asText: boolean }
  >;
  const holder = at(children[String(name)]?.output ?? {}, rest.slice(0, -1)) as Record<string | number, Json>;
  const key = rest.at(-1) ?? '';
  const old = holder[key];
  holder[key] = typeof old === 'number' ? old + 1_000_003 : typeof old === 'boolean' ? !old : `${old}!`;
  return { ...given, children };
}
