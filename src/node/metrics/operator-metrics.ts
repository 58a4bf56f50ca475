import { Counter, Gauge, type Registry } from 'prom-client';
import type { Chain } from '../../chain/chain.js';
import { freeBytes } from '../../files/free-space.js';
import type { SinkStatus } from '../../streams/forwarding/sink-status.js';
import type { NodePeers } from '../peers/node-peers.js';
import { buildInfo } from '../version.js';

/** Role of a node. A witness is a full node that produces blocks. */
export type NodeRole = 'full' | 'witness' | 'replica' | 'solidity';

interface OperatorMetricsOptions {
  readonly chain: Chain;
  readonly dataDir: string;
  /** java-tron release to emulate (`tronicle.release`). */
  readonly release: string;
  readonly role: NodeRole;
  /** Newest status of every sink, by name; undefined without sinks. */
  readonly sinks: ReadonlyMap<string, SinkStatus> | undefined;
  /** Peers of the node; undefined without a network. */
  readonly peers?: NodePeers | undefined;
  /** Returns the number of log lines that could not be written; undefined if the log is not a file. */
  readonly droppedLines?: (() => number | undefined) | undefined;
  /** Base58 addresses of the witnesses whose keys this node has. */
  readonly producers?: readonly string[] | undefined;
}

const SECOND_MS = 1_000;

/**
 * Adds metrics for the alerts of an operator: build, role, disk, clock, best height of the peers, mempool, durability.
 * @returns a function that counts missed slots of a witness, by Base58 address; it ignores witnesses whose keys this
 * node does not have
 */
export function addOperatorMetrics(
  registry: Registry,
  { chain, dataDir, release, role, sinks, peers, droppedLines, producers = [] }: OperatorMetricsOptions,
): (witness: string, slots: number) => void {
  const registers = [registry];
  const { version, commit, node } = buildInfo();
  const gauge = (name: string, help: string, read: () => number | undefined): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  };
  new Gauge({
    name: 'tronicle_build_info',
    help: '1 for the running version, the emulated java-tron release, the version of Node.js and the commit',
    labelNames: ['version', 'release', 'node', 'commit'],
    registers,
  }).set({ version, release, node, commit }, 1);
  new Gauge({
    name: 'tronicle_node_role',
    help: '1 for the role of the node: full, witness, replica or solidity',
    labelNames: ['role'],
    registers,
  }).set({ role }, 1);
  gauge('tronicle_data_disk_free_bytes', 'Free bytes on the disk of the data folder', () => freeBytes(dataDir));
  gauge('tronicle_clock_seconds', 'Clock of the machine, in seconds since 1970', () => Date.now() / SECOND_MS);
  gauge(
    'tronicle_mempool_transactions',
    'Number of pending transactions, including transactions of reverted blocks',
    () => {
      const { pending, repush } = chain.mempool;
      return pending.size + repush.size;
    },
  );
  gauge('tronicle_log_head_durable', '1 if the newest log entry is durable, 0 if a crash would lose this entry', () =>
    chain.ledger.storedSeq === chain.ledger.position.seq ? 1 : 0,
  );
  gauge(
    'tronicle_peer_best_height',
    'Greatest height that a connected peer has announced; 0 without peers, absent if the node runs without peer-to-peer network',
    () => peers?.bestHeight,
  );
  if (droppedLines?.() !== undefined)
    total(
      registry,
      'tronicle_log_lines_dropped_total',
      'Number of log lines that could not be written',
      () => droppedLines() ?? 0,
    );
  if (sinks !== undefined) addSinkRecords(registry, sinks);
  const missed = new Counter({
    name: 'tronicle_witness_missed_slots_total',
    help: 'Number of slots that witnesses of this node missed since the start',
    labelNames: ['witness'],
    registers,
  });
  for (const witness of producers) missed.inc({ witness }, 0);
  const own = new Set(producers);
  return (witness, slots) => {
    if (own.has(witness)) missed.inc({ witness }, slots);
  };
}

/** Adds the number of records per sink. The gauge `tronicle_sink_records` is an earlier name for the same values. */
function addSinkRecords(registry: Registry, sinks: ReadonlyMap<string, SinkStatus>): void {
  new Counter({
    name: 'tronicle_sink_records_total',
    help: 'Number of records that a sink has forwarded since the start',
    labelNames: ['sink'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, records } of sinks.values()) this.inc({ sink: name }, records);
    },
  });
}

/** Adds a counter without labels. @param read returns the value at each scrape */
function total(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
