import type { JsonObject, PluginContext, Vote } from '@kit-run/kit/plugin';
import { defineSkillStrategy } from '@kit-run/kit/plugin';

/** @param _config always {} */
function create(_config: JsonObject, _plugin: PluginContext) {
  return {
    /**
     * One objection is enough, and so is one member that did not vote. The same votes have to give
     * the same verdict.
     * @param votes in the order of `composes`; null for a member that cast none
     */
    decide(votes: readonly Vote[]) {
      const cast = votes.filter((vote) => vote !== null);
      const isComplete = votes.length > 0 && cast.length === votes.length;
      const objection =
        cast.find((vote) => vote.verdict === 'fail') ?? cast.find((vote) => vote.verdict === 'needs-revision');
      if (objection !== undefined) {
        const { verdict, confidence, skill, reasoning } = objection;
        return { verdict, confidence, reasoning: `${skill}: ${reasoning}` };
      }
      if (!isComplete) return { verdict: 'fail' as const, confidence: 0, reasoning: 'Not everybody voted.' };
      const confidence = Math.min(...cast.map((vote) => vote.confidence));
      return { verdict: 'pass' as const, confidence, reasoning: 'Nobody objects.' };
    },
  };
}

/** Strategy `sample-name`. */
export const contribution = defineSkillStrategy({ create });
