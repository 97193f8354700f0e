import {
  Args,
  Flags,
  type KeptPrompt,
  KitCommand,
  KitError,
  onlyHere,
  runAndWorkspace,
  toWireJob,
  workspaceArg,
  workspaceFlag,
} from '@kit-run/kit/command';
import { debugText, promptsText } from '@kit-run/kit/text/debug-text';

export class Debug extends KitCommand {
  static override baseFlags = onlyHere;
  static override summary = 'Show requests to models, their answers, and the journal of a run; secrets are masked.';
  static override description =
    'Without a run: the newest model calls. With a run: each step and its result, with its prompt if kept (the newest KIT_DEBUG_PROMPTS calls of a store, for a week). Results are kept for storage.journal_days after the end of a run. To run again from a step: kit debug fork RUN --from STEP.';
  static override args = { run: Args.string({ description: 'Run id or a unique prefix.' }), workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    agent: Flags.string({ char: 'a', description: 'Only steps or calls of this agent.', helpValue: 'AGENT' }),
    step: Flags.string({ description: 'With a run: only this step and the steps inside it.', helpValue: 'STEP' }),
    last: Flags.integer({
      char: 'n',
      default: 5,
      min: 1,
      max: 1000,
      description: 'Without a run: how many calls.',
      helpValue: 'N',
    }),
    full: Flags.boolean({ description: 'Show results in full.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Debug);
    const place = runAndWorkspace(args, this.settings.cwd);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: place.workspace });
    if (place.run === undefined) return this.#newest(workspace, flags);
    const debug = await this.kit.observe.debug({
      workspace,
      run: place.run,
      agent: flags.agent ?? null,
      step: flags.step ?? null,
    });
    if (!this.jsonEnabled()) {
      this.log(debugText(debug, { full: flags.full }));
    }
    return {
      job: toWireJob(debug.job),
      pruned_steps: debug.prunedSteps,
      steps: debug.steps.map((row) => ({
        key: row.key,
        kind: row.kind,
        agent_id: row.agentId,
        effects: row.effects,
        attempt: row.attempt,
        started_at: row.startedAt,
        ended_at: row.endedAt,
        pruned_at: row.prunedAt ?? null,
        usage: row.usage,
        outcome: row.outcome,
      })),
      prompts: debug.prompts.map(promptToWire),
    };
  }

  async #newest(
    workspace: string,
    flags: { readonly agent?: string | undefined; readonly step?: string | undefined; last: number; full: boolean },
  ) {
    if (flags.step !== undefined)
      throw new KitError('KIT_USAGE', '--step names a step of a run, and no run is named', {
        hint: 'Write kit debug <run> --step <step>.',
      });
    const kept = await this.kit.observe.prompts({ workspace, agent: flags.agent ?? null, limit: flags.last });
    if (!this.jsonEnabled()) {
      this.log(promptsText(kept, { full: flags.full }));
    }
    return { kept: kept.kept, prompts: kept.prompts.map(promptToWire) };
  }
}

const promptToWire = (kept: KeptPrompt) => ({
  job_id: kept.jobId,
  step_key: kept.stepKey,
  agent_id: kept.agentId,
  skill_id: kept.skillId,
  purpose: kept.purpose,
  provider: kept.provider,
  model: kept.model,
  tries: kept.tries,
  asked_at: kept.askedAt,
  duration_ms: kept.durationMs,
  prompt: JSON.parse(kept.prompt) as unknown,
  answer: JSON.parse(kept.answer) as unknown,
});
