import { type CompletionFlag, type CompletionNode, quoted, type Values } from './words.js';

/** Inside a spec of _arguments, brackets and colons end its parts. */
const spec = (text: string): string => text.replaceAll(/[\\[\]:]/g, (character) => `\\${character}`);

function action(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `(${values.words.map((word) => word.replaceAll(':', '\\:')).join(' ')})`;
    case 'directories':
      return '_files -/';
    case 'files':
      return '_files';
    case 'live':
      return `_kit_live ${values.what}`;
    case 'unknown':
      return ' ';
  }
}

function flagSpecs({ name, char, description, values }: CompletionFlag): readonly string[] {
  const value = values === null ? '' : `:${spec(name)}:${action(values)}`;
  const long = `--${name}${values === null ? '' : '='}[${spec(description)}]${value}`;
  return [long, ...(char === null ? [] : [`-${char}${values === null ? '' : '+'}[${spec(description)}]${value}`])].map(
    quoted,
  );
}

function nodeCase(node: CompletionNode): string {
  const { path, next, flags, args } = node;
  const words = next.map(({ word, description }) => quoted(`${word.replaceAll(':', '\\:')}:${description}`));
  const specs = [
    ...flags.flatMap(flagSpecs),
    ...args.map(({ name, values }) => quoted(`:${spec(name)}:${action(values)}`)),
  ];
  const describe =
    words.length === 0
      ? ''
      : `      next=(${words.join(' ')})\n      [[ $PREFIX == -* ]] || _describe -t commands command next\n`;
  return `    ${quoted(path)})
${describe}      _arguments -s ${specs.join(' ')} ;;`;
}

/**
 * A completion script for zsh; it works as a file \`_kit\` of fpath and when it is sourced after
 * compinit.
 */
export const zshScript = (nodes: readonly CompletionNode[]): string => `#compdef kit
# Completion of kit for zsh: source <(kit completion zsh)
_kit_live() {
  local -a names
  names=(\${(f)"$(kit complete "$1" "\${(@)kit_typed}" 2>/dev/null)"})
  compadd -a names
}

_kit() {
  local -a kit_typed
  kit_typed=("\${(@)words[2,CURRENT-1]}")
  local place="" curcontext="$curcontext"
  local -a next
  while (( CURRENT > 2 )); do
    case "\${place:+$place }\${words[2]}" in
      ${nodes
        .filter(({ path }) => path !== '')
        .map(({ path }) => quoted(path))
        .join('|')}) place="\${place:+$place }\${words[2]}" ;;
      *) break ;;
    esac
    shift words
    (( CURRENT-- ))
  done
  case "$place" in
${nodes.map(nodeCase).join('\n')}
  esac
}

if [[ "\${funcstack[1]}" == _kit ]]; then _kit "$@"; else compdef _kit kit; fi
`;
