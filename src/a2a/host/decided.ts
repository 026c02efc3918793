import type { DecidedElsewhere } from '../../mcp/announcements.js';
import type { Changes } from './changes.js';
import type { RemoteStore } from './remote-store.js';

const LOOK_AGAIN_S = 25;

/** Tells when a remote call no longer waits for a person. */
export function decidedRemotely(
  store: RemoteStore,
  changes: Changes,
  clock: () => number,
): DecidedElsewhere {
  return {
    decided: async (id, exp, signal) => {
      while (!signal.aborted && clock() / 1000 < exp) {
        if (store.byId(id)?.state !== 'parked') return true;
        await changes.next(id, LOOK_AGAIN_S, signal);
      }
      return false;
    },
  };
}
