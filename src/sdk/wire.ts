// What other programs that speak to a server import as `@kit-run/kit/wire`: the JSON Schema of each
// answer of the HTTP API, and the type of what it lets through.

export { JOB_STATUSES } from '../domain/job.js';
export {
  ARTIFACT_TEXT,
  ARTIFACTS,
  CONTENT,
  type WireArtifact,
  type WireArtifactText,
} from '../view/schemas/artifact.js';
export { CANARY, PROMOTED, ROLLED_BACK, type WireCanary, type WireCanaryRoute } from '../view/schemas/canary.js';
export { CHANGES, DIFFS, toWireChange, type WireChange, type WireDiffs } from '../view/schemas/change.js';
export { fromWire, toWire } from '../view/schemas/codec.js';
export {
  AGENT_PROBED,
  LOGIN_BEGUN,
  LOGIN_REMOVED,
  LOGINS,
  OAUTH_CLIENT,
  REMOTE_AGENTS,
  type WireLoginBegun,
  type WireLoginRemoved,
  type WireOauthClient,
} from '../view/schemas/connection.js';
export {
  EDIT_REPORT,
  ENTRY_SAVED,
  FILE_DELETED,
  FILE_TEXT,
  type WireWorkspaceConfig,
  WORKSPACE_CONFIG,
} from '../view/schemas/editing.js';
export {
  EVAL_REPORT,
  EVAL_REPORTS,
  type WireEvalCase,
  type WireEvalReport,
  type WireEvalRow,
} from '../view/schemas/evals.js';
export { AUDIT_ROW, LOG_ENTRY, SPAN, WHOLE_EVENT, type WireAuditRow, type WireEvent } from '../view/schemas/event.js';
export { FLEET, QUEUE_STATS, type WireFleet, type WireQueueStats } from '../view/schemas/fleet.js';
export { GAP_RECORDS, GAPS, type WireGaps } from '../view/schemas/gap.js';
export { ASKED_GATE, COMPREHENSION, GATE, type WireGate } from '../view/schemas/gate.js';
export { HEALTHY, NOT_HEALTHY, type WireHealthy, type WireNotHealthy } from '../view/schemas/health.js';
export { INBOX, INBOX_ITEM, type WireInbox, type WireInboxItem, type WireInboxRow } from '../view/schemas/inbox.js';
export {
  AUTH_INFO,
  CAPABILITIES,
  STORAGE,
  SYSTEM,
  USAGE_REPORT,
  USAGE_SUMMARY,
  WHOAMI,
  type WireAuthInfo,
  type WireCapabilities,
  type WireUsageReport,
  type WireWho,
} from '../view/schemas/info.js';
export {
  ASKED_FIELDS,
  ASKED_ITEM,
  DECISION,
  ELSEWHERE,
  ITEM,
  ITEM_FIELDS,
  type WireAsked,
  type WireItem,
} from '../view/schemas/item.js';
export {
  JOB,
  JOB_LIST,
  RETRY_REPORT,
  RUN_FIGURES,
  STOP_REPORT,
  SUBMITTED_JOB,
  type WireJob,
  type WireJobSummary,
} from '../view/schemas/job.js';
export {
  CONVERSATION,
  CONVERSATION_CREATED,
  CONVERSATIONS,
  MEMORIES,
  MEMORY_CONFIG,
  MEMORY_ITEM,
  MEMORY_TYPES,
  MEMORY_WRITTEN,
  QUARANTINE,
  QUARANTINE_RESOLVED,
  QUARANTINED,
  SHARED,
  type WireConversation,
  type WireConversationRow,
  type WireMemory,
  type WireMemoryConfig,
  type WireMemoryItem,
  type WireMemoryWritten,
  type WireQuarantined,
  type WireTurn,
} from '../view/schemas/memory.js';
export { PROVIDERS, type WireProvider } from '../view/schemas/provider.js';
export { RUN_REPORT, RUN_VIEW, type WireRun, type WireRunReport, type WireRunView } from '../view/schemas/run.js';
export { SKILL_CATALOGUE, SKILL_CHECKS, SKILL_IMPORTED, SKILLS_ADDED } from '../view/schemas/skill.js';
export {
  ARCHETYPE,
  ARTIFACT_ROWS,
  RESOLVED_AGENT,
  SKILL,
  TOPOLOGY,
  type WireArtifactDetail,
  type WireArtifactRow,
  type WireResolvedAgent,
  type WireTopology,
} from '../view/schemas/topology.js';
export {
  DELIVERED,
  FIRED,
  HOOK_ANSWER,
  TRIGGERS,
  type WireFired,
  type WireHookAnswer,
  type WireTrigger,
} from '../view/schemas/trigger.js';
export { WHY, type WireSituation, type WireWhy } from '../view/schemas/why.js';
export {
  ANY,
  among,
  arrayOf,
  BOOLEAN,
  COUNT,
  closed,
  described,
  INTEGER,
  NULL,
  NUMBER,
  nullable,
  OBJECT,
  objectOrNull,
  oneOf,
  recordOf,
  type Schema,
  STRING,
  STRINGS,
  TIMESTAMP,
  TRUE,
  type TypeOf,
} from '../view/schemas/words.js';
export { REACHABILITY, SKILL_NAMES, VALIDATION, VERIFICATION, type WireValidation } from '../view/schemas/workspace.js';
