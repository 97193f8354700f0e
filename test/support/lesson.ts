/** What a reader of a tutorial does: saves a file, or types a command and compares. */
export type Step =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'command'; readonly command: string; readonly exit: number; readonly expected: readonly Line[] };

/** A line that is printed; `any` = lines that the page leaves out. */
export type Line =
  | { readonly kind: 'any' }
  | { readonly kind: 'line'; readonly text: string; readonly pattern: RegExp };

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `<run>` is the id of a run; three dots within a line stand for the rest of it. */
function lineOf(text: string): Line {
  if (text === '...') return { kind: 'any' };
  const pattern = text.split('...').map(escaped).join('.*').replaceAll('<run>', '[0-9a-f]{12}');
  return { kind: 'line', text, pattern: new RegExp(`^${pattern}$`) };
}

function commandsOf(block: string): readonly Step[] {
  const parts = block.split(/^\$ /m).slice(1);
  return parts.map((part): Step => {
    const [head = '', ...rest] = part.trimEnd().split('\n');
    const exit = /\s+# exit (\d+)$/.exec(head);
    return {
      kind: 'command',
      command: exit === null ? head : head.slice(0, exit.index),
      exit: Number(exit?.[1] ?? 0),
      expected: rest.map(lineOf),
    };
  });
}

/**
 * A block whose first line is `# <path>`, or `// <path>`, is that file; where it is a comment of
 * the language the line is part of it.
 */
function fileOf(language: string, block: string): readonly Step[] {
  const [head = '', ...rest] = block.split('\n');
  const [, mark, path] = /^(#|\/\/) ([\w./@-]+\.\w+)$/.exec(head) ?? [];
  if (path === undefined) return [];
  return [{ kind: 'file', path, text: language === 'yaml' || mark === '//' ? block : rest.join('\n') }];
}

/**
 * The steps of a page, in order: blocks `console` (`$ command`, `# exit N` where it is not 0, then
 * what it prints) and blocks that name a file in their first line. Other blocks are only shown.
 */
export function readLesson(page: string): readonly Step[] {
  return [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, language = '', block = '']) =>
    language === 'console' ? commandsOf(block) : fileOf(language, block),
  );
}
