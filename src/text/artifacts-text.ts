import { refWithDigest } from '../domain/artifact-ref.js';
import type { ArtifactRecord } from '../domain/ports/artifacts.js';
import { bytesText, oneLine, timeText } from '../view/lines/words.js';
import { type Column, type TableOptions, table } from './lines/table.js';

/** The ref is never cut: it is what the next command is given. */
const COLUMNS: readonly Column<ArtifactRecord>[] = [
  { title: 'REF', of: (record) => oneLine(refWithDigest(record), Number.MAX_SAFE_INTEGER), tone: 'strong' },
  { title: 'SIZE', align: 'right', dropFirst: 2, of: ({ sizeBytes }) => bytesText(sizeBytes) },
  { title: 'TYPE', dropFirst: 1, of: ({ mediaType }) => oneLine(mediaType, 60) },
  { title: 'CREATED', dropFirst: 3, of: ({ createdAt }) => timeText(createdAt) },
];

/** One line an artifact, in the order given. */
export const artifactsText = (artifacts: readonly ArtifactRecord[], options: TableOptions): string =>
  table(COLUMNS, artifacts, options).join('\n');
