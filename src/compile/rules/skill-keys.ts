import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import type { Checked } from '../link/registries.js';
import type { Report } from '../report.js';

/** What only an agent that runs elsewhere is asked with. */
const REMOTE_KEYS = ['skill_id', 'credentials_ref', 'on_unanswerable', 'max_agent_answers'] as const;

/** A topology of this workspace has no card, wants no login, and asks its own people. */
function checkRemoteKeys(artifact: Checked<'Skill'>, report: Report): void {
  const { implementation } = artifact.value;
  if (implementation.type !== 'agent' || implementation.card_url !== undefined) return;
  for (const key of REMOTE_KEYS) {
    if (implementation[key] === undefined) continue;
    report.add(
      { artifact, pointer: pointerTo('/implementation', key), onKey: true },
      {
        code: 'skill.remote-only',
        message: `\`${key}\` has no effect: the skill calls a topology of this workspace`,
        help: 'remove it; it belongs to a skill with `card_url`, whose agent runs elsewhere',
      },
    );
  }
}

/** Keys that the schema takes of any skill or model block, and that say nothing here. */
export function checkSkillKeys(linked: Linked, report: Report): void {
  for (const artifact of linked.registries.skills.values()) {
    checkRemoteKeys(artifact, report);
    const { implementation, constraints } = artifact.value;
    const model = implementation.type === 'llm_prompt' ? implementation.model : undefined;
    for (const key of ['tool_provider', 'tool_model', 'tool_choice', 'strict'] as const) {
      const value = model?.[key];
      if (value === undefined) continue;
      const written = typeof value === 'string' ? value : JSON.stringify(value);
      // A prompt is one call without tools (docs/design/execution.md#prompt-skills): there is no
      // turn that another model could take.
      report.add(
        { artifact, pointer: pointerTo('/implementation/model', key) },
        {
          code: 'skill.prompt-no-tools',
          severity: 'warning',
          message: `\`${key}: ${written}\` has no effect: a prompt calls no tools`,
          help: 'remove it; `provider` and `name` say who answers',
        },
      );
    }
    if (constraints?.on_failure !== 'fallback') continue;
    report.add(
      { artifact, pointer: '/constraints/on_failure' },
      {
        code: 'skill.no-fallback',
        message: '`on_failure: fallback` has no skill to call instead',
        help: 'write `fail` (the agent sees the failure and may call another skill), `retry` or `escalate_to_human`',
      },
    );
  }
}
