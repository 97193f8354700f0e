// One decision of `agt`, its identity check included, by twenty YAML rules and by twenty Cedar
// policies, parsed once, every request different, nothing kept. The bar is about wall time over all
// decisions. Two figures beside it tell what the work itself took on a busy machine: the processor
// time of one decision on average, and the p99 of the calmest thousand in a row.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inDirectory } from './support/directory.mjs';
import { ms, show } from './support/figures.mjs';

const DECISIONS = 20_000;
const WARM_UP = 2_000;
const BAR_MS = 0.2;
const AGENTS = Array.from({ length: 20 }, (_, n) => `agent-${n}`);
const COMMANDS = Array.from({ length: 100 }, (_, n) => `pack:command-${n}`);
const signal = new AbortController().signal;
const { contribution } = await import(new URL('../../plugins/governance/dist/agt.js', import.meta.url).href);

/** Twenty rules each, as a workspace of some size has them. */
const POLICIES = {
  yaml: {
    'main.yaml': JSON.stringify({
      name: 'main',
      default_action: 'deny',
      rules: [
        { name: 'reads', condition: "effects == 'read'", action: 'allow' },
        ...AGENTS.slice(1).map((agent) => ({
          name: agent,
          condition: `agent == '${agent}' and resource in ['${COMMANDS[1]}', '${COMMANDS[2]}']`,
          action: 'deny',
        })),
      ],
    }),
  },
  cedar: {
    'main.cedar': [
      'permit(principal, action, resource) when { context.effects == "read" };',
      ...AGENTS.slice(1).map(
        (agent) => `forbid(principal == Agent::"${agent}", action, resource == Command::"${COMMANDS[1]}");`,
      ),
    ].join('\n'),
  },
};

for (const [language, files] of Object.entries(POLICIES)) await measure(language, files);

function measure(language, files) {
  return inDirectory(async (root) => {
    await mkdir(join(root, 'policies'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, 'policies', name), text);
    const clock = { now: () => Date.now(), sleep: () => new Promise(() => {}) };
    const provider = await contribution.create({ policy_language: language }, { clock, fetch });
    const problems = await provider.check(
      { root, agents: AGENTS, skills: [], commands: COMMANDS, servers: [] },
      signal,
    );
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    for (let n = 0; n < WARM_UP; n++) await provider.evaluate(requestOf(-1 - n), signal);
    const times = new Float64Array(DECISIONS);
    const verdicts = { allow: 0, deny: 0, ask: 0 };
    const cpu = process.cpuUsage();
    for (let n = 0; n < DECISIONS; n++) {
      const request = requestOf(n);
      const startedMs = performance.now();
      const { verdict } = await provider.evaluate(request, signal);
      times[n] = performance.now() - startedMs;
      verdicts[verdict] += 1;
    }
    const { user, system } = process.cpuUsage(cpu);
    const p99 = at(times, 0.99);
    const calmest = Math.min(
      ...Array.from({ length: DECISIONS / 1000 }, (_, n) => at(times.subarray(n * 1000, (n + 1) * 1000), 0.99)),
    );
    const told = `${language}, ${DECISIONS} decisions (${verdicts.allow} allowed, ${verdicts.deny} denied)`;
    show(`${told}: p50`, ms(at(times, 0.5), 3));
    show(`${told}: p99`, ms(p99, 3), { bar: `<= ${BAR_MS} ms`, holds: p99 <= BAR_MS });
    show(`${told}: p99 of the calmest thousand`, ms(calmest, 3));
    show(`${told}: processor time of one`, ms((user + system) / 1000 / DECISIONS, 3));
    if (verdicts.allow === 0 || verdicts.deny === 0) throw new Error('a bench of one answer measures nothing');
  });
}

function at(values, share) {
  return values.toSorted()[Math.floor(values.length * share)];
}

/** No two are equal: agent, command and scopes vary, and a scope carries the number. */
function requestOf(n) {
  const number = Math.abs(n);
  return {
    agentId: AGENTS[number % AGENTS.length],
    action: `command:call:${COMMANDS[number % COMMANDS.length]}`,
    scopesRequired: [],
    context: {
      role: 'worker',
      skill: `skill-${n}`,
      effects: number % 3 === 0 ? 'write' : 'read',
      base_scope: ['kb:read'],
      trust: (number % 100) / 100,
    },
  };
}
