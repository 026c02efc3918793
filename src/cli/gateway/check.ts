import { displayText } from '../../contract/display.js';
import { ConfigError } from './finding.js';
import { loadGatewayConfig } from './load.js';

/** Says what is wrong with the file, or what it comes to. Returns the exit code. */
export function checkConfig(file: string): number {
  try {
    const { upstreams } = loadGatewayConfig(file);
    const names = Object.keys(upstreams);
    const what = names.length === 0 ? 'no upstream' : names.join(', ');
    process.stdout.write(`${file} is fine: ${what}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const said = error.message.split('\n').map(displayText).join('\n');
    process.stderr.write(`${said}\n`);
    return 1;
  }
}
