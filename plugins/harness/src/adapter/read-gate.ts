import type { Json } from '@kit-run/kit/plugin';
import { type AdapterGate, GATE_PROTOCOLS, type GatedTool } from '../gate/gate-spec.js';
import { belowHome } from '../launch/credential-paths.js';
import type { SpecReader } from './read.js';

const KINDS = ['read', 'edit', 'execute', 'network', 'mcp', 'inner', 'question'] as const;

function readTool(reader: SpecReader, name: string, value: Json): GatedTool {
  const at = `/gate/tools/${name}`;
  const tool = reader.object(value, at);
  const kind = KINDS.find((one) => one === tool.kind);
  if (kind === undefined) reader.problem(`${at}/kind`, `must be one of ${KINDS.join(', ')}`);
  return {
    name,
    kind: kind ?? 'execute',
    subject: tool.subject === undefined ? null : reader.text(tool.subject, `${at}/subject`),
  };
}

/** `gate` of an adapter; null = its program asks nobody. */
export function readGate(reader: SpecReader, value: Json | undefined): AdapterGate | null {
  if (value === undefined) return null;
  const gate = reader.object(value, '/gate');
  const protocol = GATE_PROTOCOLS.find((one) => one === gate.protocol);
  if (protocol === undefined) reader.problem('/gate/protocol', `must be one of ${GATE_PROTOCOLS.join(', ')}`);
  const userSettings = gate.user_settings === undefined ? null : reader.text(gate.user_settings, '/gate/user_settings');
  if (userSettings !== null && belowHome(userSettings) === null)
    reader.problem('/gate/user_settings', 'must be a path below ~/');
  return {
    protocol: protocol ?? 'claude-hook',
    tools: Object.entries(reader.object(gate.tools, '/gate/tools')).map(([name, tool]) => readTool(reader, name, tool)),
    stdin: gate.stdin === undefined ? null : reader.text(gate.stdin, '/gate/stdin'),
    controlFiles: reader.texts(gate.control_files, '/gate/control_files'),
    refuseControlFiles: gate.refuse_control_files === true,
    userSettings,
  };
}
