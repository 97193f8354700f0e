import { isServerAddress, isServerPlace, type PastePlace, placeWord, shellWord } from '../lib/shell-word.js';
import type { Problem } from './problem.js';

/** Commands that look into a workspace; all of them take `-w`. */
const IN_WORKSPACE =
  'adapters|apply|artifacts|checkpoints|conversations|debug|diff|doctor|eval|gaps|logs|memory|queue-stats|report|resume|retry|review|run|status|stop|storage|system|top|trace|triggers|trust|validate|wait|why';

/** A command between backticks, or at the end of a sentence that ends with it. */
const COMMAND = new RegExp(`(\`|: )(kit (?:${IN_WORKSPACE})\\b[^\`\\n]*)(\`|$)`, 'g');

/** Help and verification look into no workspace, and what follows ` #` or ` >` is for the shell. */
const UNADDRESSED = /--help|--explain|--workspace|<workspace>|\[workspace\]|(?: |^)(?:-w|#|>) |\.\.\.$/;

/** The server that a command line names in a flag, also one that cannot be parsed; null = none. */
function typedServer(argv: readonly string[]): string | null {
  const words = argv.map((word, at) => {
    const [, glued] = /^(?:--server|--workspace|-w)(?:=(.*))?$/.exec(word) ?? [null, ''];
    return glued ?? argv[at + 1];
  });
  return words.find((word) => word !== undefined && isServerAddress(word)) ?? null;
}

/**
 * The hint with its commands aimed at the workspace that was named on the command line: pasted as
 * they stand they would look into the current directory. A server knows who asks, and refuses the
 * name of anybody else.
 */
export function addressedHint(hint: string, place: PastePlace): string {
  if (place === '') return hint;
  return hint.replaceAll(COMMAND, (all: string, before: string, command: string, after: string) => {
    const isNamed = typeof place === 'string' && command.split(' ').includes(shellWord(place));
    const isAddressed = UNADDRESSED.test(command) || isNamed;
    if (isAddressed) return all;
    const own = isServerPlace(place) ? command.replace(/ --as \S+/, '') : command;
    const lead = own === command || before === '`' ? before : ', signed in there: ';
    return `${lead}${own}${placeWord(place, ' -w ')}${after}`;
  });
}

/**
 * The problem with its hint aimed at what the command line named. `own`: flags of the command, one
 * of which may be called `server` for something else. What no server does is done without one.
 */
export function addressedProblem(
  problem: Problem,
  of: { readonly place: PastePlace; readonly argv: readonly string[]; readonly own: object | undefined },
): Problem {
  const { code, hint } = problem;
  if (hint === null || code === 'KIT_REMOTE_UNSUPPORTED') return problem;
  const server = 'server' in (of.own ?? {}) ? null : typedServer(of.argv);
  return { ...problem, hint: addressedHint(hint, of.place || (server ?? of.place)) };
}
