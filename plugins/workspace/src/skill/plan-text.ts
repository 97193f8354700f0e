import { type ConfigEntry, manyLines, oneLine, type SkillPlan } from '@kit-run/kit/command';

const FILE_WORDS = { new: 'new', same: 'unchanged', differs: 'REPLACES what is there' } as const;

function entryWord({ section, state }: ConfigEntry): string {
  if (state === 'new') return 'added';
  if (state === 'same') return 'unchanged';
  return section === 'credentials' ? 'kept as it is' : 'REPLACES the one that is there';
}

const indented = (text: string): string =>
  manyLines(text)
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

function entryText(entry: ConfigEntry): string {
  const head = `workspace.yaml  ${entry.section}.${entry.id}: ${entryWord(entry)}`;
  const isShown = entry.state === 'new' || (entry.state === 'differs' && entry.section === 'mcp_servers');
  return isShown ? `${head}\n${indented(JSON.stringify(entry.value, null, 2))}` : head;
}

/** Every file and every entry that would be written, with its text, and what to know. */
export function planText({ files, server, credentials, notes }: SkillPlan): string {
  return [
    ...files.map(({ path, text, state }) => {
      const head = `${oneLine(path)}: ${FILE_WORDS[state]}`;
      return state === 'same' ? head : `${head}\n${indented(text)}`;
    }),
    ...[...(server === null ? [] : [server]), ...credentials].map(entryText),
    ...notes.map((note) => `note: ${oneLine(note, 500)}`),
  ].join('\n');
}

/** Something that is there would be another one. */
export const replaces = ({ files, server }: Pick<SkillPlan, 'files' | 'server'>): boolean =>
  server?.state === 'differs' || files.some(({ state }) => state === 'differs');

/** Nothing would be written. */
export const saysSoAlready = ({ files, server, credentials }: SkillPlan): boolean =>
  files.every(({ state }) => state === 'same') &&
  (server === null || server.state === 'same') &&
  credentials.every(({ state }) => state !== 'new');
