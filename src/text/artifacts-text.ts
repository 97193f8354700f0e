import { refWithDigest } from '../domain/artifact-ref.js';
import type { ArtifactRecord } from '../domain/ports/artifacts.js';
import { bytesText, oneLine, timeText } from '../view/lines/words.js';
import { createPaint } from './lines/paint.js';
import { type Column, table } from './lines/table.js';

import type { ObserveOptions } from './status-text.js';

/** The ref is never cut: it is what the next command is given. */
const COLUMNS: readonly Column[] = [
  { title: 'REF' },
  { title: 'SIZE', align: 'right', dropFirst: 2 },
  { title: 'TYPE', dropFirst: 1 },
  { title: 'CREATED', dropFirst: 3 },
];

/** One line an artifact, in the order given. */
export function artifactsText(artifacts: readonly ArtifactRecord[], options: ObserveOptions): string {
  const rows = artifacts.map((record) => [
    { text: oneLine(refWithDigest(record), Number.MAX_SAFE_INTEGER), tone: 'strong' as const },
    { text: bytesText(record.sizeBytes) },
    { text: oneLine(record.mediaType, 60) },
    { text: timeText(record.createdAt) },
  ]);
  return table(COLUMNS, rows, { paint: createPaint(options.color), width: options.width }).join('\n');
}
