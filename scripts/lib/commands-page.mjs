// docs/commands.md: every command with its arguments and flags, from the manifests that the build
// makes of the commands themselves.
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const HEAD = `# Commands

Every command of kit with its arguments and flags, made from the commands themselves. \`kit <command> --help\` says the same.

- Each takes \`--json\`: one JSON value a line on stdout, the last of which is the result or the error.
- Exit codes: 0 done, 1 failed or invalid, 2 usage or refused start, 3 waits for a decision, 4 stopped, 130 interrupted twice.
- On a terminal \`kit run\` shows a live tree on stderr (\`--verbose\`: tool calls and streamed text); with \`CI\`, \`TERM=dumb\` or a redirected
  stdout or stderr it prints a line an event, with \`--quiet\` neither. stdout carries the result alone.
`;

const cell = (text) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').trim();

/** A default as it is typed; functions, and what is off or empty, say nothing. */
function defaultOf(flag) {
  if (flag.default === undefined || flag.default === false || flag.default === '' || flag.hasDynamicHelp) return '';
  return ` Default: \`${Array.isArray(flag.default) ? flag.default.join(',') : flag.default}\`.`;
}

function flagRow(flag) {
  const name = `${flag.char === undefined ? '' : `-${flag.char}, `}--${flag.allowNo ? '[no-]' : ''}${flag.name}`;
  const values = flag.options === undefined ? (flag.helpValue ?? 'VALUE') : flag.options.join('\\|');
  const value = flag.type === 'boolean' ? '' : `=${values}`;
  return `| \`${name}${value}\` | ${cell(flag.description ?? '')}${defaultOf(flag)} |`;
}

function usageOf(command) {
  const args = Object.values(command.args).filter(({ hidden }) => !hidden);
  const words = args.map((arg) => (arg.required ? `<${arg.name}>` : `[${arg.name}]`));
  return ['kit', ...command.id.split(':'), ...words].join(' ');
}

/** Arguments and flags that say more than their name; `--json` stands at the top of the page. */
function section(command) {
  const args = Object.values(command.args).filter(({ hidden, description }) => !hidden && description);
  const flags = Object.values(command.flags).filter(({ hidden, name }) => !hidden && name !== 'json');
  const rows = [
    ...args.map((arg) => `| \`${arg.name}\` | ${cell(arg.description)} |`),
    ...flags.sort((a, b) => (a.name < b.name ? -1 : 1)).map(flagRow),
  ];
  const table = rows.length === 0 ? [] : ['', '| | |', '|---|---|', ...rows];
  const more = command.description ? ['', command.description.replaceAll('<', '&lt;').trim()] : [];
  const usage = usageOf(command);
  return [`## \`${usage}\``, '', `${command.summary ?? ''}`, ...more, ...table, ''].join('\n');
}

/** The text of the page. `root`: of the repository, ending with a slash. */
export async function commandsPage(root) {
  const commands = [];
  for await (const file of glob('plugins/*/oclif.manifest.json', { cwd: root }))
    commands.push(...Object.values(JSON.parse(await readFile(join(root, file), 'utf8')).commands));
  const shown = commands.filter(({ hidden }) => !hidden).sort((a, b) => (a.id < b.id ? -1 : 1));
  return `${HEAD}\n${shown.map(section).join('\n')}`;
}
