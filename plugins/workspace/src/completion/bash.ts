import { type CompletionNode, quoted, type Values } from './words.js';

function reply(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `COMPREPLY=($(compgen -W ${quoted(values.words.join(' '))} -- "$cur"))`;
    case 'directories':
      return '_kit_paths -d';
    case 'files':
      return '_kit_paths -f';
    case 'live':
      return `_kit_live ${values.what}`;
    case 'unknown':
      return ':';
  }
}

const valueCases = ({ path, flags }: CompletionNode): readonly string[] =>
  flags.flatMap(({ name, char, values }) => {
    if (values === null) return [];
    const spellings = [`--${name}`, ...(char === null ? [] : [`-${char}`])].map((flag) => quoted(`${path} ${flag}`));
    return [`    ${spellings.join('|')}) ${reply(values)}; return ;;`];
  });

/** What is offered where no flag's value is asked for. */
function placeCase({ path, next, flags, args }: CompletionNode): string {
  const dashed = flags.map(({ name }) => `--${name}`).join(' ');
  const words = [
    ...next.map(({ word }) => word),
    ...args.flatMap(({ values }) => (values.kind === 'words' ? values.words : [])),
  ].join(' ');
  const paths = args.some(({ values }) => values.kind === 'directories')
    ? ' -d'
    : args.some(({ values }) => values.kind === 'files')
      ? ' -f'
      : '';
  const live = args.flatMap(({ values }) => (values.kind === 'live' ? [values.what] : [])).join(' ');
  return `    ${quoted(path)}) flags=${quoted(dashed)}; words=${quoted(words)}; paths=${quoted(paths.trim())}; live=${quoted(live)} ;;`;
}

/** A completion script for bash 3.2 and later; needs nothing but bash. */
export const bashScript = (
  nodes: readonly CompletionNode[],
): string => `# Completion of kit for bash: source <(kit completion bash)
_kit_paths() {
  local IFS=$'\\n'
  COMPREPLY+=($(compgen "$1" -- "$cur"))
  compopt -o filenames 2>/dev/null
}

# Names of what there is now. bash takes words apart at colons: a name with one is not offered.
_kit_live() {
  COMPREPLY+=($(compgen -W "$(kit complete "$1" "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null | grep -v :)" -- "$cur"))
}

_kit() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path="" flags="" words="" paths="" live="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${path:+$path }\${COMP_WORDS[i]}" in
      ${nodes
        .filter(({ path }) => path !== '')
        .map(({ path }) => quoted(path))
        .join('|')}) path="\${path:+$path }\${COMP_WORDS[i]}" ;;
      *) break ;;
    esac
  done
  # bash takes \`--flag=value\` apart.
  if [[ $cur == = ]]; then cur=""; elif [[ $prev == = ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  case "$path $prev" in
${nodes.flatMap(valueCases).join('\n')}
  esac
  case "$path" in
${nodes.map(placeCase).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  for i in $live; do _kit_live "$i"; done
  if [[ -n $paths ]]; then _kit_paths "$paths"; fi
}

complete -F _kit kit
`;
