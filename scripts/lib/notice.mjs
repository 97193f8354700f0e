// Names and licences of the packages whose code the build folds into files of kit's own: their
// licences ask for it.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of the innermost package that a file belongs to; null = one of kit's own files. */
export const packageFolderOf = (file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? null;

/** What a package says of its licence, or what a licence wants to be passed on. */
const TEXTS = /^(licen[cs]e|notice)(-\w+)?(\.\w+)?$/i;

const mit = (holder) => `Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * Packages that were published without the text of the licence that they name, and what stands for
 * it: whoever adds one has looked for the text in its repository.
 */
const WITHOUT_TEXT = {
  '@ai-sdk/provider-utils': 'Copyright 2023 Vercel, Inc.\n\nThe licence is that of kit itself: LICENSE.',
  '@nodable/entities': mit('Amit Gupta'),
  'abstract-logging': mit('James Sumners'),
  wouter: 'Dedicated to the public domain (https://unlicense.org).',
};

async function sectionOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((one) => TEXTS.test(one)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  if (texts.length === 0 && WITHOUT_TEXT[name] === undefined)
    throw new Error(`${name} ${version} has no licence file, so it cannot be folded in: say in notice.mjs what it is`);
  const shown = texts.length === 0 ? [WITHOUT_TEXT[name]] : texts;
  return `${name} ${version} (${license})\n\n${shown.map((text) => text.trim()).join('\n\n')}\n`;
}

/** `files`: absolute paths of everything that was folded in. */
export async function noticeOf(files) {
  const folders = new Set(files.map(packageFolderOf).filter((folder) => folder !== null));
  const sections = await Promise.all([...folders].sort().map(sectionOf));
  return [`kit contains code of these packages.\n`, ...sections].join(`\n${'-'.repeat(80)}\n\n`);
}
