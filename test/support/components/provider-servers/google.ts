import {
  argumentsObject,
  type Protocol,
  piecesOf,
  problemsOf,
  type RecordedRequest,
  type ScriptedAnswer,
  sse,
  usageOf,
} from './protocol.js';

const STATUSES: Readonly<Record<string, string>> = {
  '401': 'UNAUTHENTICATED',
  '429': 'RESOURCE_EXHAUSTED',
  '500': 'INTERNAL',
  '503': 'UNAVAILABLE',
};

const errorBody = (message: string, code: number | string) => ({
  error: { code, message, status: STATUSES[String(code)] ?? 'INVALID_ARGUMENT' },
});

/** Google Gemini, generateContent and streamGenerateContent. */
export const GOOGLE: Protocol = {
  name: 'google',
  basePath: '/v1beta',
  streamType: 'text/event-stream',
  // the chunk with the finish reason and the usage
  endings: 1,
  problems,
  isStream: ({ path }) => path.includes(':streamGenerateContent'),
  whole: (answer, request) => ({ ...chunk(answer, request, parts(answer)), ...end(answer) }),
  chunks,
  error: errorBody,
  streamError: (message, code) => sse(errorBody(message, code)),
  wholeCalls: true,
  cutFinish: 'MAX_TOKENS',
  tooLong: (asked, window) => ({
    message: `The input token count (${asked}) exceeds the maximum number of tokens allowed (${window}).`,
  }),
  malformed: sse('{"candidates": oops'),
};

interface WirePart {
  readonly text?: string;
  readonly functionCall?: { readonly name: string };
  readonly functionResponse?: { readonly name?: string; readonly response?: unknown };
}

function problems({ method, path, headers, body }: RecordedRequest): readonly string[] {
  const contents: readonly { readonly role: string; readonly parts: readonly WirePart[] }[] = Array.isArray(
    body?.contents,
  )
    ? body.contents
    : [];
  const all = contents.flatMap((content) => content.parts);
  const called = all.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall.name]));
  const root = [
    'contents',
    'systemInstruction',
    'tools',
    'toolConfig',
    'generationConfig',
    'safetySettings',
    'cachedContent',
    'labels',
    'serviceTier',
  ];
  return problemsOf({
    'POST models/<id>:generateContent':
      method === 'POST' && /^\/v1beta\/models\/[\w.-]+:(generateContent|streamGenerateContent\?alt=sse)$/.test(path),
    'a key in x-goog-api-key': typeof headers['x-goog-api-key'] === 'string' && headers.authorization === undefined,
    'contents of user and model':
      contents.length > 0 && contents.every(({ role, parts }) => ['user', 'model'].includes(role) && parts.length > 0),
    'each function response names its call': all.every(
      ({ functionResponse }) =>
        functionResponse === undefined ||
        (called.includes(functionResponse.name ?? '') && functionResponse.response !== undefined),
    ),
    'tools are declarations': (body?.tools ?? []).every((tool: { functionDeclarations?: unknown }) =>
      Array.isArray(tool.functionDeclarations),
    ),
    'no key that the service does not know': Object.keys(body ?? {}).every((key) => root.includes(key)),
  });
}

type Part = Readonly<Record<string, unknown>>;

const modelOf = ({ path }: RecordedRequest): string => /models\/([^:]+):/.exec(path)?.[1] ?? '';

const chunk = (answer: ScriptedAnswer, request: RecordedRequest, wire: readonly Part[]) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: wire } as { role: string; parts: readonly Part[] } }],
  modelVersion: answer.model ?? modelOf(request),
  responseId: 'r-1',
});

function parts(answer: ScriptedAnswer): readonly Part[] {
  return [...(answer.text === undefined ? [] : [{ text: answer.text }]), ...calls(answer)];
}

/** The signature stands at the first call, and what was thought before it is not repeated. */
const calls = ({ calls: scripted = [], reasoning }: ScriptedAnswer): readonly Part[] =>
  scripted.map((call, index) => ({
    functionCall: { ...(call.id === undefined ? {} : { id: call.id }), name: call.name, args: argumentsObject(call) },
    ...(reasoning === undefined || index > 0 ? {} : { thoughtSignature: reasoning.signature }),
  }));

function end(answer: ScriptedAnswer) {
  const usage = usageOf(answer);
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: parts(answer) }, finishReason: answer.finish ?? 'STOP' }],
    ...(usage === null
      ? {}
      : {
          usageMetadata: {
            promptTokenCount: usage.prompt,
            candidatesTokenCount: usage.completion - (usage.reasoning ?? 0),
            thoughtsTokenCount: usage.reasoning ?? 0,
            cachedContentTokenCount: usage.cached ?? 0,
            totalTokenCount: usage.prompt + usage.completion,
          },
        }),
  };
}

function chunks(answer: ScriptedAnswer, request: RecordedRequest): readonly string[] {
  const last = { ...chunk(answer, request, []), ...end(answer) };
  const [candidate] = last.candidates;
  return [
    ...piecesOf(answer.text ?? '').map((text) => chunk(answer, request, [{ text }])),
    ...calls(answer).map((part) => chunk(answer, request, [part])),
    { ...last, candidates: [{ ...candidate, content: { role: 'model', parts: [{ text: '' }] } }] },
  ].map(sse);
}
