import { expect, it } from 'vitest';
import type { KnowledgeIndex } from '../../../src/domain/ports/knowledge.js';
import { knowledgeWords } from '../../../src/govern/knowledge/words.js';
import { documentOf, indexOf } from '../../support/knowledge-samples.js';
import { claimOf, newJob, startedEvent } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const DAY_MS = 24 * 60 * 60 * 1000;

export function knowledgeLaws(world: World): void {
  const store = () => world().stores.knowledge;
  /** Keeps documents and names their index. */
  async function put(files: Readonly<Record<string, string>>): Promise<KnowledgeIndex> {
    for (const text of Object.values(files)) await store().putDocument(documentOf(text));
    const index = indexOf(files);
    expect(await store().putIndex(index)).toBe(true);
    return index;
  }
  const find = async ({ digest }: KnowledgeIndex, question: string, limit = 20) =>
    store().find(digest, { words: knowledgeWords(question), limit });
  const filesOf = async (index: KnowledgeIndex, question: string) =>
    (await find(index, question))?.map(({ file }) => file);

  it('finds passages by their words, the rarer one first, with file, heading and lines', async () => {
    const index = await put({
      'docs/a.md': '# Refunds\n\nRefunds are paid within 30 days.\n\n# Invoices\n\nInvoices are sent on Monday.\n',
      'docs/b.md': '# Holidays\n\nNobody is paid on Sunday.\n',
      'docs/c.md': '# Wages\n\nWages are paid on Friday.\n',
    });

    const found = await find(index, 'when are refunds paid?');

    expect(found?.[0]).toMatchObject({
      file: 'docs/a.md',
      passage: { heading: 'Refunds', lines: [1, 3], text: '# Refunds\n\nRefunds are paid within 30 days.' },
    });
    expect(found?.map(({ match }) => match)).toEqual(
      [...(found ?? [])].map(({ match }) => match).sort((a, b) => b - a),
    );
    expect(await filesOf(index, 'zebra')).toEqual([]);
    expect(await filesOf(index, '?')).toEqual([]);
    expect(await find(index, 'paid', 1)).toHaveLength(1);
  });

  it('searches the documents of one index and of no other', async () => {
    const old = await put({ 'a.md': 'the price is 10 euro' });
    const recent = await put({ 'a.md': 'the price is 12 euro' });
    const other = await put({ 'other/a.md': 'nothing about it' });

    expect((await find(old, 'price'))?.map(({ passage }) => passage.text)).toEqual(['the price is 10 euro']);
    expect((await find(recent, 'price'))?.map(({ passage }) => passage.text)).toEqual(['the price is 12 euro']);
    expect(await find(other, 'price')).toEqual([]);
  });

  it('says of an index that is not there that it is not, which is not an empty answer', async () => {
    expect(await store().find('f'.repeat(64), { words: ['price'], limit: 5 })).toBeNull();
  });

  it('names no index whose documents are not all kept whole', async () => {
    await store().putDocument(documentOf('one'));
    const index = indexOf({ 'a.md': 'one', 'b.md': 'two' });

    expect(await store().putIndex(index)).toBe(false);
    expect(await find(index, 'one')).toBeNull();
    const kept = await store().known(index.files.map(({ document }) => document));
    expect([...kept]).toEqual([documentOf('one').digest]);
  });

  it('keeps a document once, however often it is put, and files with the same bytes share it', async () => {
    const text = '# One\n\nthe same words';
    const index = await put({ 'a.md': text, 'b.md': text });
    await store().putDocument(documentOf(text));

    expect(await filesOf(index, 'words')).toEqual(['a.md']);
    expect(await store().putIndex(index)).toBe(true);
  });

  it('takes texts of every kind, and an empty document', async () => {
    const index = await put({ 'a.md': 'naïve Ünïcode 漢字 \u{1F600} "quoted" {json} \\ end', 'empty.md': '' });

    expect((await find(index, 'NAIVE unicode'))?.map(({ passage }) => passage.text)).toEqual([
      'naïve Ünïcode 漢字 \u{1F600} "quoted" {json} \\ end',
    ]);
  });

  it('keeps a long document whole, in as many writes as it takes', async () => {
    const lines = Array.from({ length: 400 }, (_, n) => `# Part ${n}\n\nThis is about word${n} and thing${n % 7}.`);
    const index = await put({ 'long.md': lines.join('\n\n') });

    expect((await find(index, 'word399'))?.map(({ passage }) => passage.heading)).toEqual(['Part 399']);
    expect(await find(index, 'thing3', 100)).toHaveLength(57);
  });

  it('removes indexes that no run can search any more, and the documents that only they named', async () => {
    const { stores, ids } = world();
    const insert = () => stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())], claimOf());
    const idle = await put({ 'a.md': 'the first text', 'b.md': 'what stays' });
    await world().elapse(5 * DAY_MS);
    // A run of these days waits for somebody, however old it becomes.
    const searched = await put({ 'b.md': 'what stays', 'c.md': 'the second text' });
    await insert();
    await store().putDocument(documentOf('what nobody named'));
    await world().elapse(100 * DAY_MS);
    const recent = await put({ 'd.md': 'the third text' });
    const age = { olderThanDays: 30 };

    const plan = await stores.retention.plan(age, 'exact');
    const removed = await stores.retention.prune(age, () => undefined);

    expect(plan.rows).toMatchObject({ knowledge_indexes: 1, knowledge_documents: 2 });
    expect(removed.rows).toMatchObject({ knowledge_indexes: 1, knowledge_documents: 2 });
    expect(await find(idle, 'first')).toBeNull();
    expect(await filesOf(searched, 'second stays')).toHaveLength(2);
    expect(await filesOf(recent, 'third')).toEqual(['d.md']);
    const documents = ['the first text', 'what nobody named', 'what stays'].map((text) => documentOf(text).digest);
    expect([...(await store().known(documents))]).toEqual([documentOf('what stays').digest]);
    expect((await stores.retention.prune(age, () => undefined)).rows).toMatchObject({
      knowledge_indexes: 0,
      knowledge_documents: 0,
    });
  });

  it('keeps an index as long as submits name it', async () => {
    const index = await put({ 'a.md': 'the text' });
    await world().elapse(40 * DAY_MS);
    expect(await store().putIndex(index)).toBe(true);
    await world().elapse(20 * DAY_MS);

    await world().stores.retention.prune({ olderThanDays: 30 }, () => undefined);

    expect(await filesOf(index, 'text')).toEqual(['a.md']);
  });
}
