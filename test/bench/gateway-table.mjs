/** The figures of the gateway as the table of GATEWAY.md. */

const BASE = 'the server over HTTP';

/** Markdown. */
export function tableOf({ machine, calls, crowd }) {
  const baseOf = (inFlight) =>
    calls.find((one) => one.name === BASE && one.inFlight === inFlight) ?? {};
  const rows = calls.map(({ name, inFlight, perSecond, p50, p99, cpuMicros, ...rest }) => [
    name,
    inFlight,
    perSecond.toFixed(0),
    p50.toFixed(2),
    p99.toFixed(2),
    added(p50, baseOf(inFlight).p50),
    added(p99, baseOf(inFlight).p99),
    cpuMicros.toFixed(0),
    `${rest.quietRounds} of ${rest.rounds}`,
    `${(rest.foreign * 100).toFixed(0)} %`,
  ]);
  return `
Measured ${machine.date}: ${machine.cores} cores, Node ${machine.node}, mcp-proxy ${machine.proxy}, load average ${machine.load.join(', ')}
(before, between, after; ours is part of it).

${table(
  [
    'one open call',
    'in flight',
    'calls/s',
    'p50 ms',
    'p99 ms',
    'added p50 ms',
    'added p99 ms',
    'CPU µs per call',
    'quiet rounds',
    'others',
  ],
  rows,
)}

Resident memory for each ${crowd.clients} connected clients more, MiB (all of the process with ${2 * crowd.clients} of them in brackets).

${table(
  ['clients', 'bridge', 'resource server'],
  [
    ['that can be asked nothing, and share a connection', crowd.shared],
    ['with a connection to the upstream of their own', crowd.own],
  ].map(([name, { bridge, rs, after }]) => [
    name,
    `${bridge.toFixed(1)} (${after.bridge.toFixed(0)})`,
    `${rs.toFixed(1)} (${after.rs.toFixed(0)})`,
  ]),
)}
`;
}

function added(figure, base) {
  const more = figure - (base ?? figure);
  return `${more < 0 ? '−' : ''}${Math.abs(more).toFixed(2)}`;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
