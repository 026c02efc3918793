import type { Message, Part } from '@a2a-js/sdk';
import type * as z from 'zod';
import { isJsonObject } from '../../contract/json.js';

/** A data part as A2A 1.0 has it. The value is passed on as it is. */
export function dataPart(value: object): Part {
  return {
    content: { $case: 'data', value },
    metadata: undefined,
    filename: '',
    mediaType: 'application/json',
  };
}

export function textPart(value: string): Part {
  return {
    content: { $case: 'text', value },
    metadata: undefined,
    filename: '',
    mediaType: 'text/plain',
  };
}

/**
 * The one data part of this kind among parts that may be anything. None, two, or one of another shape is undefined: of
 * two asks nobody could say which one the person was shown.
 */
export function onlyPart<T>(
  parts: readonly Part[] | undefined,
  kind: string,
  schema: z.ZodType<T>,
): T | undefined {
  const found = (parts ?? []).flatMap(({ content }) => {
    const value: unknown = content?.$case === 'data' ? content.value : undefined;
    return isJsonObject(value) && value['kind'] === kind ? [value] : [];
  });
  if (found.length !== 1) return undefined;
  const parsed = schema.safeParse(found[0]);
  return parsed.success ? parsed.data : undefined;
}

/** Words and nothing else. */
export function isPlainText(parts: readonly Part[]): boolean {
  return parts.every(({ content }) => content?.$case === 'text');
}

/** A message of one side with these parts. `messageId` comes from the caller: nothing here is random. */
export function message(
  role: Message['role'],
  ids: { readonly messageId: string; readonly taskId?: string; readonly contextId?: string },
  parts: Part[],
): Message {
  return {
    messageId: ids.messageId,
    contextId: ids.contextId ?? '',
    taskId: ids.taskId ?? '',
    role,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}
