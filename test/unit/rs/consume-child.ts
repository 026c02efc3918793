/** A process that consumes credentials on a shared store file. Arguments: data directory, mode, jti, hash, exp. */
import { Refusal } from '../../../src/contract/errors.js';
import { openDomainStores } from '../../../rs/store/domain-stores.js';

const [dataDir = '', mode = '', jti = '', hash = '', exp = '0'] = process.argv.slice(2);
const stores = openDomainStores(dataDir, () => Number(exp) * 1000 - 1000);

async function consume(): Promise<string> {
  try {
    await stores.executions.start({
      jti,
      hash,
      exp: Number(exp),
      service: 'bridge',
      command: 'delete_task',
      subject: 'alice',
      clientId: 'agent',
      approverId: 'alice',
      keyId: 'key',
    });
    return 'won';
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error);
  }
}

// All children open the file first and start together when the parent says so.
process.stdout.write('ready\n');
process.stdin.once('data', () => {
  void consume().then((result) => {
    process.stdout.write(`${result}\n`, () => {
      // `die`: the power goes between "started" and the outcome.
      if (mode === 'die') process.kill(process.pid, 'SIGKILL');
      else process.exit(0);
    });
  });
});
