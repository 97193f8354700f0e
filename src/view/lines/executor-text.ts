import type { StoredEvent } from '../../domain/events.js';
import { assertNever } from '../../lib/assert-never.js';
import { outcomeSuffix } from '../executor-outcome.js';
import { because, type EventText, name, say, whisper } from './say.js';
import { bytesText, durationText, oneLine } from './words.js';

/** What happened in the session of a harness, or in a run elsewhere, in one line. */
export function executorText(
  event: Extract<StoredEvent, { type: `executor.${string}` | 'a2a.remote_usage' }>,
): EventText {
  switch (event.type) {
    case 'executor.started': {
      const { ref, sandbox, resumed, not_included: missing } = event.payload;
      const without = missing.length === 0 ? '' : `; not included: ${oneLine(missing.join(', '), 200)}`;
      return say('plain', `${name(ref)} ${resumed ? 'goes on' : 'runs'} in a ${name(sandbox)}${without}`);
    }
    case 'executor.message':
      return whisper(oneLine(event.payload.text), 'plain');
    case 'executor.tool_call': {
      const { tool, summary, status } = event.payload;
      return {
        ...whisper(
          `${name(tool)}${summary === '' ? '' : ` ${oneLine(summary)}`}${status === '' ? '' : ` ${name(status)}`}`,
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
