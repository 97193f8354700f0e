// What other programs that speak to a server import as `@kit-run/kit/wire`: the JSON Schema of each
// answer of the HTTP API, and the type of what it lets through.

export { JOB_STATUSES } from '../domain/job.js';
export * from '../view/schemas/artifact.js';
export * from '../view/schemas/canary.js';
export * from '../view/schemas/change.js';
export * from '../view/schemas/codec.js';
export * from '../view/schemas/connection.js';
export * from '../view/schemas/editing.js';
export * from '../view/schemas/evals.js';
export * from '../view/schemas/event.js';
export * from '../view/schemas/fleet.js';
export * from '../view/schemas/gap.js';
export * from '../view/schemas/gate.js';
export * from '../view/schemas/health.js';
export * from '../view/schemas/inbox.js';
export * from '../view/schemas/info.js';
export * from '../view/schemas/item.js';
export * from '../view/schemas/job.js';
export * from '../view/schemas/memory.js';
export * from '../view/schemas/provider.js';
export * from '../view/schemas/run.js';
export * from '../view/schemas/skill.js';
export * from '../view/schemas/topology.js';
export * from '../view/schemas/trigger.js';
export * from '../view/schemas/why.js';
export * from '../view/schemas/words.js';
export * from '../view/schemas/workspace.js';
