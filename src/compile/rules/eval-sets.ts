import { messageOf } from '../../domain/errors.js';
import type { EvalCase } from '../../domain/generated/artifacts.js';
import type { LinkedTopology } from '../../domain/linked-topology.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import type { Art } from '../link/registries.js';
import { topologyOf } from '../link/topology-of.js';
import { funnelsOf } from '../link/walk-agents.js';
import { didYouMean, type Report } from '../report.js';
import { rolesOf } from './funnel-roles.js';

/** Leading inline flags such as `(?i)`, which JavaScript has no word for. */
const INLINE_FLAGS = /^\(\?([imsu]+)\)/;

/** Translates a pattern with leading inline flags into the parts of a RegExp. */
export function regexParts(text: string): { readonly source: string; readonly flags: string } {
  const flags = INLINE_FLAGS.exec(text)?.[1] ?? '';
  return { source: flags === '' ? text : text.replace(INLINE_FLAGS, ''), flags: [...new Set(`${flags}u`)].join('') };
}

function regexProblem(text: string): string | null {
  try {
    const { source, flags } = regexParts(text);
    new RegExp(source, flags);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

function checkCase(linked: Linked, artifact: Art, { expect }: EvalCase, index: number, report: Report): void {
  const base = pointerTo('', 'cases', index, 'expect');
  const { regex, judge } = expect ?? {};
  const problem = regex === undefined ? null : regexProblem(regex);
  if (problem !== null)
    report.add({ artifact, pointer: `${base}/regex` }, { code: 'eval-set.bad-regex', message: problem });
  const judges = [...linked.skills.values()].flatMap(({ id, category }) => (category === 'decision' ? [id] : []));
  if (judge !== undefined && !judges.includes(judge)) {
    report.add(
      { artifact, pointer: `${base}/judge` },
      {
        code: 'eval-set.unknown-judge',
        message: `\`${judge}\` is not a decision skill of this workspace`,
        help: didYouMean(judge, judges),
      },
    );
  }
  expect?.used_skills?.forEach((skill, at) => {
    if (linked.skills.has(skill)) return;
    report.add(
      { artifact, pointer: pointerTo(base, 'used_skills', at) },
      {
        code: 'eval-set.unknown-skill',
        severity: 'warning',
        message: `no skill is called \`${skill}\``,
        help: didYouMean(skill, linked.skills.keys()),
      },
    );
  });
}

/** Nobody decides during an evaluation: a gate that people can decide keeps every case waiting. */
function checkGates(linked: Linked, artifact: Art, { root }: LinkedTopology, report: Report): void {
  const roles = rolesOf(linked);
  const gate = funnelsOf(root, (id) => linked.funnels.get(id)).find(({ approve }) =>
    approve.rules.every((rule) => rule.roles.every((role) => roles.has(role))),
  );
  if (gate === undefined) return;
  report.add(
    { artifact, pointer: '/target' },
    {
      code: 'eval-set.gated-target',
      severity: 'warning',
      message: `the gate \`${gate.id}\` keeps every case waiting, and then it has failed`,
      help: 'name a topology with the same agents and without the gate',
    },
  );
}

/** Rules on eval sets (docs/evals.md). */
export function checkEvalSets(linked: Linked, report: Report): void {
  for (const artifact of linked.registries.evalSets.values()) {
    const { target, cases } = artifact.value;
    const topology = topologyOf(linked, target);
    if (topology !== null) checkGates(linked, artifact, topology, report);
    else {
      report.add(
        { artifact, pointer: '/target' },
        {
          code: 'eval-set.unknown-target',
          message: `no topology is called \`${target}\``,
          help: didYouMean(
            target,
            [...linked.topologies.values()].map((topology) => topology.name),
          ),
        },
      );
    }
    const ids = cases.map(({ id }) => id);
    cases.forEach((entry, index) => {
      const { id } = entry;
      const first = ids.indexOf(id);
      if (first !== index) {
        report.add(
          { artifact, pointer: pointerTo('', 'cases', index, 'id') },
          {
            code: 'eval-set.duplicate-case',
            message: `two cases are called \`${id}\``,
            related: [{ artifact, pointer: pointerTo('', 'cases', first, 'id'), message: 'first used here' }],
          },
        );
      }
      checkCase(linked, artifact, entry, index, report);
    });
  }
}
