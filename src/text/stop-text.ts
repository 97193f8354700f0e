import type { StopReport } from '../app/stop-job.js';
import { shellWord } from '../lib/shell-word.js';
import { stopWords } from '../view/lines/words.js';

/** What became of asking a run to stop, with the line that goes on. `workspace`: as named. */
export function stopText(report: StopReport, workspace: string): string {
  const { text, goesOn } = stopWords(report);
  const { topology, id } = report.job;
  const place = workspace === '' ? '' : `${shellWord(workspace)} `;
  return goesOn ? `${text}; go on with: kit run ${place}${topology} --resume=${id}` : text;
}
