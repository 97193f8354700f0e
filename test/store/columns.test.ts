import { expect, expectTypeOf, it } from 'vitest';
import { type RowOf, tableOf } from '../../src/store/columns.js';

interface Note {
  readonly id: string;
  readonly jobId: string;
  readonly sha256: string;
  readonly ruleIndex: number | null;
  readonly isStale: boolean;
  readonly tags: readonly string[];
  readonly details: readonly string[] | null;
  readonly signature: { readonly keyId: string } | null;
}

const NOTES = tableOf<Note>('notes', {
  id: 'plain',
  job_id: 'plain',
  sha256: 'plain',
  rule_index: 'plain',
  is_stale: 'mark',
  tags: 'json',
  details: 'json',
  signature: 'json?',
});

const NOTE: Note = {
  id: 'n1',
  jobId: 'j1',
  sha256: 'ab',
  ruleIndex: null,
  isStale: true,
  tags: ['x'],
  details: null,
  signature: { keyId: 'k' },
};

it('names a column after each member, and holds lists and marks as both dialects can', () => {
  expect(NOTES.encode(NOTE)).toEqual({
    id: 'n1',
    job_id: 'j1',
    sha256: 'ab',
    rule_index: null,
    is_stale: 1,
    tags: '["x"]',
    details: 'null',
    signature: '{"keyId":"k"}',
  });
  expect(NOTES.encode({ ...NOTE, isStale: false, signature: null })).toMatchObject({ is_stale: 0, signature: null });
});

it('gives back what it was given, and no column beside it', () => {
  for (const note of [NOTE, { ...NOTE, ruleIndex: 2, isStale: false, details: ['d'], signature: null }])
    expect(NOTES.decode({ ...NOTES.encode(note), ord: 7 } as RowOf<Note>)).toEqual(note);
});

it('writes a whole row, or the columns that may change', () => {
  expect(NOTES.insert).toBe(
    'INSERT INTO notes (id, job_id, sha256, rule_index, is_stale, tags, details, signature) VALUES (@id, @job_id, @sha256, @rule_index, @is_stale, @tags, @details, @signature)',
  );
  expect(NOTES.update(['is_stale', 'tags'], 'id = @id')).toBe(
    'UPDATE notes SET is_stale = @is_stale, tags = @tags WHERE id = @id',
  );
});

it('is held to the members of the type, and to how each is held', () => {
  expectTypeOf<RowOf<Note>['is_stale']>().toEqualTypeOf<number>();
  expectTypeOf<RowOf<Note>['rule_index']>().toEqualTypeOf<number | null>();
  expectTypeOf<RowOf<Note>['tags']>().toEqualTypeOf<string>();
  // @ts-expect-error A member has no column.
  tableOf<Pick<Note, 'id' | 'jobId'>>('notes', { id: 'plain' });
  // @ts-expect-error A list is not plain column.
  tableOf<Pick<Note, 'tags'>>('notes', { tags: 'plain' });
});
