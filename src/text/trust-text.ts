import type { TrustProposal, TrustRow } from '../app/trust/trust-app.js';
import type { JsonObject } from '../domain/json.js';
import type { Tone } from '../view/lines/tone.js';
import { oneLine } from '../view/lines/words.js';
import { createPaint } from './lines/paint.js';
import { type Column, type TableOptions, table } from './lines/table.js';

const TONES: Readonly<Record<TrustRow['state'], Tone>> = {
  counting: 'plain',
  proposed: 'strong',
  blocked: 'bad',
  applied: 'good',
};

const COLUMNS: readonly Column<TrustRow>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'ARCHETYPE', canShrink: true, of: ({ archetype }) => oneLine(archetype, 60) },
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'MATCH', canShrink: true, of: ({ match }) => oneLine(match, 200) },
  { title: 'APPROVED', of: ({ approvals, threshold }) => `${approvals} of ${threshold}` },
  { title: 'STATE', of: ({ state }) => state, tone: ({ state }) => TONES[state] },
];

/** Decisions may have been made all the same: many count for nothing. */
const NOTHING_COUNTED = [
  'no decision counts yet',
  'A call of a harness counts that no entry of `permissions` is about, decided by somebody else than who submitted the run.',
].join('\n');

/** One line a capability. */
export const trustText = (rows: readonly TrustRow[], options: TableOptions): string =>
  rows.length === 0 ? NOTHING_COUNTED : table(COLUMNS, rows, options).join('\n');

/** What applying it would write, or has written. */
export function proposalText({ row, path, entry }: TrustProposal, options: { readonly color: boolean }): string {
  const paint = createPaint(options.color);
  const next = {
    proposed: `kit trust apply ${row.id}`,
    blocked: `kit trust clear ${row.id}`,
    counting: '',
    applied: '',
  };
  return [
    `${row.kind} ${oneLine(row.match, 400)} of ${oneLine(row.archetype, 60)}: approved ${row.approvals} of ${row.threshold} times, ${paint(TONES[row.state], row.state)}`,
    path === null ? paint('warn', 'the workspace has no such archetype') : `${path}, executor.config.permissions:`,
    paint('good', `+ - ${oneLine(entry, 1200)}`),
    ...(next[row.state] === '' ? [] : [`${paint('dim', 'then:')} ${next[row.state]}`]),
  ].join('\n');
}

export const trustJson = (row: TrustRow): JsonObject => ({
  id: row.id,
  archetype: row.archetype,
  kind: row.kind,
  match: row.match,
  approvals: row.approvals,
  threshold: row.threshold,
  state: row.state,
  at: row.at,
});

export const proposalJson = ({ row, path, entry }: TrustProposal): JsonObject => ({ ...trustJson(row), path, entry });
