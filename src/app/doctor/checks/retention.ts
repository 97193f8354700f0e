import type { DoctorCheck } from '../../../view/doctor-report.js';
import { dueWords, scheduleWords, sizeWords } from '../../../view/growth-words.js';
import type { GrowthReport } from '../../../view/storage-report.js';
import { behind, ok, skipped, warn } from './check.js';

const ID = 'retention';
const FIX = `kit storage prune --dry-run   # then without --dry-run, or for a server in workspace.yaml:
storage: { audit: { prune_every_hours: 24 } }`;

/** How large the store is, and whether somebody removes what is due. */
export function checkRetention(report: GrowthReport): DoctorCheck {
  const { store, retention, pruneEveryHours } = report;
  if (store.kind === 'none') return skipped(ID, 'nothing was ever run here');
  if (store.kind === 'unknown') return behind(ID); // the check of the store says why
  const found = `${sizeWords(store)}; ${dueWords(store, retention)}; ${scheduleWords(report)}`;
  return store.due.runs > 0 && pruneEveryHours === null ? warn(ID, found, FIX) : ok(ID, found);
}
