import { expect, test } from 'vitest';
import { KEY_TABLE } from '../../../src/compile/keys/key-table.js';
import { A2A_PROOFS } from './proofs/a2a-proofs.js';
import { ADDRESS_PROOFS, PAGE_PROOFS } from './proofs/address-proofs.js';
import { AGENT_PROOFS } from './proofs/agent-proofs.js';
import { ARTIFACT_PROOFS } from './proofs/artifact-proofs.js';
import { AUTH_PROOFS } from './proofs/auth-proofs.js';
import { BINDING_PROOFS } from './proofs/binding-proofs.js';
import { CANARY_PROOFS } from './proofs/canary-proofs.js';
import { CHILD_PROOFS } from './proofs/child-proofs.js';
import { COMMAND_PROOFS } from './proofs/command-proofs.js';
import { COMPRESSION_PROOFS } from './proofs/compression-proofs.js';
import { CONSOLE_PROOFS } from './proofs/console-proofs.js';
import { CONTAINER_PROOFS } from './proofs/container-proofs.js';
import { EVAL_PROOFS } from './proofs/eval-proofs.js';
import { FLEET_PROOFS } from './proofs/fleet-proofs.js';
import { GATE_PROOFS } from './proofs/gate-proofs.js';
import { GOVERNANCE_PROOFS } from './proofs/governance-proofs.js';
import { HARNESS_PROOFS } from './proofs/harness-proofs.js';
import { JOBS_PROOFS } from './proofs/jobs-proofs.js';
import { KNOWLEDGE_PROOFS } from './proofs/knowledge-proofs.js';
import { MCP_PROOFS } from './proofs/mcp-proofs.js';
import { MEMORY_PROOFS } from './proofs/memory-proofs.js';
import { OUTBOUND_PROOFS } from './proofs/outbound-proofs.js';
import { PLANNING_PROOFS } from './proofs/planning-proofs.js';
import { CODED_PROOFS, LIMIT_PROOFS, PROVIDER_PROOFS } from './proofs/provider-proofs.js';
import { QUEUE_PROOFS } from './proofs/queue-proofs.js';
import { REMOTE_PROOFS, REMOTE_QUESTION_PROOFS } from './proofs/remote-proofs.js';
import { SINK_PROOFS } from './proofs/sink-proofs.js';
import { CHECKPOINT_PROOFS, PRUNE_PROOFS, STORAGE_PROOFS } from './proofs/storage-proofs.js';
import { TASK_PROOFS } from './proofs/task-proofs.js';
import { TOOL_PROOFS } from './proofs/tool-proofs.js';
import { TRIGGER_PROOFS } from './proofs/trigger-proofs.js';
import { VERDICT_PROOFS } from './proofs/verdict-proofs.js';

const PROVEN = [
  A2A_PROOFS,
  ADDRESS_PROOFS,
  PAGE_PROOFS,
  AGENT_PROOFS,
  ARTIFACT_PROOFS,
  AUTH_PROOFS,
  BINDING_PROOFS,
  CANARY_PROOFS,
  CHILD_PROOFS,
  COMMAND_PROOFS,
  CONTAINER_PROOFS,
  EVAL_PROOFS,
  COMPRESSION_PROOFS,
  FLEET_PROOFS,
  GATE_PROOFS,
  GOVERNANCE_PROOFS,
  HARNESS_PROOFS,
  JOBS_PROOFS,
  KNOWLEDGE_PROOFS,
  OUTBOUND_PROOFS,
  PLANNING_PROOFS,
  CONSOLE_PROOFS,
  MCP_PROOFS,
  MEMORY_PROOFS,
  PROVIDER_PROOFS,
  LIMIT_PROOFS,
  CODED_PROOFS,
  QUEUE_PROOFS,
  REMOTE_PROOFS,
  REMOTE_QUESTION_PROOFS,
  SINK_PROOFS,
  STORAGE_PROOFS,
  PRUNE_PROOFS,
  CHECKPOINT_PROOFS,
  TASK_PROOFS,
  TOOL_PROOFS,
  TRIGGER_PROOFS,
  VERDICT_PROOFS,
]
  .flat()
  .map((proof) => proof.key);

test('every key in force that is not a label has a proof', () => {
  const proven = new Set(PROVEN);
  const wanted = KEY_TABLE.filter((row) => row.state === 'in-force' && row.isLabel === undefined);

  const unproven = wanted.map((row) => row.key).filter((key) => !proven.has(key));

  expect(unproven, 'prove from outside that it does something: a file of test/compile/keys/proofs').toEqual([]);
});

test('no proof is left of a key that is not in force', () => {
  const inForce = new Set(KEY_TABLE.filter((row) => row.state === 'in-force').map((row) => row.key));

  expect(PROVEN.filter((key) => !inForce.has(key))).toEqual([]);
});

test('no key has two proofs', () => {
  expect(PROVEN.filter((key, index) => PROVEN.indexOf(key) !== index)).toEqual([]);
});
