/** Whether a process grows: the second half of its time compared with the last quarter. */
export interface Sample {
  /** Resident memory. */
  readonly megabytes: number;
  /** Open file descriptors. */
  readonly handles: number;
}

/**
 * In a short run a heap still finds its size; over ten minutes this is what a leak of two kilobytes a wish would reach.
 */
const MEGABYTES = 40;
/** Connections come and go. */
const HANDLES = 24;

export function growth(samples: readonly Sample[]): {
  readonly problems: readonly string[];
  readonly figures: string;
} {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const [before, after] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)];
  const memory = [before, after].map((part) => median(part.map(({ megabytes }) => megabytes)));
  const handles = [before, after].map((part) => median(part.map((one) => one.handles)));
  const grown = ([from = 0, to = 0]: readonly number[]): number => to - from;
  return {
    problems: [
      ...(grown(memory) > MEGABYTES ? [`grew by ${grown(memory).toFixed(0)} MB`] : []),
      ...(grown(handles) > HANDLES ? [`opened ${grown(handles)} more handles`] : []),
    ],
    figures:
      `memory ${memory.map((mb) => mb.toFixed(0)).join(' then ')} MB, ` +
      `handles ${handles.join(' then ')}`,
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
