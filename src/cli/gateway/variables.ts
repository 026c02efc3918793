const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Names of the variables a text refers to as `${NAME}`. */
export function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = '']) => name);
}

/** The text with its variables' values. @throws Error that names one that is not set */
export function withVariables(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  return text.replaceAll(VARIABLE, (_, name: string) => {
    const value = environment[name];
    if (value === undefined) throw new Error(`\${${name}} is not set in the environment`);
    return value;
  });
}
