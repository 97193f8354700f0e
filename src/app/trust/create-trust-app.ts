import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError } from '../../domain/errors.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock, FileEdits, Ids } from '../../domain/ports/system.js';
import { type TrustRow, trustId } from '../../govern/harness/accrual.js';
import { entryEvent } from '../entry-events.js';
import type { RunSession } from '../runs/run-session.js';
import { entryText, withEntry } from './insert-entry.js';
import { readTrust } from './read-trust.js';
import type { TrustApp, TrustAsk, TrustProposal } from './trust-app.js';

/** Real parts behind the use cases. */
export interface TrustAppDeps {
  readonly session: (workspace: string) => Promise<Pick<RunSession, 'workspace'>>;
  /** Null: nothing was ever run in the workspace. Throws KIT_WORKSPACE_NOT_FOUND. */
  readonly openStores: (workspace: string) => Promise<Stores | null>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly edits: Pick<FileEdits, 'replace'>;
}

export function createTrustApp(deps: TrustAppDeps): TrustApp {
  const find = async ({ workspace, id }: TrustAsk): Promise<{ stores: Stores; row: TrustRow }> => {
    const stores = await deps.openStores(workspace);
    const rows = stores === null ? [] : [...(await readTrust(stores)).values()];
    const found = rows.filter((row) => row.id.startsWith(id));
    const [row] = found;
    if (stores !== null && row !== undefined && found.length === 1) return { stores, row };
    throw new KitError('KIT_USAGE', `${found.length === 0 ? 'no counter' : 'more than one counter'} is called ${id}`, {
      hint: 'Run `kit trust list` to see what there is.',
    });
  };
  const proposal = async (workspace: string, row: TrustRow): Promise<TrustProposal> => {
    const { workspace: loaded } = await deps.session(workspace);
    return { row, path: loaded.archetypes.get(row.archetype)?.path ?? null, entry: entryText(row) };
  };
  return {
    list: async ({ workspace }) => {
      const stores = await deps.openStores(workspace);
      return stores === null ? [] : [...(await readTrust(stores)).values()].sort(byUrgency);
    },
    show: async (ask) => proposal(ask.workspace, (await find(ask)).row),
    apply: async (ask) => {
      const { stores, row } = await find(ask);
      const { path, entry } = await proposal(ask.workspace, row);
      if (row.state !== 'proposed') throw notProposed(row);
      if (path === null)
        throw new KitError('KIT_USAGE', `the workspace has no archetype ${row.archetype}`, {
          hint: `Clear it: kit trust clear ${row.id}`,
        });
      const file = join(ask.workspace, path);
      const text = withEntry(await readFile(file, 'utf8'), row);
      if (text === null)
        throw new KitError('KIT_USAGE', `nothing can be added to \`permissions\` of ${path} by kit`, {
          hint: `Add it yourself, then run kit trust clear ${row.id}: ${entry}`,
        });
      await deps.edits.replace(file, text);
      const { archetype, kind, match } = row;
      const payload = { archetype, kind, match, by_user: ask.by, path };
      await stores.events.append(entryEvent(deps, { type: 'trust.applied', topology: '', payload }), {});
      return { row: { ...row, state: 'applied' }, path, entry };
    },
    clear: async (ask) => {
      const { stores, row } = await find(ask);
      const { archetype, kind, match } = row;
      const payload = { archetype, kind, match, by_user: ask.by };
      await stores.events.append(entryEvent(deps, { type: 'trust.cleared', topology: '', payload }), {});
      return (await readTrust(stores)).get(trustId(row)) ?? row;
    },
  };
}

const ORDER: Readonly<Record<TrustRow['state'], number>> = { proposed: 0, blocked: 1, counting: 2, applied: 3 };
const byUrgency = (a: TrustRow, b: TrustRow): number =>
  ORDER[a.state] - ORDER[b.state] || a.archetype.localeCompare(b.archetype) || a.match.localeCompare(b.match);

function notProposed({ id, state, approvals, threshold }: TrustRow): KitError {
  const why = {
    counting: `it was approved ${approvals} of ${threshold} times`,
    blocked: 'a person rejected such a call since',
    applied: 'it was applied already',
    proposed: '',
  }[state];
  return new KitError('KIT_USAGE', `${id} is not proposed: ${why}`, {
    hint: state === 'blocked' ? `Count anew: kit trust clear ${id}` : 'Run `kit trust list` to see how they stand.',
  });
}
