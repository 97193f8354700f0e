import type { StoredEvent } from '../../domain/events.js';
import { assertNever } from '../../lib/assert-never.js';
import { isPutDown, outcomeSuffix, UNNAMED_CALL } from '../executor-outcome.js';
import { because, type EventText, name, say, whisper } from './say.js';
import { bytesText, durationText, oneLine } from './words.js';

/** Nobody reads more names in one line. */
const NAMED = 3;

/**
 * What the worktree lacks, paths from the workspace on. What lies outside of it comes first: the
 * files of the workspace itself are seldom what a harness works on.
 */
function without(missing: readonly string[]): string {
  if (missing.length === 0) return '';
  const isOutside = (path: string): boolean => path.startsWith('../');
  const sorted = [...missing.filter(isOutside), ...missing.filter((path) => !isOutside(path))];
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more that no commit holds` : '';
  return `; not in it: ${oneLine(sorted.slice(0, NAMED).join(', '), 200)}${more}`;
}

/** The port of every host of the web is not said. */
export const hostText = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  host === '' ? 'a connection' : `${oneLine(host, 253)}${port === 443 || port === 0 ? '' : `:${port}`}`;

/** What happened in the session of a harness, or in a run elsewhere, in one line. */
export function executorText(
  event: Extract<StoredEvent, { type: `executor.${string}` | 'a2a.remote_usage' }>,
): EventText {
  switch (event.type) {
    case 'executor.started': {
      const { ref, sandbox, resumed, not_included: missing } = event.payload;
      return say('plain', `${name(ref)} ${resumed ? 'goes on' : 'runs'} in a ${name(sandbox)}${without(missing)}`);
    }
    case 'executor.message':
      return whisper(oneLine(event.payload.text), 'plain');
    case 'executor.tool_call': {
      const { tool, summary, status } = event.payload;
      return {
        ...whisper(
          `${tool === '' ? UNNAMED_CALL : name(tool)}${summary === '' ? '' : ` ${oneLine(summary)}`}${status === '' ? '' : ` ${name(status)}`}`,
        ),
        tone: status === 'error' ? 'bad' : 'dim',
      };
    }
    case 'executor.permission': {
      const { tool, subject, answer, reason } = event.payload;
      return say(
        answer === 'denied' ? 'bad' : 'plain',
        `${name(tool)} ${oneLine(subject, 200)} ${answer}: ${oneLine(reason, 200)}`,
      );
    }
    case 'executor.network': {
      const { answer, reason } = event.payload;
      const where = hostText(event.payload);
      return answer === 'allowed'
        ? whisper(`reaches ${where}`)
        : say('bad', `${where} is refused: ${oneLine(reason, 200)}`);
    }
    case 'a2a.remote_usage': {
      const { remote_run_id: run, endpoint, cost_usd: cost, source } = event.payload;
      const paid = cost === null ? 'cost unknown' : `$${cost}`;
      return say(
        'dim',
        `run ${name(run)} at ${oneLine(endpoint, 200)}: ${source === 'unknown' ? 'usage unknown' : paid}`,
      );
    }
    case 'executor.result': {
      const { ref, status, reason, outcome, diff_bytes: diff, duration_ms: ms, exit_metadata: exit } = event.payload;
      if (isPutDown(event.payload))
        return say('plain', `${name(ref)} is put down, people are asked, ${durationText(ms)}`);
      if (outcome !== undefined && status === 'success')
        return say(outcome.passed ? 'plain' : 'bad', `${name(ref)}${outcomeSuffix(outcome)}, ${durationText(ms)}`);
      const changed = diff === 0 ? '' : `, diff of ${bytesText(diff)}`;
      const code = exit.returncode === null ? '' : `, exit code ${exit.returncode}`;
      const left = exit.signal === null ? code : `, ended by ${exit.signal}`;
      return say(
        status === 'success' ? 'plain' : 'bad',
        `${name(ref)} ${name(status)}${because(reason)}${left}${changed}, ${durationText(ms)}`,
      );
    }
    default:
      return assertNever(event);
  }
}
