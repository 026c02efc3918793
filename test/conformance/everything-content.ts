/** What the everything-server answers and asks with. */
import type { InputRequest } from '@modelcontextprotocol/server';

/** A PNG of one pixel. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
export const IMAGE = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };
/** A WAV file without a sound. */
export const AUDIO = {
  type: 'audio' as const,
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=',
  mimeType: 'audio/wav',
};

export function form(
  message: string,
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = [],
): InputRequest {
  const requestedSchema = { type: 'object', properties, required };
  return { method: 'elicitation/create', params: { message, requestedSchema } } as InputRequest;
}

export function sample(prompt: string, maxTokens = 100): InputRequest {
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens } };
}

const options = ['option1', 'option2', 'option3'];
const titled = ['value1', 'value2', 'value3'].map((value) => ({
  const: value,
  title: `The ${value}`,
}));

export const enumForm = form('Please choose', {
  untitledSingle: { type: 'string', enum: options },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
});
