import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { inAscii, pastFacades, withBareBuiltins } from '../../scripts/lib/light-files.mjs';

const only = (change: (files: ReadonlyMap<string, string>) => Map<string, string>, text: string): string =>
  String(change(new Map([['parts/a.js', text]])).get('parts/a.js'));

describe('files that only pass on', () => {
  const facade = 'import{a as one,two}from"./whole.js";export{one,two as second};';
  const past = (caller: string, passing = facade): string =>
    String(
      pastFacades(
        new Map([
          ['parts/caller.js', caller],
          ['parts/facade.js', passing],
        ]),
      ).get('parts/caller.js'),
    );

  it('are passed by whoever imports them at run time, under the names that they give', () => {
    expect(past('const{one}=await import(`./facade.js`);')).toBe(
      'const{one}=await import(`./whole.js`).then(m=>({one:m.a,second:m.two}));',
    );
  });

  it('are left out, but for those that somebody imports at once', () => {
    const names = (caller: string) => [
      ...pastFacades(
        new Map([
          ['parts/caller.js', caller],
          ['parts/facade.js', facade],
        ]),
      ).keys(),
    ];

    expect(names('import(`./facade.js`)')).toEqual(['parts/caller.js']);
    expect(names('import{one}from"./facade.js";import(`./facade.js`)')).toEqual(['parts/caller.js', 'parts/facade.js']);
  });

  it.each([
    ['does something', `${facade}run();`],
    ['has two sources', `import"./other.js";${facade}`],
    ['is not a part', facade],
  ])('stay where one %s', (what, passing) => {
    const caller = what === 'is not a part' ? 'import(`../facade.js`)' : 'import(`./facade.js`)';

    expect(past(caller, passing)).toBe(caller);
  });
});

describe('modules of Node', () => {
  it('are taken as they are, after everything that is imported', () => {
    const text =
      'import{x}from"./x.js";import fs,{readFile as read,stat}from"node:fs";import*as os from"node:os";import"./y.js";go(fs);';

    const load = (name: string): string => `globalThis.process.getBuiltinModule("${name}")`;
    expect(only(withBareBuiltins, text)).toBe(
      'import{x}from"./x.js";import"./y.js";' +
        `const fs=${load('node:fs')};const{readFile:read,stat}=${load('node:fs')};const os=${load('node:os')};go(fs);`,
    );
  });

  it('are left alone below the first statement that is not an import', () => {
    const text = 'go();const text=`import{a}from"node:fs";`;';

    expect(only(withBareBuiltins, text)).toBe(text);
  });
});

describe('text beyond ASCII', () => {
  it.each([
    ['a string', String.raw`'Größe → \é \\é \n🐬'`],
    ['a template', '`→${1}…`'],
    ['a pattern', String.raw`['→x', '🐬', '–'].map((one) => /[→\–]x?/.test(one) + /^[🐬]$/u.test(one)).join()`],
  ])('means the same in %s', (_, text) => {
    const escaped = only(inAscii, text);

    expect(escaped).toMatch(/^[\0-\x7f]*$/);
    expect(runInNewContext(escaped)).toBe(runInNewContext(text));
  });
});
