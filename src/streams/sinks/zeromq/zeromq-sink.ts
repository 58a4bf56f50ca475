import { Publisher } from 'zeromq';
import { toHex } from '../../../primitives/bytes.js';
import type { Ledger } from '../../../projections/ledger/ledger.js';
import { TRIGGER_FRAMES } from '../../event-kinds.js';
import { type BlockPosition, positionOf } from '../../follow/block-position.js';
import type { RecordFinality } from '../../records/event-options.js';
import type { BlockRecords } from '../../records/event-record.js';
import { CheckpointFile } from '../checkpoint-file.js';
import type { Sink } from '../sink.js';

interface ZeroMqSinkOptions {
  readonly name: string;
  readonly port: number;
  readonly checkpointFile: string;
  readonly ledger: Ledger;
  readonly finality: RecordFinality;
}

/** Time in ms for a closing socket to send its queued messages. */
const LINGER_MS = 1000;
/**
 * Maximum number of queued messages for each slow subscriber: about 10 MB, and ten times java-tron's limit. ZeroMQ
 * drops messages above this limit.
 */
const QUEUE_MAX = 10_000;

/**
 * java-tron's native queue: a ZeroMQ publisher whose messages have two frames, the trigger name and the JSON text. The
 * node passes every message to ZeroMQ, and resumes at its checkpoint after a restart. ZeroMQ silently drops messages
 * for subscribers that connect late or read too slowly.
 */
export class ZeroMqSink implements Sink {
  readonly name: string;
  readonly batch = { records: 500, bytes: 1024 * 1024 };
  private readonly options: ZeroMqSinkOptions;
  private readonly checkpoint: CheckpointFile;
  private socket: Publisher | undefined;

  constructor(options: ZeroMqSinkOptions) {
    this.name = options.name;
    this.options = options;
    this.checkpoint = new CheckpointFile(options.checkpointFile);
  }

  /** Opens the publisher. A new sink starts after the newest block, because no subscriber can have connected before. */
  async open(): Promise<BlockPosition | undefined> {
    if (this.socket === undefined) {
      const socket = new Publisher({ sendHighWaterMark: QUEUE_MAX, linger: LINGER_MS });
      await socket.bind(`tcp://*:${this.options.port}`);
      this.socket = socket;
    }
    return this.checkpoint.read() ?? this.newest();
  }

  async write(blocks: readonly BlockRecords[]): Promise<void> {
    const { socket } = this;
    if (socket === undefined) throw new Error(`sink ${this.name} is not open`);
    for (const { records } of blocks) {
      for (const { trigger, payload } of records) await socket.send([TRIGGER_FRAMES[trigger], payload]);
    }
    const newest = blocks.at(-1);
    if (newest !== undefined) this.checkpoint.write(positionOf(newest));
  }

  async close(): Promise<void> {
    const { socket } = this;
    this.socket = undefined;
    if (socket === undefined) return;
    // Unbinds the socket first, because a closed socket releases its port with a delay.
    if (socket.lastEndpoint !== null) await socket.unbind(socket.lastEndpoint);
    socket.close();
  }

  private newest(): BlockPosition | undefined {
    const { ledger, finality } = this.options;
    const { headNumber, solidifiedId } = ledger.position;
    if (headNumber === 0) return undefined;
    const entry = finality === 'applied' ? ledger.entry(ledger.storedSeq) : ledger.entryOfId(solidifiedId);
    return entry && { seq: entry.seq, number: entry.number, id: toHex(entry.id) };
  }
}
