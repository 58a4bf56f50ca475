import { join } from 'node:path';
import { pino } from 'pino';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import type { Chain } from '../../../../src/chain/chain.js';
import { parseFlags } from '../../../../src/config/flags.js';
import { loadConfig } from '../../../../src/config/load-config.js';
import { eventSinks } from '../../../../src/node/sinks/event-sinks.js';
import { present } from '../../../../src/primitives/assert.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { TRIGGER_FRAMES } from '../../../../src/streams/event-kinds.js';
import type { BlockPosition } from '../../../../src/streams/follow/block-position.js';
import { type LogMove, logMoves } from '../../../../src/streams/follow/log-moves.js';
import { movesSince } from '../../../../src/streams/follow/past-moves.js';
import { AbiRegistry } from '../../../../src/streams/records/abi-registry.js';
import { needsAbiRegistry } from '../../../../src/streams/records/event-options.js';
import { RecordMaker } from '../../../../src/streams/records/record-maker.js';
import type { SinkOptions } from '../../../../src/streams/sinks/sink-kinds.js';
import { eachItem } from '../../../support/log/each-item.js';
import type { Published } from './java-events.js';

/** Messages of this node's sink for one log entry. */
export interface OurMove {
  readonly seq: number;
  readonly change: LogMove['change'];
  readonly published: readonly Published[];
}

interface OurEvents {
  readonly moves: readonly OurMove[];
  readonly sink: SinkOptions | undefined;
  /** Returns the messages that the sink sends after a start with `startSyncBlockNum` at a height. */
  again(from: number): Promise<readonly OurMove[]>;
}

/**
 * Returns the messages that the sink of `event.subscribe` sends for a chain, by log entry.
 * @param folder contains `config.conf`; the ABI registry is stored there
 */
export async function ourEvents({ ledger }: Chain, folder: string, release: string): Promise<OurEvents> {
  const { config } = loadConfig({
    file: join(folder, 'config.conf'),
    flags: parseFlags(['--es', '--debug']).flags,
    defaults: { 'tronicle.release': release },
  });
  const [sink] = eventSinks(config, 0, pino({ level: 'silent' }));
  if (sink === undefined) return { moves: [], sink, again: async () => [] };
  const { addressPrefix, contractParse: parsesContracts } = config;
  const { laterTriggers } = apiRelease(release);
  const made = async (name: string, read: (maker: RecordMaker) => AsyncIterable<LogMove>): Promise<OurMove[]> => {
    const book = needsAbiRegistry(sink) ? new AbiRegistry(ledger, join(folder, name)) : undefined;
    const maker = new RecordMaker({ ledger, sink, book, addressPrefix, blackhole: '', parsesContracts, laterTriggers });
    const moves: OurMove[] = [];
    for await (const move of read(maker)) {
      const published = maker.recordsOfMove(move).records.map(({ trigger, payload }) => ({
        frame: present(TRIGGER_FRAMES[trigger], trigger),
        payload: String(payload),
      }));
      moves.push({ seq: move.seq, change: move.change, published });
    }
    await book?.close();
    return moves;
  };
  const place = (number: number): BlockPosition => {
    const { seq, id } = present(ledger.block(number), 'the chain has the block');
    return { seq, number, id: toHex(id) };
  };
  // A sink with a configured first block starts after the log entry of genesis.
  const after = sink.from === undefined ? undefined : place(0);
  const moves = await made('.', ({ form }) => eachItem(logMoves({ ledger, after, follow: false, form })));
  const { solidifiedNumber } = ledger.position;
  const again = async (from: number): Promise<OurMove[]> => {
    const floor = place(Math.max(from, solidifiedNumber) - 1);
    return made('again', ({ form }) =>
      eachItem(movesSince({ ledger, after: place(from - 1), floor, follow: false, form })),
    );
  };
  return { moves, sink, again };
}
