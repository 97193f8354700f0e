import { join } from 'node:path';
import { SCENE_SERVER } from '../tools/tool-world.js';
import { lastOf } from '../world.js';
import { type Scene, talk } from './scene.js';
import { always, failed, fixed, once, type Row } from './situations.js';

const BARE_CALL = { do: 'answer', calls: [{ name: 'nothing', arguments: {} }] } as const;
const limits = (line: string): string => `governance: { provider: mock, limits: { ${line} } }\n`;
const STRICT = `apiVersion: kit/v1
kind: Skill
metadata: { id: strict, name: Strict, description: Judges what was written. }
category: decision
implementation: { type: llm_prompt, prompt: Is there a source? }
outputs: { type: object, properties: { reasoning: { type: string } } }
provenance: { authored_by: human, version: 1.0.0 }
`;
const tool = (server: string, more = '') =>
  talk({
    workspace: `${more}mcp_servers: [{ id: files, transport: stdio, command: ${server} }]\n`,
    agent: '    skills: [look]\n',
    files: {
      'skills/look.yaml': `apiVersion: kit/v1
kind: Skill
metadata: { id: look, name: Look, description: Looks into a folder. }
category: capability
implementation: { type: mcp_tool, server: files, tool: look }
provenance: { authored_by: human, version: 1.0.0 }
`,
    },
  });

const unlimited = (scene: Scene): void => {
  scene.write(talk());
  fixed(scene);
};

/** Runs that failed for what a model said, or did not say. */
const MODELS: readonly Row[] = [
  failed('provider-rate-limited', 'submitter', { make: once({ do: 'status', status: 429 }) }),
  failed('provider-overloaded', 'submitter', { make: once({ do: 'status', status: 529 }) }),
  failed('provider-server', 'submitter', { make: once({ do: 'status', status: 500 }) }),
  failed('provider-cut-stream', 'submitter', { make: once({ do: 'cut', text: 'half', how: 'reset' }) }),
  failed('provider-timeout', 'submitter', {
    make: (scene) => {
      scene.env.KIT_MODEL_TIMEOUT = '2';
      return once({ do: 'silence' })(scene);
    },
  }),
  failed('provider-network', 'operator', {
    make: (scene) => {
      scene.env.MODEL_URL = 'http://127.0.0.1:9/v1';
      return scene.run();
    },
    fact: (scene) => {
      scene.env.MODEL_URL = scene.server.url;
    },
  }),
  failed('provider-auth', 'operator', { make: always({ do: 'status', status: 401 }), fact: fixed }),
  failed('provider-quota', 'operator', { make: always({ do: 'status', status: 402 }), fact: fixed }),
  failed('provider-context-overflow', 'author', {
    make: always({ do: 'status', status: 400, code: 'context_length_exceeded' }),
    fact: fixed,
  }),
  failed('provider-bad-request', 'author', { make: always({ do: 'status', status: 400 }), fact: fixed }),
  failed('provider-malformed', 'author', { make: always({ do: 'malformed' }), fact: fixed }),
  failed('content-filter', 'submitter', {
    make: always({ do: 'answer', text: '', finish: 'content_filter' }),
    fact: fixed,
  }),
  failed('empty-answer', 'author', { make: always({ do: 'answer', text: '' }), fact: fixed }),
  failed('truncated', 'author', {
    make: always({ do: 'answer', text: 'The first cause is that the', finish: 'length' }),
    fact: fixed,
  }),
];

/** Runs that came to a limit, or that something of the workspace kept from their end. */
const LIMITS: readonly Row[] = [
  failed('output-invalid', 'author', {
    make: (scene) => {
      scene.write(
        talk({ agent: '    output_schema: { type: object, required: [a], properties: { a: { type: string } } }\n' }),
      );
      return scene.run();
    },
    fact: (scene) => {
      scene.reply = { do: 'answer', text: '{"a":"b"}' };
    },
  }),
  ...(['steps-run', 'steps-agent', 'tokens'] as const).map((of) =>
    failed(`max-${of}`, 'author', {
      make: (scene) => {
        scene.write(
          talk({ workspace: limits(`max_${of === 'tokens' ? 'tokens_per_run' : of.replace('-', '_per_')}: 1`) }),
        );
        return always(BARE_CALL)(scene);
      },
      fact: unlimited,
    }),
  ),
  failed('timeout', 'submitter', { make: always({ do: 'silence' }, '--timeout', '2'), fact: fixed }),
  failed('denied', 'operator', {
    make: (scene) => {
      scene.write(talk({ workspace: "governance: { provider: mock, config: { deny: ['agent:execute*'] } }\n" }));
      return scene.run();
    },
    fact: unlimited,
  }),
  failed('invalid-calls', 'author', {
    make: (scene) => {
      scene.write(tool(`[${process.execPath}, ${SCENE_SERVER}, notes]`));
      scene.reply = { do: 'answer', calls: [{ name: 'look', arguments: '{"half' }] };
      return scene.run();
    },
    fact: unlimited,
  }),
  failed('tool-server', 'operator', {
    make: (scene) => {
      scene.write(tool("[sh, -c, 'echo no licence >&2; exit 3']"));
      scene.reply = { do: 'answer', calls: [{ name: 'look', arguments: {} }] };
      return scene.run();
    },
    fact: unlimited,
  }),
  failed('decision', 'submitter', {
    make: (scene) => {
      const bound = '{ id: strict, trigger: post_output, required: true, config: { max_retries: 0 } }';
      scene.write(
        talk({
          workspace: `governance: { provider: mock, decision_skills: [${bound}] }\n`,
          files: { 'skills/strict.yaml': STRICT },
        }),
      );
      scene.reply = {
        do: 'answer',
        text: '{"verdict":"fail","confidence":0.9,"reasoning":"no source","flagged_items":[]}',
      };
      return scene.run();
    },
    fact: unlimited,
  }),
  failed('tool-unknown', 'author', {
    make: (scene) => {
      const files = tool(`[${process.execPath}, ${SCENE_SERVER}, notes]`);
      scene.write({
        ...files,
        'skills/look.yaml': (files['skills/look.yaml'] ?? '').replace('tool: look', 'tool: gone'),
      });
      return scene.run();
    },
    fact: unlimited,
  }),
  failed('credential-unresolved', 'operator', {
    make: (scene) => {
      scene.write(
        tool(
          "[cat], env: { KEY: '{credential.key}' }",
          'credentials: { key: { source: env, config: { env: NO_SUCH_KEY } } }\n',
        ),
      );
      return scene.run();
    },
    fact: unlimited,
  }),
  {
    code: 'failed.replay-miss',
    actor: 'submitter',
    // What a cassette does not hold another recording does: a replay is nobody's to go on with.
    make: async (scene) => {
      const file = join(scene.dir, 'a.cassette');
      await scene.run('--record', file);
      scene.write(talk());
      scene.write({ 'topologies/talk.yaml': (talk()['topologies/talk.yaml'] ?? '').replace('You talk.', 'You sing.') });
      return String(lastOf(await scene.kit('run', 'talk', '--replay', file, '--json')).id);
    },
    fix: () => undefined,
    becomes: 'failed.replay-miss',
  },
];

export const FAILURES: readonly Row[] = [...MODELS, ...LIMITS];
