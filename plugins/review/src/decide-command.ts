import {
  type App,
  colorFlag,
  Flags,
  type JsonObject,
  KitCommand,
  type PastePlace,
  type ResolvedItem,
  toWireDecision,
  toWireGate,
  toWireItem,
  toWireJob,
  type Who,
  workspaceFlag,
} from '@kit-run/kit/command';
import { type RunAfterDecision, resolvedText, runAfterText } from '@kit-run/kit/text/item-text';
import { goOnAfter } from './go-on.js';
import { commentFlag, reviewView, whoLine } from './review-flags.js';

/** Flags of every command that records a decision. */
export const decisionFlags = {
  workspace: workspaceFlag,
  comment: commentFlag,
  resume: Flags.boolean({
    allowNo: true,
    description:
      'Continue the run here at once, or never (default: here, when no other process claims it within a second).',
  }),
  color: colorFlag,
};

/** What such a command was told. */
export interface Decided {
  readonly workspace: string;
  /** How the user named it; undefined = not at all. */
  readonly named: string | undefined;
  readonly by: string;
  /** Named in the first line. */
  readonly who: Who;
  readonly resume: boolean | undefined;
  readonly color: boolean | undefined;
}

/**
 * A command that records one decision. Its exit code and its JSON tell the decision alone: 0 =
 * recorded, whatever becomes of the run (docs/design/decisions.md#recorded).
 */
export abstract class DecideCommand extends KitCommand {
  protected async decided(resolved: ResolvedItem, how: Decided): Promise<JsonObject> {
    const view = reviewView(this.settings, how);
    const isJson = this.jsonEnabled();
    // What was recorded is told before anything else happens: the run may take hours.
    if (!isJson) this.log(`${whoLine(how.who)}\n${resolvedText(resolved, view)}`);
    const app: App = this.kit;
    const run = await goOnAfter({
      runs: app.runs,
      settings: this.settings,
      io: this.io,
      isJson,
      color: how.color ?? (!this.settings.noColor && this.settings.stderrIsTty),
      workspace: how.workspace,
      job: resolved.job,
      by: how.by,
      wish: how.resume,
      afterSeq: resolved.seq,
    });
    if (!isJson) this.log(runAfterText(run, view));
    return decidedToWire(resolved, run, view.workspaceArgument);
  }
}

/**
 * What a decision came to, as JSON. `item` and `decision` tell the decision; the run after it is a
 * field of its own (docs/design/decisions.md#recorded).
 */
function decidedToWire(resolved: ResolvedItem, run: RunAfterDecision, place: PastePlace): JsonObject {
  return {
    item: toWireItem(resolved.item),
    decision: resolved.decision === null ? null : toWireDecision(resolved.decision),
    unchanged: resolved.unchanged,
    reopened: resolved.reopened,
    proposed: [...resolved.proposed],
    gate: resolved.gate === null ? null : toWireGate(resolved.gate, place),
    run: { id: run.job.id, status: run.job.status, resumed: run.resumed, why: run.why, job: toWireJob(run.job) },
  };
}
