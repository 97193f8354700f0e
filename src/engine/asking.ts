import type { ModelProvider, ModelRequest, ModelResult } from '../domain/ports/model.js';
import { answerTool } from './answer-tool.js';
import type { ModelCall } from './model-call.js';

/** What the provider is asked, and how what it says is read. */
export interface Asked {
  readonly request: ModelRequest;
  read(result: ModelResult): ModelResult;
}

/** A call as one provider takes it. */
export function askingOf(call: ModelCall, provider: ModelProvider): Asked {
  const { tools, outputSchema: schema } = call;
  const isShut = call.isClosed === true && tools.length > 0;
  const request: ModelRequest = {
    model: call.model,
    messages: call.messages,
    tools,
    ...(isShut ? { toolChoice: { type: 'none' } } : {}),
    outputSchema: schema,
    temperature: call.choice.temperature,
    maxTokens: call.choice.maxTokens,
    options: call.choice.options,
  };
  if (tools.length === 0 || schema === null || provider.schemaBesideTools === true)
    return { request, read: (result) => result };
  const asked = answerTool(request, schema, isShut && call.purpose !== 'continuation');
  return {
    request: asked.request,
    read: (result) => (result.ok ? { ok: true, response: asked.read(result.response) } : result),
  };
}
