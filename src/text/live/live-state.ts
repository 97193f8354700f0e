import type { Job } from '../../domain/job.js';
import type { Tone } from '../../view/lines/tone.js';
import { oneLine } from '../../view/lines/words.js';
import type { RunView } from '../../view/run-view.js';
import { EMPTY_RUN } from '../../view/run-view.js';

/**
 * What the live tree shows besides the folded events. Streamed text is ephemeral: nothing but this
 * screen sees it.
 */
export interface LiveState {
  readonly view: RunView;
  /** End of what an activation's model is writing now, by activation. */
  readonly texts: Readonly<Record<string, string>>;
  /** Lines that stay: they go into the scrollback once and are never drawn again. */
  readonly said: readonly SaidLine[];
  /** How the run ended or parked; null while it runs. */
  readonly end: Pick<Job, 'status' | 'waitingOn'> | null;
}

/** One line that stays. */
export interface SaidLine {
  readonly tone: Tone;
  readonly text: string;
}

/** What changes the screen. */
export type LiveAction =
  | { readonly kind: 'view'; readonly view: RunView }
  | { readonly kind: 'text'; readonly activation: string; readonly text: string }
  | { readonly kind: 'say'; readonly line: SaidLine }
  | { readonly kind: 'end'; readonly job: Pick<Job, 'status' | 'waitingOn'> };

export const NOTHING_SHOWN: LiveState = { view: EMPTY_RUN, texts: {}, said: [], end: null };

/** More than two lines of the widest terminals; what an agent wrote before is in its answer. */
const TEXT_CHARS = 600;

/**
 * The next state of the screen. The run itself is folded by `reduceRun` alone; this keeps what no
 * event tells.
 */
export function reduceLive(state: LiveState, action: LiveAction): LiveState {
  switch (action.kind) {
    case 'view':
      return {
        ...state,
        view: action.view,
        texts: textsOf(state, action.view),
        said: [...state.said, ...newWarnings(state.view, action.view)],
      };
    case 'text': {
      const text = `${state.texts[action.activation] ?? ''}${action.text}`.slice(-TEXT_CHARS);
      return { ...state, texts: { ...state.texts, [action.activation]: text } };
    }
    case 'say':
      return { ...state, said: [...state.said, action.line] };
    case 'end':
      return { ...state, end: action.job };
  }
}

/**
 * A model call that has been recorded is over: its text is in the answer, and the next call begins
 * with none.
 */
function textsOf({ texts, view: before }: LiveState, view: RunView): LiveState['texts'] {
  const isOver = (activation: string): boolean => {
    const agent = view.agents[activation];
    return (
      agent === undefined || agent.status !== 'running' || agent.calls.model !== before.agents[activation]?.calls.model
    );
  };
  const over = Object.keys(texts).filter(isOver);
  return over.length === 0
    ? texts
    : Object.fromEntries(Object.entries(texts).filter(([activation]) => !over.includes(activation)));
}

function newWarnings(before: RunView, after: RunView): readonly SaidLine[] {
  return after.warnings.slice(before.warnings.length).map(({ agentId, text }) => ({
    tone: 'warn',
    text: `! ${agentId === null ? '' : `${oneLine(agentId, 60)}: `}${oneLine(text, 300)}`,
  }));
}
