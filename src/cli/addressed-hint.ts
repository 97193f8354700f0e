import { shellWord } from '../lib/shell-word.js';

/** Commands that look into a workspace; all of them take `-w`. */
const IN_WORKSPACE =
  'adapters|apply|artifacts|checkpoints|conversations|debug|diff|doctor|eval|gaps|logs|memory|queue-stats|report|resume|retry|review|run|status|stop|storage|system|top|trace|triggers|trust|validate|wait|why';

/** A command between backticks, or at the end of a sentence that ends with it. */
const COMMAND = new RegExp(`(\`|: )(kit (?:${IN_WORKSPACE})\\b[^\`\\n]*)(\`|$)`, 'g');

/** Help and verification look into no workspace, and what follows ` #` or ` >` is for the shell. */
const UNADDRESSED = /--help|--explain|--workspace|<workspace>|\[workspace\]|(?: |^)(?:-w|#|>) |\.\.\.$/;

/**
 * The hint with its commands aimed at the workspace that was named on the command line: pasted as
 * they stand they would look into the current directory. `named` null: that is where the workspace
 * lies.
 */
export function addressedHint(hint: string, named: string | null): string {
  if (named === null) return hint;
  return hint.replaceAll(COMMAND, (all: string, before: string, command: string, after: string) => {
    const isAddressed = UNADDRESSED.test(command) || command.split(' ').includes(shellWord(named));
    return isAddressed ? all : `${before}${command} -w ${shellWord(named)}${after}`;
  });
}
