import { Args, Flags, KitCommand, toWireJob, workspaceArg, workspaceFlag } from '@kit-run/kit/command';
import { runAndWorkspace } from '../../run-and-workspace.js';

export class Debug extends KitCommand {
  static override summary = 'Show the journal of a run: each step, and what it came to, secrets masked.';
  static override description =
    'Answers of models and results of calls stay for storage.journal_days after the end of a run. A step begins a fork: kit debug fork RUN --from STEP.';
  static override args = { run: Args.string({ required: true, description: 'Run id or a unique prefix.' }), workspace: workspaceArg };
  static override flags = {
    workspace: workspaceFlag,
    agent: Flags.string({ char: 'a', description: 'Only steps of this agent.', helpValue: 'AGENT' }),
    step: Flags.string({ description: 'Only this step and what is inside it.', helpValue: 'STEP' }),
    full: Flags.boolean({ description: 'Whole results instead of their beginning.' }),
  };

  override async run(): Promise<unknown> {
    const { args, flags } = await this.parse(Debug);
    const place = runAndWorkspace(args, this.settings.cwd);
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: place.workspace });
    const debug = await this.kit.observe.debug({ workspace, run: args.run, agent: flags.agent ?? null, step: flags.step ?? null });
    if (!this.jsonEnabled()) {
      const { debugText } = await this.renderers.observe();
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
    };
  }
}
