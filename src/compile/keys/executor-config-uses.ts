import type { NotYetUse } from '../../domain/not-yet-use.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import type { Checked } from '../link/registries.js';
import { workersOf } from '../link/walk-agents.js';
import { objectIn } from '../read.js';

/**
 * Keys of a harness's `config` that kit and the harness driver read themselves; the rest reach an
 * adapter only as `{config.<key>}`.
 */
const CONSUMED: ReadonlySet<string> = new Set([
  'budget',
  'link',
  'include_uncommitted',
  'auth_mode',
  'credentials_ref',
  'permissions',
  'trust_threshold',
  'env',
]);

/**
 * Keys that are meant to bound what a session may do or where: without an effect they refuse a run
 * (docs/design/execution.md#bounds).
 */
const BOUNDING: ReadonlySet<string> = new Set([
  'working_dir',
  'sandbox',
  'classifier_model',
  'allowed_tools',
  'permission_mode',
  'approval_mode',
]);

/**
 * Keys of `executor.config` that nothing would read. The block is open, because each adapter may
 * name its own keys in its templates; one that the chosen adapter does not name, and kit does not
 * know, would be ignored in silence.
 */
export const executorConfigUses = (linked: Linked): readonly NotYetUse[] =>
  [...linked.registries.archetypes].flatMap(([id, archetype]) => usesOf(linked, id, archetype));

function usesOf(linked: Linked, id: string, archetype: Checked<'Archetype'>): readonly NotYetUse[] {
  const { kind = '', ref } = archetype.value.executor ?? {};
  const name = (kind === 'harness' ? ref : kind) ?? '';
  const adapter = linked.catalogue.adapters.get(name);
  const config = objectIn(archetype.raw, 'executor', 'config');
  if (adapter === undefined || config === null) return [];
  const template = JSON.stringify(adapter.value.spec);
  const without = Object.keys(config).filter((key) => !CONSUMED.has(key) && !template.includes(`config.${key}`));
  if (without.length === 0) return [];
  const reachedBy = [...linked.topologies].flatMap(([key, { root }]) =>
    workersOf(root, (funnel) => linked.funnels.get(funnel)).some((agent) => agent.archetype === id) ? [key] : [],
  );
  return without.map((key) => {
    const pointer = pointerTo('/executor/config', key);
    return {
      key: `Archetype.executor.config.${key}`,
      mark: BOUNDING.has(key) ? 'refuse' : 'warn',
      adapter: name,
      path: archetype.path,
      pointer,
      span: archetype.keySpanOf(pointer),
      reachedBy,
    };
  });
}
