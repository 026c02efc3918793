import { Script, createContext } from 'node:vm';

const room: { task?: () => void } = createContext({});
const runTask = new Script('task()');

/**
 * Calls `task`, and ends it after so many milliseconds even in the middle of a regular expression: a schema of somebody
 * else's can hold a pattern that takes for ever on some text.
 * @throws Error when it took longer
 */
export function inTime<T>(ms: number, task: () => T): T {
  const results: T[] = [];
  room.task = () => void results.push(task());
  runTask.runInContext(room, { timeout: ms });
  const [result] = results;
  if (result === undefined) throw new Error('no result');
  return result;
}
