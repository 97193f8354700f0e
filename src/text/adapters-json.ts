import type { AdapterDetails, AdapterRow } from '../app/adapters/adapters-app.js';
import type { JsonObject } from '../domain/json.js';

/** An adapter for programs. */
export const adapterJson = (row: AdapterRow): JsonObject => ({
  id: row.id,
  name: row.name,
  description: row.description,
  source: row.source,
  path: row.path,
  program: row.program,
  found_at: row.foundAt,
  version: row.version,
  approval: row.approval,
  fingerprint: row.fingerprint,
  topologies: [...row.topologies],
});

/** The same with its spec and the newest approval of it. */
export const adapterDetailsJson = (details: AdapterDetails): JsonObject => {
  const { lastApproval: last } = details;
  return {
    ...adapterJson(details),
    last_approval: last === null ? null : { fingerprint: last.fingerprint, by: last.by, at: last.at },
    spec: details.spec,
  };
};
