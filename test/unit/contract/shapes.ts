/** For tests of wire schemas: one honest value, and what one member may and may not be instead. */
import { expect } from 'vitest';
import type * as z from 'zod';

type Step = string | number;

/** A copy of `value` in which the member at `path` is `member`; `undefined` leaves it out. */
export function withMember(value: unknown, path: readonly Step[], member: unknown): unknown {
  const copy: unknown = structuredClone(value);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  let at = copy as any;
  for (const step of path.slice(0, -1)) at = at[step];
  const last = path.at(-1)!;
  if (member === undefined) Reflect.deleteProperty(at as object, last);
  else at[last] = member;
  return copy;
}

/** The names of all members but these. */
export function namesBut(value: object, ...left: string[]): string[] {
  return Object.keys(value).filter((name) => !left.includes(name));
}

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

/** Read as it is, and with nothing beside it. */
export function expectStrict(schema: z.ZodType, honest: object): void {
  expect(schema.parse(honest)).toEqual(honest);
  expect(accepts(schema, { ...honest, unknown: 1 })).toBe(false);
  expect(accepts(schema, null)).toBe(false);
}

/** Read as it is, whatever stands beside it. */
export function expectLoose(schema: z.ZodType, honest: object): void {
  expect(schema.parse(honest)).toEqual(honest);
  expect(schema.parse({ ...honest, unknown: 1 })).toEqual({ ...honest, unknown: 1 });
  expect(accepts(schema, null)).toBe(false);
}

/** Without the member it is refused. */
export function expectNeeded(schema: z.ZodType, honest: object, ...members: string[]): void {
  const missed = members.filter((name) => accepts(schema, withMember(honest, [name], undefined)));
  expect(missed).toEqual([]);
}

/** Without the member it is accepted. */
export function expectOptional(schema: z.ZodType, honest: object, ...paths: Step[][]): void {
  const missed = paths.filter((path) => !accepts(schema, withMember(honest, path, undefined)));
  expect(missed).toEqual([]);
}

/** A text there of `min` to `max` characters, and nothing else. */
export function expectText(
  schema: z.ZodType,
  honest: object,
  path: Step[],
  min: 0 | 1,
  max: number,
): void {
  const takes = (member: unknown): boolean => accepts(schema, withMember(honest, path, member));
  const taken = ['', 'a', 'ab', 'a'.repeat(max), 'a'.repeat(max + 1), 7, null].map(takes);
  expect([path, ...taken]).toEqual([path, min === 0, true, true, true, false, false, false]);
}

/** One of these words there, and no other. */
export function expectWord(
  schema: z.ZodType,
  honest: object,
  path: Step[],
  words: readonly string[],
): void {
  const takes = (member: unknown): boolean => accepts(schema, withMember(honest, path, member));
  expect(words.filter((word) => !takes(word))).toEqual([]);
  expect(['', 'other', ` ${words[0]!}`, words[0]!.toUpperCase() + '_', 7].filter(takes)).toEqual(
    [],
  );
}
