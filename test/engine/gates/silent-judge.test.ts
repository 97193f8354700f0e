import { expect, it } from 'vitest';
import type { LinkedFunnel } from '../../../src/domain/linked-funnel.js';
import { decisionSkill, lastText, verdict } from '../../support/deciding.js';
import { gatedBy, ONE_ROLE, openRounds } from '../../support/gated.js';
import { agent } from '../../support/run-world.js';
import { lawfulWorlds } from '../laws.js';

const open = lawfulWorlds();

const JUDGE: LinkedFunnel['judge'] = { skill: 'judge', rubric: 'Short is good.', threshold: 0.8 };

/** What the judge was told last each time, how often its author was asked, and what people see. */
async function ran(said: readonly string[], ruleSet = 5) {
  const reported: string[] = [];
  let drafts = 0;
  const gated = gatedBy(ONE_ROLE, { judge: JUDGE, maxRetries: 3 });
  const world = await open({
    root: agent('writer', { role: 'root', funnel: 'sign-off' }),
    skills: [decisionSkill('judge')],
    ...gated,
    snapshot: { ...gated.snapshot, ruleSet },
    script: ({ agent: id, request }) => {
      if (id !== 'judge') {
        drafts += 1;
        return `draft ${drafts}`;
      }
      reported.push(lastText(request));
      return said[Math.min(reported.length, said.length) - 1] ?? '';
    },
  });
  await world.run();
  return { told: reported, drafts, evidence: (await openRounds(world))[0]?.evidence };
}

it('a judge that passes a draft says how sure it is, and is asked for it', async () => {
  const { told: reported, drafts, evidence } = await ran(['{"verdict": "pass"}', verdict('pass')]);

  expect(reported[1]).toMatch(/^Your last message did not say how sure you are\./);
  expect(drafts).toBe(1);
  expect(evidence).toMatchObject({ escalated: false, judge: { verdict: 'pass', confidence: 0.9 } });
});

it('a judge that gives no verdict costs its author no draft, and people decide', async () => {
  const { told: reported, drafts, evidence } = await ran(['I like it.']);

  expect(reported).toHaveLength(3);
  expect(drafts).toBe(1);
  expect(evidence).toMatchObject({ escalated: true, retries: 0, failedLayers: ['judge'] });
});

it('before rule set 5 its author was asked for one draft after the other', async () => {
  const { drafts, evidence } = await ran(['I like it.'], 4);

  expect(drafts).toBe(4);
  expect(evidence).toMatchObject({ escalated: true, retries: 3 });
});
