import { readFile } from 'node:fs/promises';
import {
  type AnswerItem,
  Args,
  identityFlag,
  type JsonObject,
  KitError,
  type ListedPage,
  LOCAL_AUTH,
  type ResolvedItem,
  type ResolveItem,
  type ReviewItem,
  whoActs,
  workspaceArg,
} from '@kit-run/kit/command';
import { isObject } from '@kit-run/kit/plugin';
import { itemsText } from '@kit-run/kit/text/item-text';
import { DecideCommand, decisionFlags } from './decide-command.js';
import { reviewView } from './review-flags.js';

/** Arguments of every command that decides what is called so. */
export const namedArgs = {
  item: Args.string({
    required: true,
    description:
      'Id of an item, run or gate, or its beginning. A run or a gate stands for its one item that you can decide.',
  }),
  workspace: workspaceArg,
};

export const namedFlags = {
  ...decisionFlags,
  as: identityFlag('Who decides (default: KIT_IDENTITY, `kit config set identity`, the OS user).'),
};

type Verb = 'approve' | 'reject' | 'changes_requested';

/** What such a command takes. */
interface NamedInput {
  readonly args: { readonly item: string; readonly workspace: string | undefined };
  readonly flags: {
    readonly workspace: string | undefined;
    readonly as: string | undefined;
    readonly comment: string;
    readonly resume: boolean | undefined;
    readonly color: boolean | undefined;
    readonly input?: string | undefined;
  };
}

/** A command that decides the one item of a name that is the caller's to decide. */
export abstract class NamedCommand extends DecideCommand {
  /** `tasksOnly`: whatever else is called so is refused as no role task. */
  protected async decideNamed(verb: Verb, { args, flags }: NamedInput, { tasksOnly = false } = {}): Promise<unknown> {
    const { resume, color } = flags;
    const workspace = this.workspaceDir({ flag: flags.workspace, arg: args.workspace });
    const named = flags.workspace ?? args.workspace;
    const who = whoActs(this.settings, flags.as);
    const { item, isLeftToSomebody } = await this.theOne(args.item, {
      ...{ workspace, named, by: who.identity, otherwise: who.otherwise },
      color,
    });
    // An item that is left to nobody in particular names nobody but in the log, where this machine
    // stands for whoever did not say who they are.
    const isTask = tasksOnly || item.kind === 'role_task';
    const comment = await this.reasonOf(verb, flags.comment, item);
    const input = flags.input === undefined ? {} : { input: await readInput(flags.input) };
    const isUnsaid = who.from === 'the OS user' && !isTask && !isLeftToSomebody;
    const identity = isUnsaid ? `cli:${who.identity}` : who.identity;
    const decision = { workspace, item: item.id, isWholeId: true, identity, auth: LOCAL_AUTH, comment };
    if (isTask && flags.input !== undefined)
      throw new KitError('KIT_OUTCOME_INVALID', `${item.id} cannot be approved with another input`, {
        hint: 'Only a permission for one call has an input.',
      });
    const resolved = isTask
      ? await this.kit.review.resolve({ ...decision, outcome: verb })
      : await this.settle(item, verb, { ...decision, ...input });
    return this.decided(resolved, { workspace, named, by: identity, who, resume, color });
  }

  /**
   * The comment, asked for on a terminal where somebody works from it or a run ends with it. Throws
   * KIT_COMMENT_MISSING for requested changes without one, and for a person who says nothing.
   */
  private async reasonOf(verb: Verb, comment: string, { id }: ReviewItem): Promise<string> {
    if (verb === 'approve' || comment.trim() !== '') return comment;
    const missing = new KitError(
      'KIT_COMMENT_MISSING',
      verb === 'reject' ? `${id} is rejected without a reason` : 'changes are requested without a comment',
      verb === 'reject' ? { hint: 'Say why with --comment; nothing was decided.' } : {},
    );
    if (!this.settings.stdinIsTty || this.jsonEnabled()) {
      // A script that rejects says no more than it means to.
      if (verb === 'reject') return comment;
      throw missing;
    }
    const words = verb === 'reject' ? `why is ${id} rejected?` : `what should change in ${id}?`;
    const answer = (await this.question(words, missing)) ?? '';
    if (answer === '') throw missing;
    return answer;
  }

  private settle(
    item: ReviewItem,
    verb: Verb,
    decision: Omit<ResolveItem, 'outcome'> & Pick<AnswerItem, 'input'>,
  ): Promise<ResolvedItem> {
    if (verb !== 'changes_requested') return this.kit.review.answer({ ...decision, action: verb, answer: null });
    throw new KitError('KIT_OUTCOME_INVALID', `${item.id} is not a role task, so changes cannot be requested`, {
      hint: `Reject it: kit review reject ${item.id}`,
    });
  }

  /**
   * Throws KIT_ITEM_AMBIGUOUS where several items are theirs; at a server also where none of
   * several is.
   */
  protected async theOne(
    what: string,
    how: {
      workspace: string;
      named: string | undefined;
      by: string;
      /** How to be somebody else at the server; undefined: no server knows who this is. */
      otherwise: string | undefined;
      color: boolean | undefined;
    },
  ): Promise<{ readonly item: ReviewItem; readonly isLeftToSomebody: boolean }> {
    const { workspace, by } = how;
    const page = await this.kit.review.named({ workspace, what, viewer: { identity: by, auth: LOCAL_AUTH } });
    const theirs = page.items.filter((item) => page.asked.get(item.id)?.you?.canDecide === true);
    // Whoever may decide none of them is refused in the words of the rule, at the first.
    const refused = how.otherwise === undefined ? page.items.slice(0, 1) : page.items;
    const candidates = theirs.length === 0 ? refused : theirs;
    const [item, another] = candidates;
    if (item !== undefined && another === undefined)
      return { item, isLeftToSomebody: (page.asked.get(item.id)?.call?.approvers.length ?? 0) > 0 };
    if (!this.jsonEnabled()) {
      this.logToStderr(itemsText({ ...page, items: candidates }, { ...reviewView(this.settings, how), all: false }));
    }
    const several = `${candidates.length} items of ${what} wait`;
    throw new KitError(
      'KIT_ITEM_AMBIGUOUS',
      theirs.length === 0 ? `${several}, and none is ${by}'s to decide${whyNone(page)}` : `${several} for ${by}`,
      {
        hint: (theirs.length === 0 ? how.otherwise : undefined) ?? 'Name one of them by its id.',
        data: { candidates: candidates.map(({ id }) => id) },
      },
    );
  }
}

/** Why somebody may decide none of these items, where it is the same for all. */
function whyNone({ items, asked }: ListedPage): string {
  const reasons = new Set(items.map(({ id }) => asked.get(id)?.you?.whyNot ?? null));
  const [reason] = reasons;
  return reasons.size === 1 && typeof reason === 'string' ? `: ${reason}` : '';
}

/** The file of `--input`. Throws KIT_USAGE for one that holds no JSON object. */
async function readInput(path: string): Promise<JsonObject> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new KitError('KIT_USAGE', `--input ${path} cannot be read: ${error.message}`);
  });
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw new KitError('KIT_USAGE', `--input ${path} holds no JSON object`, {
    hint: 'Write the whole input of the call: kit review show ITEM --json shows the one that is asked about.',
  });
}
