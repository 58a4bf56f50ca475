import assert from 'node:assert/strict';
import { serveRecording } from '../support/graphql/served-chain.js';
import type { Measurement } from './run.js';
import { hostileQuery } from './support/hostile-queries.js';
import { enterMemoryGroup, resetMemoryPeak, withinMemoryLimit } from './support/memory-limit.js';

const CHAIN = 'system-tour';
const BLOCKS = 200;
/** Maximum CPU time in ms for which one request may block the thread. */
const BUSY_MAX_MS = 1000;
/** Maximum response size in bytes. It suffices for 30,000 fields with their names. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const STATUS = new Set([200, 400, 413]);

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}

export const hostileQueries: Measurement = {
  title: 'bounds GraphQL queries by depth, aliases, fragment cycles, batches, introspection and malformed text',
  gate: 10_000,
  night: 1_000_000,
  async run({ count, random }) {
    enterMemoryGroup();
    resetMemoryPeak();
    const endings: (() => void | Promise<void>)[] = [];
    const rejections: unknown[] = [];
    const note = (reason: unknown): number => rejections.push(reason);
    process.on('unhandledRejection', note);
    try {
      const { app } = await serveRecording({ teardown: (end) => endings.push(end) }, CHAIN, { until: BLOCKS });
      const draw = (below: number): number => Math.floor(random() * below);
      const totals = { refused: 0, answered: 0, largest: 0 };
      let busiest = { ms: 0, kind: '' };
      let longest = { ms: 0, kind: '' };
      for (let at = 0; at < count; at++) {
        const { kind, payload, answer } = hostileQuery(draw);
        const usage = process.cpuUsage();
        const turns = watchTurns();
        const headers = { 'content-type': 'application/json' };
        const reply = await app.inject({ method: 'POST', url: '/graphql', payload, headers });
        const { user, system } = process.cpuUsage(usage);
        const turnMs = await turns.end();
        if (turnMs > longest.ms) longest = { ms: turnMs, kind };
        const shown = `${kind} (query ${at}): ${payload.slice(0, 300)} → ${reply.statusCode} ${reply.body.slice(0, 300)}`;
        const ms = (user + system) / 1000;
        if (ms > busiest.ms) busiest = { ms, kind };
        assert.ok(ms < BUSY_MAX_MS, `${ms.toFixed(0)} ms for ${shown}`);
        assert.ok(STATUS.has(reply.statusCode), shown);
        assert.ok(reply.rawPayload.length < ANSWER_BYTES_MAX, `${reply.rawPayload.length} bytes for ${shown}`);
        const { data, errors } = JSON.parse(reply.body) as Answer;
        assert.ok(data !== undefined || errors !== undefined || reply.statusCode !== 200, shown);
        assert.ok(!errors?.some(({ extensions }) => extensions?.code === 'INTERNAL'), shown);
        const isRefused = (data ?? null) === null;
        if (answer === 'refused') assert.ok(isRefused, shown);
        if (isRefused) totals.refused++;
        else totals.answered++;
        totals.largest = Math.max(totals.largest, reply.rawPayload.length);
        if (at % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      const good = await app.inject({ method: 'POST', url: '/graphql', payload: { query: '{ block { number } }' } });
      assert.equal(good.statusCode, 200, 'a good query is answered afterwards');
      assert.deepEqual(rejections, []);
      return (
        `${totals.refused} refused, ${totals.answered} answered (largest ${Math.round(totals.largest / 1024)} kB), 0 crashes, 0 internal errors; ` +
        `at most ${busiest.ms.toFixed(0)} ms of processor time (${busiest.kind}), ${longest.ms.toFixed(0)} ms in one turn (${longest.kind}); ` +
        `${withinMemoryLimit()} with the client`
      );
    } finally {
      process.off('unhandledRejection', note);
      for (const end of endings.reverse()) await end();
    }
  },
};

/** Measures the CPU time of the longest turn of the event loop, including garbage collection and compilation. */
function watchTurns(): { end(): Promise<number> } {
  let longestUs = 0;
  let last = process.cpuUsage();
  let isOn = true;
  const check = (): void => {
    const { user, system } = process.cpuUsage(last);
    longestUs = Math.max(longestUs, user + system);
    last = process.cpuUsage();
    if (isOn) setImmediate(check);
  };
  setImmediate(check);
  return {
    end: async () => {
      isOn = false;
      await new Promise((resolve) => setImmediate(resolve));
      return longestUs / 1000;
    },
  };
}
