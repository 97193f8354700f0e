import type { StoreUpgrade, UpgradeShown } from '../store/migrations.js';
import { createProgressLine } from '../text/progress-line.js';
import { bytesText } from '../view/lines/words.js';
import type { AppParts } from './parts.js';
import { openServerLog } from './server-log.js';

/**
 * Says that a large store is brought up to date: a server or worker in its log, a command on
 * stderr, whether that is a terminal or not.
 */
export async function showUpgrade(
  parts: Pick<AppParts, 'logLines' | 'settings'> & { readonly isServer: boolean },
  { place, bytes, estimateMs }: StoreUpgrade,
): Promise<UpgradeShown> {
  const { settings, logLines, isServer } = parts;
  const { quiet, stderrIsTty, ci, isDumbTerminal } = settings;
  const log = isServer ? await openServerLog(parts) : null;
  const write = (line: string): void => {
    if (log !== null) log.info(line.trim());
    else if (!quiet) logLines.write(line);
  };
  const isTty = !isServer && stderrIsTty && !ci && !isDumbTerminal;
  const progress = createProgressLine({ write, isTty, now: () => performance.now() });
  const time = estimateMs === null ? '' : `; this takes about ${estimateMs / 1_000} s`;
  write(`The store ${place} (${bytesText(bytes)}) is brought up to date, once for this version of kit${time}.\n`);
  return {
    at: (done, of) => progress.show(done, of, 'steps of bringing the store up to date'),
    end: (outcome) => {
      progress.end();
      if (outcome === 'done') write('The store is up to date.\n');
    },
  };
}
