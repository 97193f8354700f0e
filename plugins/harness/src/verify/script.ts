import { isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';
import type { ModelCall, ModelTurn, Wire } from './wire.js';

const SCRIPT = /<<script>>([\s\S]*?)<<end>>/g;

/** What the script has at one place of a conversation. */
export interface Scripted {
  readonly turn: ModelTurn;
  /** No answer comes, the first time that the place is reached. */
  readonly hang: boolean;
  /** HTTP status in the place of an answer; null = there is one. */
  readonly status: number | null;
  /** The place: script and turn. */
  readonly key: string;
}

/**
 * The task that makes the server answer with these turns, one for each time that it is asked. Items
 * of a turn: `{say}`, `{call, input}`, `{call, text}`, `{call, input, namespace}`, `{hang: true}`,
 * `{status: 400}`.
 */
export const scripted = (turns: readonly (readonly JsonObject[])[]): string =>
  `Do what you are told. <<script>>${JSON.stringify(turns)}<<end>>`;

const asList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

function conversationOf(body: JsonObject, wire: Wire): readonly Json[] {
  if (wire === 'gemini') return asList(body.contents);
  return asList(wire === 'responses' ? body.input : body.messages);
}

/** Made by the model: in one API a turn is several items one after the other. */
function isOfModel(item: Json | undefined): boolean {
  if (!isObject(item)) return false;
  const { role, type } = item;
  return role === 'assistant' || role === 'model' || type === 'reasoning' || isCall(type);
}

const isCall = (type: Json | undefined): boolean => type === 'function_call' || type === 'custom_tool_call';

/** Names and inputs of the calls of an item, whatever the API; '' = it has none. */
function callsIn(item: Json | undefined): string {
  if (!isObject(item)) return '';
  if (isCall(item.type)) return JSON.stringify([item.name, item.arguments ?? item.input ?? null]);
  const parts = [...asList(item.tool_calls), ...asList(item.content), ...asList(item.parts)].filter(isObject);
  const calls = parts.flatMap((part) => {
    const call = isObject(part.function) ? part.function : isObject(part.functionCall) ? part.functionCall : part;
    return typeof call.name === 'string' ? [[call.name, call.arguments ?? call.args ?? call.input ?? null]] : [];
  });
  return calls.length === 0 ? '' : JSON.stringify(calls);
}

/**
 * Turns of the model since the script was first told: some programs begin with words of a model of
 * their own. One that made the call of the turn before again is none.
 */
function turnsIn(said: readonly Json[]): number {
  let turns = 0;
  let before = '';
  const begin = said.findIndex((item) => JSON.stringify(item).includes('<<script>>'));
  said.forEach((item, at) => {
    if (at < begin || !isOfModel(item)) return;
    const calls = callsIn(item);
    if (!isOfModel(said[at - 1]) && (calls === '' || calls !== before)) turns += 1;
    if (calls !== '') before = calls;
  });
  return turns;
}

const SIDE_ANSWER = '{"complexity_score":1,"complexity_reasoning":"","next_speaker":"user"}';

/**
 * A turn whose call the model was told to make again; undefined: it was told no such thing. Some
 * programs keep the call that was put off in the conversation and some do not, so it is found by
 * the input that the words name.
 */
function repeatedCall(
  turns: readonly Json[],
  { done, last }: { readonly done: number; readonly last: Json | undefined },
): Json | undefined {
  const words = JSON.stringify(last ?? '');
  if (!words.includes('Make exactly this call again')) return undefined;
  const inputsOf = (turn: Json): readonly Json[] =>
    asList(turn).flatMap((one) => (isObject(one) && typeof one.call === 'string' ? [one.input ?? {}] : []));
  const isNamed = (input: Json): boolean => words.includes(JSON.stringify(JSON.stringify(input)).slice(1, -1));
  return (
    turns.findLast((turn, at) => at <= done && inputsOf(turn).some(isNamed)) ??
    turns.findLast((turn, at) => at < done && inputsOf(turn).length > 0)
  );
}

/**
 * What the script says at this place of the conversation. A request without tools is not a turn.
 */
export function turnOf(body: JsonObject, wire: Wire): Scripted {
  const said = conversationOf(body, wire);
  const script = [...JSON.stringify(said).matchAll(SCRIPT)].at(-1)?.[1];
  const wantsJson = JSON.stringify(body.generationConfig ?? {}).includes('application/json');
  const none = { hang: false, status: null, key: '' };
  if (script === undefined || asList(body.tools).length === 0 || wantsJson)
    return { ...none, turn: { text: wantsJson ? SIDE_ANSWER : 'ok', calls: [], isScripted: false, number: 0 } };
  // The script is a text of JSON within a text of JSON.
  const turns = asList(JSON.parse(JSON.parse(`"${script}"`) as string));
  const done = turnsIn(said);
  // A model that obeys: told to make the call again that people approved, it does so.
  const turn = repeatedCall(turns, { done, last: said.at(-1) }) ?? turns[Math.min(done, turns.length - 1)];
  const items = asList(turn).filter((one) => isObject(one));
  const text = items.find((one) => typeof one.say === 'string')?.say;
  const status = items.find((one) => typeof one.status === 'number')?.status;
  return {
    hang: items.some((one) => one.hang === true),
    status: typeof status === 'number' ? status : null,
    key: `${script}#${Math.min(done, turns.length - 1)}`,
    turn: {
      text: typeof text === 'string' ? text : '',
      calls: callsOf(items, { done, body }),
      isScripted: true,
      number: done,
    },
  };
}

/** In the input of a call: the directory that the program works in, which it tells its model of. */
export const WORKING_DIRECTORY = '%working-directory%';
const TREE = /\/[^\s"'\\]*\/kit-worktree-[^\s"'\\/]{1,64}\/wt-[^\s"'\\/.,:;)<]{1,64}/;

function callsOf(
  items: readonly JsonObject[],
  { done, body }: { readonly done: number; readonly body: JsonObject },
): readonly ModelCall[] {
  return items
    .filter((one) => typeof one.call === 'string')
    .map(({ call, input, text, namespace }, at) => ({
      name: String(call),
      text: typeof text === 'string' ? text : null,
      namespace: typeof namespace === 'string' ? namespace : null,
      input: isObject(input) ? filledIn(input, body) : {},
      id: at === 0 ? `call_${done}` : `call_${done}_${at}`,
    }));
}

function filledIn(input: JsonObject, body: JsonObject): JsonObject {
  const text = JSON.stringify(input);
  if (!text.includes(WORKING_DIRECTORY)) return input;
  const [tree = ''] = TREE.exec(JSON.stringify(body)) ?? [];
  return JSON.parse(text.replaceAll(WORKING_DIRECTORY, tree)) as JsonObject;
}
