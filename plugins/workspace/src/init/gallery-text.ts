import type { InitExtra, Template } from '@kit-run/kit/command';

/** Files around a workspace, in the order in which they are offered. */
export const INIT_EXTRAS = ['gitignore', 'ci', 'editor'] as const satisfies readonly InitExtra[];

/** The command that writes a template; `directory` as it was given, null = none was. */
export const templateCommand = (bin: string, name: string, directory: string | null): string =>
  `${bin} init ${directory ?? `my-${name}`} --template ${name}`;

/** One line a template, with its number where somebody can choose by it. */
export function galleryLines(templates: readonly Template[], isNumbered: boolean): readonly string[] {
  const width = Math.max(0, ...templates.map(({ name }) => name.length));
  return templates.map(({ name, description }, index) => {
    const number = isNumbered ? `${String(index + 1).padStart(2)}  ` : '';
    return `${number}${name.padEnd(width)}  ${description}`.trimEnd();
  });
}

/** The template that an answer names: a number of the list, a name, or nothing for the first. */
export function chosenTemplate(answer: string, templates: readonly Template[]): string {
  if (answer === '') return templates[0]?.name ?? answer;
  const byNumber = /^\d{1,3}$/.test(answer) ? templates[Number(answer) - 1] : undefined;
  return byNumber?.name ?? answer;
}

/** Extras that an answer names, by commas or blanks; `all` and none count. null = unknown ones. */
export function askedExtras(answer: string): readonly InitExtra[] | null {
  const words = answer
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  if (words.includes('all')) return INIT_EXTRAS;
  const extras = INIT_EXTRAS.filter((extra) => words.includes(extra));
  return words.every((word) => extras.some((extra) => extra === word)) ? extras : null;
}
