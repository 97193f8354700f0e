import { expect, it } from 'vitest';
import { fromWire, toWire } from '../../src/view/schemas/codec.js';
import {
  ANY,
  arrayOf,
  BOOLEAN,
  closed,
  described,
  held,
  INTEGER,
  NUMBER,
  nullable,
  objectOrNull,
  oneOf,
  recordOf,
  STRING,
  STRINGS,
  TEXT_OR_NULL,
  TRUE,
} from '../../src/view/schemas/words.js';

const PART = closed({ run_id: held('jobId', STRING), is_first: BOOLEAN });
const THING = closed(
  {
    id: STRING,
    status: oneOf(['open', 'shut']),
    created_by: TEXT_OR_NULL,
    age_seconds: held('ageMs', described(nullable(NUMBER), 'Null: nobody knows.'), 1000),
    whole_seconds: held('wholeMs', INTEGER, 1000),
    words: STRINGS,
    parts: arrayOf(PART),
    best_part: nullable(PART),
    other_part: objectOrNull(PART),
    parts_by_name: recordOf(PART),
    details: ANY,
    estimated: TRUE,
    said_of: held('said', STRING),
  },
  ['estimated', 'said_of'],
);

const HELD = {
  id: 'a',
  status: 'open',
  createdBy: null,
  ageMs: 1500,
  wholeMs: 2000,
  words: ['x'],
  parts: [{ jobId: '1', isFirst: true }],
  bestPart: { jobId: '2', isFirst: false },
  otherPart: null,
  partsByName: { some_name: { jobId: '3', isFirst: false } },
  details: { kept_as: ['it is'] },
} as const;

const WIRE = {
  id: 'a',
  status: 'open',
  created_by: null,
  age_seconds: 1.5,
  whole_seconds: 2,
  words: ['x'],
  parts: [{ run_id: '1', is_first: true }],
  best_part: { run_id: '2', is_first: false },
  other_part: null,
  parts_by_name: { some_name: { run_id: '3', is_first: false } },
  details: { kept_as: ['it is'] },
};

/** What there is to hold of an answer that says nothing. */
const EMPTY = {
  ...{ id: '', status: '', createdBy: null, ageMs: null, wholeMs: 0, words: [], parts: [] },
  ...{ bestPart: null, otherPart: null, partsByName: {}, details: null },
};

it('writes an answer as its schema names it, and reads the same back', () => {
  expect(JSON.stringify(toWire(THING, HELD))).toBe(JSON.stringify(WIRE));
  expect(fromWire(THING, WIRE)).toEqual(HELD);

  const whole = { ...HELD, estimated: true, said: 'so' } as const;
  expect(toWire(THING, whole)).toEqual({ ...WIRE, estimated: true, said_of: 'so' });
  expect(fromWire(THING, { ...WIRE, estimated: true, said_of: 'so' })).toEqual(whole);
});

it('keeps to itself what the schema does not name', () => {
  const secret = { ...HELD, token: 'hidden', parts: [{ jobId: '1', isFirst: true, token: 'hidden' }] };

  expect(JSON.stringify(toWire(THING, secret))).not.toContain('hidden');
});

it('writes whole units where the answer has whole numbers', () => {
  expect(toWire(THING, { ...HELD, wholeMs: 2999 }).whole_seconds).toBe(2);
});

it('refuses to write an answer without a member that is always there', () => {
  const { id: _, ...without } = HELD;

  expect(() => toWire(THING, without as typeof HELD)).toThrow('id of an answer is missing');
});

it.each([undefined, null, 'text', 7, [], {}, { unknown_member: 1, __proto__: { id: 'inherited' } }])(
  'reads %j as an answer that says nothing',
  (answer) => {
    expect(fromWire(THING, answer === undefined ? answer : JSON.parse(JSON.stringify(answer)))).toEqual(EMPTY);
  },
);

it('takes a newer word as it is called, and nothing of another type', () => {
  const hostile = {
    ...WIRE,
    status: 'of-a-version-to-come',
    created_by: 7,
    age_seconds: '1',
    whole_seconds: {},
    words: ['x', 7, null, {}],
    parts: ['p', null, { run_id: 7, is_first: 'yes', more: 1 }],
    best_part: [],
    other_part: 'p',
    parts_by_name: JSON.parse('{"__proto__": {"run_id": "4"}, "x": 1}'),
    estimated: 'yes',
    said_of: 7,
  };

  const read = fromWire(THING, hostile);

  expect(read).toEqual({
    ...{ ...EMPTY, id: 'a', status: 'of-a-version-to-come', words: ['x'], details: HELD.details },
    ...{ parts: [{ jobId: '', isFirst: false }], partsByName: read.partsByName },
  });
  expect(Object.entries(read.partsByName)).toEqual([['__proto__', { jobId: '4', isFirst: false }]]);
});
