import type { StepOutcome } from '../../domain/journal.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';
import { NOT_ANSWERED } from '../../prompts/harness.js';
import { askPeople, type PersonAnswer } from '../ask-people.js';
import type { Parked } from '../park.js';
import type { RunServices } from '../services.js';
import type { PermissionRequest } from './launch-value.js';

/** A question of a model, as its program put it. Words of a model, every one. */
interface ModelQuestion {
  readonly question: string;
  /** Answers to choose from; [] = none, or several may be chosen at once. */
  readonly options: readonly string[];
}

const MAX_QUESTIONS = 10;
const MAX_OPTIONS = 20;
const MAX_QUESTION_CHARS = 2000;
const MAX_OPTION_CHARS = 200;

/** `questions: [{question, multiSelect, options: [{label}]}]`, as Claude Code puts them. */
export function questionsIn({ questions }: JsonObject): readonly ModelQuestion[] {
  if (!Array.isArray(questions)) return [];
  return questions.slice(0, MAX_QUESTIONS).flatMap((entry: Json) => {
    if (!isObject(entry) || typeof entry.question !== 'string') return [];
    const options = Array.isArray(entry.options) && entry.multiSelect !== true ? entry.options : [];
    const labels = options.slice(0, MAX_OPTIONS).flatMap((option: Json) => {
      const label = isObject(option) ? option.label : option;
      return typeof label === 'string' ? [label.slice(0, MAX_OPTION_CHARS).toWellFormed()] : [];
    });
    return [{ question: entry.question, options: labels }];
  });
}

/** The input with what people said: the same for each of several questions. */
export function withAnswers(input: JsonObject, answer: string): JsonObject {
  const said = answer === '' ? NOT_ANSWERED : answer;
  return { ...input, answers: Object.fromEntries(questionsIn(input).map(({ question }) => [question, said])) };
}

/**
 * The item of a question that a model asks people. Where the answer comes with a comment, the model
 * is told both: an option is chosen, and the comment says what no option does.
 */
export function askTheQuestion(
  services: RunServices,
  of: { readonly agentId: string; readonly key: string; readonly round: number; readonly asked: PermissionRequest },
): Promise<StepOutcome<PersonAnswer> | Parked> {
  const { call, session, worktree, rationale } = of.asked;
  const questions = questionsIn(call.input);
  const [first] = questions;
  const text = questions.map(({ question }) => question).join('\n');
  return askPeople(services, {
    key: `${of.key}/question`,
    kind: 'input',
    agentId: of.agentId,
    skillId: null,
    reason: `the model of ${of.agentId} asks people`,
    question: (text === '' ? call.subject : text).slice(0, MAX_QUESTION_CHARS).toWellFormed(),
    options: questions.length === 1 && first !== undefined ? first.options : [],
    takes: 'both',
    details: {
      action: 'harness:question',
      tool: call.tool,
      input: call.input,
      input_sha256: call.sha256,
      // Words of a model: nothing of it is kit's.
      rationale: { said_by: 'model', text: rationale },
      working_directory: worktree,
      round: of.round,
      session,
      step: of.key,
    },
  });
}
