/** What a child needs to run at all. Nothing else of this server's environment reaches it. */
const PASSED_ON =
  process.platform === 'win32'
    ? [
        'PATH',
        'PATHEXT',
        'SYSTEMROOT',
        'SYSTEMDRIVE',
        'COMSPEC',
        'TEMP',
        'TMP',
        'USERPROFILE',
        'APPDATA',
        'LOCALAPPDATA',
        'PROGRAMFILES',
      ]
    : ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR'];

/**
 * The whole environment of a stdio child: the few names above, then what the operator wrote for it.
 * @param own this process's environment
 */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  configured: Readonly<Record<string, string>>,
): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => {
    const value = own[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), ...configured };
}
