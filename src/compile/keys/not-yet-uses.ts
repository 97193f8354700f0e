import type { Json } from '../../domain/json.js';
import type { NotYetUse } from '../../domain/not-yet-use.js';
import { isObject } from '../../lib/json.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { isBundled } from '../builtin/bundled.js';
import { isArray } from '../document.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art } from '../link/registries.js';
import { executorConfigUses } from './executor-config-uses.js';
import type { Mark } from './key-row.js';
import { KEY_TABLE } from './key-table.js';
import { makeReach, type Reach } from './reach.js';
import { type KeyTrie, stepInto, trieOf } from './trie.js';

interface Found {
  readonly key: string;
  readonly impliedBy: string | null;
  readonly mark: Mark;
  readonly pointer: string;
  readonly value: Json;
}

/**
 * Pointer of the block that a row is reported at: as many segments as the block's key has behind
 * the kind.
 */
function blockPointer(segments: readonly string[], key: string, block: string): string {
  const below = key.split('.').length - block.split('.').length;
  return pointerTo('', ...segments.slice(0, segments.length - below));
}

function visit(node: KeyTrie, value: Json, segments: readonly string[], found: Found[]): void {
  const before = found.length;
  const children: readonly (readonly [string, Json])[] = isObject(value)
    ? Object.entries(value)
    : isArray(value)
      ? value.map((child, index) => [String(index), child] as const)
      : [];
  for (const [segment, child] of children) {
    const next = stepInto(node, segment);
    if (next !== null) visit(next, child, [...segments, segment], found);
  }
  // A key that also has declared keys below it is reported there.
  const row = found.length > before ? null : node.row;
  if (row?.state !== 'not-yet') return;
  found.push({
    key: row.block,
    impliedBy: row.impliedBy ?? null,
    mark: row.mark,
    pointer: blockPointer(segments, row.key, row.block),
    value,
  });
}

function usesOf(trie: KeyTrie, artifact: Art, reach: Reach): readonly NotYetUse[] {
  const found: Found[] = [];
  const start = stepInto(trie, artifact.kind);
  if (start !== null) visit(start, artifact.raw, [], found);
  const blocks = new Map<string, NotYetUse>();
  for (const { key, impliedBy, mark, pointer, value } of found) {
    if (impliedBy !== null && found.some((other) => other.key === impliedBy)) continue;
    const id = `${pointer}\n${mark}`;
    if (blocks.has(id)) continue;
    blocks.set(id, {
      key,
      mark,
      path: artifact.path,
      pointer,
      span: artifact.keySpanOf(pointer),
      reachedBy: reach.of(artifact, pointer),
      value,
    });
  }
  return [...blocks.values()];
}

/**
 * Every use of a key that no code path consumes yet, with the topologies that reach it. Values are
 * as written: no secret is expanded.
 */
export function notYetUses(linked: Linked): readonly NotYetUse[] {
  const { config, roles, ...rest } = linked.registries;
  const artifacts = [config, ...Object.values(rest).flatMap((registry) => [...registry.values()]), ...roles].filter(
    (artifact) => !isBundled(artifact),
  );
  const trie = trieOf(KEY_TABLE);
  const reach = makeReach(linked);
  return [...artifacts.flatMap((artifact) => usesOf(trie, artifact, reach)), ...executorConfigUses(linked, reach)];
}
