import { join } from 'node:path';
import type { Files } from '../../domain/ports/system.js';
import { filesBelow } from '../templates.js';
import type { DocsApp, DocText } from './docs-app.js';
import { mapOf } from './map.js';
import { type DocIndex, indexDocs, searchDocs } from './search-docs.js';
import { type DocFile, type DocSection, sectionsOf, summaryOf } from './sections.js';

/** What the documentation is read with. */
export interface DocsDeps {
  readonly files: Files;
  /** Directory of the running kit; the pages lie in docs/. */
  readonly packageRoot: string;
}

const MAP = 'README';
const DIAGNOSTICS = 'diagnostics/';

async function readDocs({ files, packageRoot }: DocsDeps): Promise<readonly DocFile[]> {
  const found = await filesBelow(files, join(packageRoot, 'docs'), '');
  return found
    .filter(({ path }) => path.endsWith('.md'))
    .map(({ path, text }) => ({ name: path.slice(0, -'.md'.length), text }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** A page by its name, or by its last part where no other page ends so. */
function pageOf(pages: readonly DocFile[], name: string): DocFile | null {
  const asked = name.replace(/^docs\//, '').replace(/\.md$/, '');
  // Pages are called by what they are about, mostly by more than one of it.
  const exact =
    pages.find(({ name: own }) => isSameName(own, asked)) ??
    pages.find(({ name: own }) => isSameName(own, `${asked}s`));
  if (exact !== undefined) return exact;
  const [only, ...others] = pages.filter((page) => isSameName(page.name.split('/').at(-1) ?? '', asked));
  return only !== undefined && others.length === 0 ? only : null;
}

function sectionText({ heading, lines }: DocSection): string {
  return `## ${heading ?? ''}\n${lines.join('\n').trimEnd()}\n`;
}

/** A word of everyday language is looked for: the one part that is headed so is about a detail. */
const PLAIN_WORD = /^[a-z]+$/;

function sectionNamed(pages: readonly DocFile[], name: string): DocText | null {
  if (PLAIN_WORD.test(name)) return null;
  const found = pages
    .flatMap(sectionsOf)
    .filter(({ heading }) => heading !== null && isSameName(heading, name.replaceAll('`', '').trim()));
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? null : { page: only.page, text: sectionText(only) };
}

function indexOf(pages: readonly DocFile[]): DocIndex {
  const map = mapOf(pages.find(({ name }) => name === MAP) ?? { text: '' });
  return indexDocs(pages.filter(({ name }) => name !== MAP).flatMap(sectionsOf), map);
}

/** The documentation of the running kit, read once. */
export function createDocsApp(deps: DocsDeps): DocsApp {
  let read: Promise<readonly DocFile[]> | undefined;
  let index: Promise<DocIndex> | undefined;
  const docs = (): Promise<readonly DocFile[]> => {
    read ??= readDocs(deps);
    return read;
  };
  return {
    list: async () =>
      (await docs())
        .filter(({ name }) => !name.startsWith(DIAGNOSTICS) && name !== MAP)
        .map((page) => ({ name: page.name, title: sectionsOf(page)[0]?.title ?? page.name, summary: summaryOf(page) })),
    search: async ({ query, limit }) => {
      index ??= docs().then(indexOf);
      return searchDocs(await index, query)
        .slice(0, limit)
        .map(({ section: { page, title, heading }, line }) => ({ page, title, heading, line }));
    },
    read: async (name) => {
      const pages = await docs();
      const page = pageOf(pages, name);
      return page === null ? sectionNamed(pages, name) : { page: page.name, text: page.text };
    },
  };
}
