import type { CompletionFlag, CompletionNode, LiveKind, Values } from './words.js';

/** Text inside single quotes of fish, where only the backslash and the quote mean something. */
const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const at = (path: string): string => `complete -c kit -n ${fishQuoted(`__kit_at ${fishQuoted(path)}`)}`;

/** Asked when somebody types, with what is typed so far. */
const live = (what: LiveKind): string => `(kit complete ${what} (commandline -opc)[2..-1] 2>/dev/null)`;

function action(values: Values): string {
  switch (values.kind) {
    case 'words':
      return ` -x -a ${fishQuoted(values.words.join(' '))}`;
    case 'directories':
      return " -x -a '(__fish_complete_directories)'";
    case 'files':
      return ' -r -F';
    case 'live':
      return ` -x -a ${fishQuoted(live(values.what))}`;
    case 'unknown':
      return ' -x';
  }
}

const flagLine = (path: string, { name, char, description, values }: CompletionFlag): string =>
  `${at(path)} -l ${name}${char === null ? '' : ` -s ${char}`}${values === null ? '' : action(values)} -d ${fishQuoted(description)}`;

function nodeLines({ path, next, flags, args }: CompletionNode): readonly string[] {
  const offered = args.flatMap(({ values }): readonly string[] => {
    if (values.kind === 'words') return [`${at(path)} -a ${fishQuoted(values.words.join(' '))}`];
    if (values.kind === 'directories') return [`${at(path)} -a '(__fish_complete_directories)'`];
    if (values.kind === 'live') return [`${at(path)} -a ${fishQuoted(live(values.what))}`];
    return values.kind === 'files' ? [`${at(path)} -F`] : [];
  });
  return [
    ...next.map(({ word, description }) => `${at(path)} -a ${fishQuoted(word)} -d ${fishQuoted(description)}`),
    ...flags.map((flag) => flagLine(path, flag)),
    ...new Set(offered),
  ];
}

/** A completion script for fish 3 and later. */
export const fishScript = (
  nodes: readonly CompletionNode[],
): string => `# Completion of kit for fish: kit completion fish | source
function __kit_at
    set -l words (commandline -opc)
    set -l place ''
    for word in $words[2..-1]
        switch (string trim -- "$place $word")
            case ${nodes
              .filter(({ path }) => path !== '')
              .map(({ path }) => fishQuoted(path))
              .join(' ')}
                set place (string trim -- "$place $word")
            case '*'
                break
        end
    end
    test "$place" = "$argv[1]"
end

complete -c kit -f
${nodes.flatMap(nodeLines).join('\n')}
`;
