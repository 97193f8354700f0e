import { diesInTool } from './command-scene.js';
import type { RunProof } from './proof.js';

const SERVER = 'Workspace.mcp_servers.*';
const STRICT_EFFECT = { [`${SERVER}.permission`]: 'readonly' };
const COMPRESSION = 'Workspace.context_compression.overrides';
/** An answer that is long enough to be shortened. */
const LONG = { 'Skill.implementation.arguments': { text: 'word '.repeat(2000) } };

const PROOFS: readonly RunProof[] = [
  { key: `${SERVER}.source`, a: 'mcp', b: 'other', refuses: 'KIT_TOOL_SERVER_UNKNOWN' },
  { key: `${SERVER}.transport`, a: 'stdio', b: 'http' },
  { key: `${SERVER}.command`, a: ['serve'], b: ['serve', 'more'] },
  { key: `${SERVER}.endpoint`, a: 'http://localhost/one', b: 'http://localhost/two' },
  { key: `${SERVER}.env`, a: { MODE: 'one' }, b: { MODE: 'two' } },
  { key: `${SERVER}.headers`, a: { 'x-mode': 'one' }, b: { 'x-mode': 'two' } },
  { key: `${SERVER}.cwd`, a: 'skills', b: 'providers' },
  { key: `${SERVER}.credentials_ref`, a: 'token', b: 'spare' },
  { key: `${SERVER}.sandboxed`, a: false, b: true },
  { key: `${SERVER}.sandbox_image`, a: 'one', b: 'two' },
  {
    key: `${SERVER}.sandbox_allow`,
    a: ['one.example.org'],
    b: ['two.example.org'],
    given: { [`${SERVER}.sandboxed`]: true },
  },
  { key: `${SERVER}.sandbox_resources.cpus`, a: '1', b: '2' },
  { key: `${SERVER}.sandbox_resources.memory`, a: '1g', b: '2g' },
  { key: `${SERVER}.sandbox_resources.pids`, a: 10, b: 20 },
  { key: `${SERVER}.permission`, a: 'open', b: 'readonly' },
  { key: `${SERVER}.permission_overrides`, a: { look: 'open' }, b: { look: 'readonly' } },
  { key: `${SERVER}.effects`, a: { look: 'read' }, b: { look: 'write' }, given: STRICT_EFFECT },
  { key: `${SERVER}.on_in_doubt`, a: { look: 'repeat' }, b: { look: 'fail' }, run: { diesAfter: diesInTool } },
  {
    key: `${COMPRESSION}.*.match_server`,
    a: 'files',
    b: 'spare',
    given: { ...LONG, [COMPRESSION]: [{ match_server: 'files', backend: 'headtail', min_bytes: 100 }] },
  },
  { key: 'Skill.implementation.tool', a: 'look', b: 'other' },
  { key: 'Skill.implementation.arguments', a: { text: 'one' }, b: { text: 'two' } },
];

/** Keys of tool servers and of the skills that call their tools. */
export const TOOL_PROOFS: readonly RunProof[] = PROOFS.map((proof) => ({
  ...proof,
  run: { env: { TOKEN: 'secret-one', OTHER: 'a-longer-secret' }, ...proof.run },
}));
