/** The command line itself is wrong: exit code 2. */
export class UsageError extends Error {}

/** Commander's parsers for option values. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new UsageError(`'${text}' is not a whole number from ${min} to ${max}`);
    return value;
  };
}
