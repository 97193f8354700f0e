import type { AgentNode } from '../../src/domain/agent-node.js';
import type { Executor } from '../../src/domain/ports/executor.js';
import type { RunSnapshot } from '../../src/domain/snapshot.js';
import { edit, execute, fakeAcpSpec } from './fake-acp.js';
import { bash, fakeClaudeSpec, scripted } from './fake-claude.js';

/**
 * A harness that writes a file by itself and is asked about one command, which tells the outside
 * that it ran. People approve it; what may have been done already they do not let be done again.
 */
export const ASKING_EXECUTOR: AgentNode['executor'] = {
  kind: 'harness',
  ref: 'claude-code',
  config: {},
  onInDoubt: 'ask',
};

/** @param report what makes a shell tell the outside that it began, and maybe die there */
export const askingTask = (report: string): string =>
  `You are deployer. ${scripted([
    [{ call: 'Write', input: { file_path: 'note.md', content: 'n\n' } }],
    [{ say: 'Now it goes out.' }, bash(`${report}begin deploy`)],
    [{ say: 'It is out.' }],
  ])}`;

/**
 * The same over ACP, where the model has to ask for the call again.
 *
 * @param report as above
 */
export const askingAcpTask = (report: string): string =>
  `You are deployer. ${scripted([
    [edit('note.md')],
    [{ say: 'Now it goes out.' }, execute(`${report}begin deploy`)],
    [{ say: 'It is out.' }],
  ])}`;

/** The program of a scenario: an adapter is read where one needs it, and not by each process. */
export const adaptersOf = (scenario: string): RunSnapshot['adapters'] => ({
  'claude-code': {
    spec: scenario === 'asking-acp' ? fakeAcpSpec() : fakeClaudeSpec(),
    digest: 'd',
    source: 'bundled',
  },
});

/** The executor of the plugin, loaded only where a scenario needs it. */
export async function askingExecutor(): Promise<Executor> {
  const [{ contribution }, { createTestContext }, { createClock }] = await Promise.all([
    import('../../plugins/harness/src/executor.js'),
    import('../../src/sdk/testing.js'),
    import('../../src/system/clock.js'),
  ]);
  return contribution.create({}, createTestContext({ clock: createClock() }));
}
