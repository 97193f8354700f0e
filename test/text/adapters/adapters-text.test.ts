import { expect, it } from 'vitest';
import type { AdapterDetails } from '../../../src/app/adapters/adapters-app.js';
import { adaptersText, adapterText, approvalText } from '../../../src/text/adapters-text.js';

const SPEC = { launch: { command: ['own', '--json'] }, stream: { format: 'jsonl' } };
const OWN: AdapterDetails = {
  id: 'own',
  name: 'Own',
  description: 'Ours.',
  source: 'workspace',
  path: 'adapters/own.yaml',
  program: 'own',
  foundAt: null,
  version: null,
  approval: 'needs-review',
  fingerprint: 'f'.repeat(64),
  topologies: [],
  env: [],
  unverified: null,
  spec: SPEC,
  lastApproval: null,
};
const plain = { color: false, workspaceArgument: '' };

it('says what is not on this machine, and what nobody approved', () => {
  const text = adaptersText([OWN, { ...OWN, id: 'kit', approval: 'bundled', foundAt: '/bin/kit', version: '1.2.3' }], {
    color: false,
    width: null,
  });

  expect(text).toMatch(/^own +own not found +NEEDS REVIEW/m);
  expect(text).toMatch(/^kit +\/bin\/kit +1\.2\.3 +bundled/m);
});

it('shows a spec with everything, and one with hardly anything', () => {
  const rich = adapterText(
    {
      ...OWN,
      approval: 'approved',
      foundAt: '/bin/own',
      version: '1.0.0',
      topologies: ['a', 'b'],
      spec: {
        launch: {
          command: ['own', 'do it'],
          optional_args: [{ when: 'config.model', args: ['-m', '{config.model}'] }],
          stdin: '{task.statement}',
          env: { A: '1' },
        },
        auth: { modes: { api_key: {} } },
        sandbox: { kind: 'container' },
        stream: { format: 'jsonl' },
        event_map: [{}, {}],
        resume: { arg: ['-r', '{resume.token}'] },
        on_unanswerable: 'relay',
      },
    },
    plain,
  );

  expect(rich).toContain("launch       own 'do it'");
  expect(rich).toContain('stdin        {task.statement}');
  expect(rich).toContain('env          A=1');
  expect(rich).toContain('sandbox      container');
  expect(rich).toContain('stream       jsonl, 2 rules');
  expect(rich).toContain("resume       -r '{resume.token}'");
  expect(rich).toContain('used by      a, b');
  expect(rich).not.toContain('approve:');
  expect(adapterText({ ...OWN, spec: {} }, plain)).toContain('resume       starts anew');
  const inLaunch = { launch: { optional_args: [{ when: 'resume.token', args: ['resume', '{resume.token}'] }] } };
  expect(adapterText({ ...OWN, spec: inLaunch }, plain)).toContain('resume       goes on, as its launch says');
  const toHosts = { sandbox: { kind: 'container', network: 'allowlist', allow: ['api.example.org'] } };
  expect(adapterText({ ...OWN, spec: toHosts }, plain)).toContain('container, TLS to api.example.org by kit');
  expect(adapterText({ ...OWN, spec: { sandbox: { kind: 'container' } } }, plain)).toContain('container, no network');
});

it('gives the line that approves, for the workspace that was named', () => {
  expect(adapterText(OWN, { color: false, workspaceArgument: 'my team' })).toContain(
    `approve: kit adapters approve own --fingerprint ${'f'.repeat(64)} -w 'my team'`,
  );
});

it.each([
  ['was never approved', null, 'own was never approved in this workspace. All of it:'],
  [
    'is what was approved',
    { by: 'ann', at: '2026-01-02T00:00:00.000Z', fingerprint: 'f'.repeat(64), spec: SPEC },
    'own was approved by ann on 2026-01-02T00:00:00.000Z; nothing has changed since',
  ],
  [
    'was approved before specs were kept',
    { by: null, at: null, fingerprint: 'e', spec: null },
    'own was approved by somebody; what it was then was not kept. All of it:',
  ],
  [
    'has changed',
    { by: 'ann', at: null, fingerprint: 'e', spec: { ...SPEC, launch: { command: ['own'] } } },
    'own was approved by ann. What has changed since:',
  ],
])('an adapter that %s', (_what, lastApproval, text) => {
  expect(approvalText({ ...OWN, lastApproval }, { color: false })).toContain(text);
});

it('shows the changed lines alone', () => {
  const spec = { ...SPEC, launch: { command: ['own'] } };
  const text = approvalText({ ...OWN, lastApproval: { by: 'ann', at: null, fingerprint: 'e', spec } }, { color: true });

  expect(text).toContain('\u001b[32m+      "--json"\u001b[39m');
});

it('hides nothing of what a person approves', () => {
  const word = 'true #\u001b]\nevil\n#\u0007 \u009b; ../x';
  const hidden: AdapterDetails = { ...OWN, spec: { ...SPEC, launch: { command: ['sh', '-c', word] } } };

  const shown = [adapterText(hidden, plain), approvalText(hidden, { color: false })];

  expect(shown[0]).toContain("sh -c 'true #\\u{1b}]\\nevil\\n#\\u{7} \\u{9b}; ../x'");
  expect(shown[1]).toContain('true #\\u001b]\\nevil\\n#\\u0007 \\u{9b}; ../x');
});
