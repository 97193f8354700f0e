import { MAIN, workspace } from './artifact-text.js';
import type { RuleCase } from './rule-case.js';

export const SERVERS: readonly RuleCase[] = [
  {
    code: 'server.short-lease',
    severity: 'warning',
    at: 'workspace.yaml#/server/jobs/lease_seconds',
    sources: { 'topologies/t.yaml': MAIN, 'workspace.yaml': workspace('server: { jobs: { lease_seconds: 9 } }\n') },
  },
  {
    code: 'sandbox.bad-image',
    at: 'workspace.yaml#/mcp_servers/0/sandbox_image',
    sources: {
      'topologies/t.yaml': MAIN,
      'workspace.yaml': workspace(
        'mcp_servers: [{ id: m, transport: stdio, command: [x], sandboxed: true, sandbox_image: "node:24 --privileged" }]\n',
      ),
    },
  },
  {
    code: 'adapter.network-allowlist',
    at: 'workspace.yaml#/mcp_servers/0/sandbox_allow',
    sources: {
      'topologies/t.yaml': MAIN,
      'workspace.yaml': workspace(
        'mcp_servers: [{ id: m, transport: stdio, command: [x], sandbox_allow: [api.example.org] }]\n',
      ),
    },
  },
  {
    code: 'adapter.network-allowlist',
    at: 'workspace.yaml#/mcp_servers/0/sandbox_allow/0',
    sources: {
      'topologies/t.yaml': MAIN,
      'workspace.yaml': workspace(
        'mcp_servers: [{ id: m, transport: stdio, command: [x], sandboxed: true, sandbox_allow: [10.0.0.1] }]\n',
      ),
    },
  },
];
