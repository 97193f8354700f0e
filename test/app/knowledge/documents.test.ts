import { mkdir, mkdtemp, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_FILE_BYTES } from '../../../src/app/knowledge/documents.js';
import { prepareKnowledge } from '../../../src/app/knowledge/prepare-knowledge.js';
import type { DigestCache } from '../../../src/app/knowledge/read-documents.js';
import { validateWorkspace } from '../../../src/app/validate-workspace.js';
import type { KnowledgeBase } from '../../../src/domain/knowledge.js';
import type { KnowledgeDocument, KnowledgeIndex, KnowledgeStore } from '../../../src/domain/ports/knowledge.js';
import { nodeFiles } from '../../../src/system/files.js';
import { pdfPages } from '../../../src/system/pdf-pages.js';
import { topology } from '../../compile/rules/artifact-text.js';
import { deps, WORKSPACE } from '../../support/compile.js';
import { pdfOf } from '../../support/knowledge-samples.js';

let top: string;
let root: string;
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'kit-kb-'));
  root = join(top, 'workspace');
  await put({
    'workspace.yaml': `${WORKSPACE}memory: { enabled: false }\n`,
    'topologies/t.yaml': topologyWith('{ id: kb, path: docs }'),
  });
});
afterEach(() => rm(top, { recursive: true, force: true }));

const topologyWith = (base: string): string =>
  `${topology('t', 'skills: [search-kb]')}artifacts: { knowledge_bases: [${base}] }\n`;

async function put(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

const base = (over: Partial<KnowledgeBase> = {}): KnowledgeBase => ({
  id: 'kb',
  path: 'docs',
  include: [],
  storage: null,
  ...over,
});

/** A store that keeps what it is given. */
function shelf() {
  const documents = new Map<string, KnowledgeDocument>();
  const indexes: KnowledgeIndex[] = [];
  const store: KnowledgeStore = {
    known: async (digests) => new Set(digests.filter((digest) => documents.has(digest))),
    putDocument: async (document) => void documents.set(document.digest, document),
    putIndex: async (index) => indexes.push(index) > 0,
    find: () => Promise.reject(new Error('nobody searches here')),
  };
  return { store, documents, indexes };
}

const sources = (cache: DigestCache | null = null) => ({ files: nodeFiles, root, cache, pdfPages });
const prepare = (over: Partial<KnowledgeBase> = {}) => prepareKnowledge(sources(), [base(over)]);
async function indexed(over: Partial<KnowledgeBase> = {}) {
  const kept = shelf();
  const prepared = await prepare(over);
  await prepared.write(kept.store);
  const files = kept.indexes[0]?.files ?? [];
  return Object.fromEntries(
    files.map(({ path, document }) => [
      path,
      kept.documents.get(document)?.passages.map(({ words: _, ...passage }) => passage),
    ]),
  );
}
const problemsOf = async (of: Promise<unknown>): Promise<readonly string[]> => {
  const error: unknown = await of.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: 'KIT_KNOWLEDGE_INVALID' });
  const { data, message } = error as {
    readonly data: { readonly problems: readonly { code: string; file: string }[] };
    readonly message: string;
  };
  for (const { file } of data.problems) expect(message).toContain(file);
  return data.problems.map(({ code, file }) => `${code} ${file}`);
};
/** What `kit validate` says of documents. */
async function said(): Promise<readonly string[]> {
  const { diagnostics } = await validateWorkspace(root, {
    ...deps(),
    openDocuments: async () => ({ pdfPages, cache: null }),
  });
  return diagnostics
    .filter(({ code }) => code.startsWith('knowledge.'))
    .map(({ severity, code, path, pointer, message }) => `${severity} ${code} ${path}#${pointer} ${message}`);
}

describe('documents of a knowledge base', () => {
  it('are Markdown by heading, text by paragraph and PDF by page', async () => {
    await put({
      'docs/a.md': '# A\n\nOne.\n\n## B\n\nTwo.\n',
      'docs/deep/b.TXT': '\uFEFFThree.\r\n\r\nFour.\r\n',
      'docs/c.pdf': pdfOf(['Refunds are paid\nwithin 30 days.', 'The (second) page.']),
      'docs/logo.png': new Uint8Array([137, 80, 78, 71]),
      'docs/.hidden/d.md': 'never read',
      'docs/.env.md': 'never read',
    });

    expect(await indexed()).toEqual({
      'docs/a.md': [
        { heading: 'A', lines: [1, 3], text: '# A\n\nOne.' },
        { heading: 'A > B', lines: [5, 7], text: '## B\n\nTwo.' },
      ],
      'docs/deep/b.TXT': [{ heading: null, lines: [1, 3], text: 'Three.\n\nFour.' }],
      'docs/c.pdf': [
        { heading: 'page 1', lines: [1, 2], text: 'Refunds are paid\nwithin 30 days.' },
        { heading: 'page 2', lines: [1, 1], text: 'The (second) page.' },
      ],
    });
  });

  it.each([
    [{ path: 'docs/a.md' }, ['docs/a.md']],
    [{ path: '.' }, ['docs/a.md', 'docs/b/c.md', 'docs/d.rst']],
    [{ path: 'docs', include: ['*.md'] }, ['docs/a.md']],
    [{ path: 'docs', include: ['**/*.md'] }, ['docs/a.md', 'docs/b/c.md']],
    [{ path: 'docs', include: ['b/**', '*.rst'] }, ['docs/b/c.md', 'docs/d.rst']],
  ])('are what path and include say: %j', async (over, files) => {
    await put({ 'docs/a.md': 'a', 'docs/b/c.md': 'c', 'docs/d.rst': 'd' });

    expect(
      Object.keys(
        await indexed('include' in over ? over : { ...over, include: over.path === '.' ? ['docs/**'] : [] }),
      ).sort(),
    ).toEqual(files);
  });

  it('come through links that stay inside, and a loop of them ends', async () => {
    await put({ 'docs/a.md': 'a', 'other/b.md': 'b' });
    await symlink(join(root, 'other'), join(root, 'docs/linked'));
    await symlink(join(root, 'docs'), join(root, 'docs/loop'));
    await symlink(join(root, 'other/b.md'), join(root, 'docs/one.md'));

    expect(Object.keys(await indexed()).sort()).toEqual(['docs/a.md', 'docs/linked/b.md', 'docs/one.md']);
  });

  it('are indexed once: what did not change is not put again, and what did is', async () => {
    await put({ 'docs/a.md': 'one', 'docs/b.md': 'two' });
    const kept = shelf();
    const first = await prepare();
    await first.write(kept.store);
    await put({ 'docs/b.md': 'three', 'docs/c.md': 'one' });
    const put2: string[] = [];

    const second = await prepare();
    await second.write({
      ...kept.store,
      putDocument: async (document) => void put2.push(document.passages.map(({ text }) => text).join()),
    });

    expect(put2).toEqual(['three']);
    expect(second.frozen[0]?.index).not.toBe(first.frozen[0]?.index);
    await put({ 'docs/b.md': 'two' });
    await rm(join(root, 'docs/c.md'));
    expect((await prepare()).frozen).toEqual(first.frozen);
  });
});

const TABLE: readonly (readonly [what: string, prepare: () => Promise<void>, problem: string])[] = [
  ['is not UTF-8', () => put({ 'docs/a.md': new Uint8Array([0x68, 0xe9, 0x6c]) }), 'knowledge.not-text docs/a.md'],
  ['is UTF-16', () => put({ 'docs/a.txt': Buffer.from('\uFEFFhello', 'utf16le') }), 'knowledge.not-text docs/a.txt'],
  ['is binary and called a text', () => put({ 'docs/a.txt': 'text\0more' }), 'knowledge.not-text docs/a.txt'],
  [
    'is too large',
    async () => {
      await put({ 'docs/a.md': '' });
      await truncate(join(root, 'docs/a.md'), MAX_FILE_BYTES + 1);
    },
    'knowledge.too-large docs/a.md',
  ],
  [
    'lies outside',
    async () => {
      await put({ 'docs/b.md': 'b' });
      await writeFile(join(top, 'secret.md'), 'a secret');
      await symlink(join(top, 'secret.md'), join(root, 'docs/a.md'));
    },
    'knowledge.outside docs/a.md',
  ],
  [
    'lies in a folder outside',
    async () => {
      await mkdir(join(top, 'more'));
      await writeFile(join(top, 'more/a.md'), 'a secret');
      await put({ 'docs/b.md': 'b' });
      await symlink(join(top, 'more'), join(root, 'docs/more'));
    },
    'knowledge.outside docs/more',
  ],
  [
    'is a link to a hidden file',
    async () => {
      await put({ 'docs/b.md': 'b', '.env': 'KEY=a secret' });
      await symlink(join('..', '.env'), join(root, 'docs/a.md'));
    },
    'knowledge.unreadable docs/a.md',
  ],
  [
    'lies in a folder that is a link to a hidden one',
    async () => {
      await put({ 'docs/b.md': 'b', '.kit/a.md': 'a secret' });
      await symlink(join('..', '.kit'), join(root, 'docs/more'));
    },
    'knowledge.unreadable docs/more',
  ],
  [
    'is a link to nothing',
    async () => {
      await put({ 'docs/b.md': 'b' });
      await symlink(join(root, 'gone.md'), join(root, 'docs/a.md'));
    },
    'knowledge.unreadable docs/a.md',
  ],
  ['is called a PDF and holds none', () => put({ 'docs/a.pdf': 'Hello.' }), 'knowledge.unreadable docs/a.pdf'],
  ['is a PDF cut off', () => put({ 'docs/a.pdf': pdfOf(['text']).slice(0, 60) }), 'knowledge.unreadable docs/a.pdf'],
  ['is not there', () => put({}), 'knowledge.nothing-found docs'],
  ['fits nothing', () => put({ 'docs/a.rst': 'a' }), 'knowledge.nothing-found docs'],
];

describe('a document that', () => {
  it.each(TABLE)('%s is named by kit validate and at submit, which indexes nothing then', async (_, given, problem) => {
    await given();
    const kept = shelf();

    expect(await problemsOf(prepare().then((prepared) => prepared.write(kept.store)))).toEqual([problem]);
    expect(kept.indexes).toEqual([]);
    const [code = '', file = ''] = problem.split(' ');
    const [only, ...others] = await said();
    expect(others).toEqual([]);
    expect(only).toContain(`error ${code} topologies/t.yaml#/artifacts/knowledge_bases/0/path`);
    expect(only).toContain(`\`${file}\``);
    expect(only).not.toContain(top);
  });

  it('cannot be taken does not hide the others', async () => {
    await put({ 'docs/a.md': new Uint8Array([0xff]), 'docs/b.pdf': 'no', 'docs/c.txt': new Uint8Array([0xff]) });

    expect(await problemsOf(prepare())).toEqual(['knowledge.not-text docs/a.md', 'knowledge.not-text docs/c.txt']);
    expect(await said()).toHaveLength(3);
  });

  it('changes while it is looked at is refused, and taken the next time', async () => {
    await put({ 'docs/a.md': 'one' });
    const cache: DigestCache = { clock: { now: () => Date.now() + 60_000 }, known: new Map() };
    await prepareKnowledge(sources(cache), [base()]);
    const prepared = await prepareKnowledge(sources(cache), [base()]);
    await put({ 'docs/a.md': 'two' });

    expect(await problemsOf(prepared.write(shelf().store))).toEqual(['knowledge.unreadable docs/a.md']);
    const again = await prepareKnowledge(sources(cache), [base()]);
    const kept = shelf();
    await again.write(kept.store);
    expect([...kept.documents.values()].flatMap(({ passages }) => passages.map(({ text }) => text))).toEqual(['two']);
  });
});

describe('the digests that a process remembers', () => {
  const reads = (): { readonly files: typeof nodeFiles; readonly read: string[] } => {
    const read: string[] = [];
    return {
      read,
      files: {
        ...nodeFiles,
        readBytes: (path) => {
          read.push(path);
          return nodeFiles.readBytes(path);
        },
      },
    };
  };

  it('save reading a file that was left alone, and never one that changed, whatever its times say', async () => {
    await put({ 'docs/a.md': 'one' });
    const cache: DigestCache = { clock: { now: () => Date.now() + 60_000 }, known: new Map() };
    const { files, read } = reads();
    const look = () => prepareKnowledge({ ...sources(cache), files }, [base()]);
    const first = await look();
    expect((await look()).frozen).toEqual(first.frozen);
    expect(read).toHaveLength(1);

    const past = new Date('2020-01-01T00:00:00Z');
    await utimes(join(root, 'docs/a.md'), past, past);
    await look();
    await put({ 'docs/a.md': 'two' });
    await utimes(join(root, 'docs/a.md'), past, past);

    expect((await look()).frozen).not.toEqual(first.frozen);
    expect(read).toHaveLength(3);
  });

  it('are not kept of a file that has only just changed', async () => {
    await put({ 'docs/a.md': 'one' });
    const cache: DigestCache = { clock: Date, known: new Map() };

    await prepareKnowledge(sources(cache), [base()]);

    expect(cache.known.size).toBe(0);
  });
});
