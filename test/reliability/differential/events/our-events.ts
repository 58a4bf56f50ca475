import { join } from 'node:path';
import { pino } from 'pino';
import { apiRelease } from '../../../../src/api/releases/releases.js';
import { present } from '../../../../src/domain/assert.js';
import { toHex } from '../../../../src/domain/bytes.js';
import type { Chain } from '../../../../src/node/chain/chain.js';
import { parseFlags } from '../../../../src/node/config/flags.js';
import { loadConfig } from '../../../../src/node/config/load-config.js';
import { eventSinks } from '../../../../src/node/sinks/event-sinks.js';
import { TRIGGER_FRAMES } from '../../../../src/streams/event-kinds.js';
import { type LogMove, logMoves } from '../../../../src/streams/follow/log-moves.js';
import { ContractBook } from '../../../../src/streams/records/contract-book.js';
import { needsBook } from '../../../../src/streams/records/event-options.js';
import { RecordMaker } from '../../../../src/streams/records/record-maker.js';
import type { SinkOptions } from '../../../../src/streams/sinks/sink-kinds.js';
import type { Published } from './java-events.js';

/** What our sink makes of an entry of the log. */
export interface OurMove {
  readonly seq: number;
  readonly change: LogMove['change'];
  readonly published: readonly Published[];
}

/**
 * What the sink of a configuration's `event.subscribe` sends of a chain, entry by entry of its log.
 * @param folder holds `config.conf`, and takes what is folded of the chain's contracts
 */
export async function ourEvents(
  { ledger }: Chain,
  folder: string,
  release: string,
): Promise<{ moves: OurMove[]; sink: SinkOptions | undefined }> {
  const { config } = loadConfig({
    file: join(folder, 'config.conf'),
    flags: parseFlags(['--es', '--debug']).flags,
    defaults: { 'tronicle.release': release },
  });
  const [sink] = eventSinks(config, 0, pino({ level: 'silent' }));
  if (sink === undefined) return { moves: [], sink };
  const book = needsBook(sink) ? new ContractBook(ledger, folder) : undefined;
  const { addressPrefix, contractParse: parsesContracts } = config;
  const { laterTriggers } = apiRelease(release);
  const maker = new RecordMaker({ ledger, sink, book, addressPrefix, parsesContracts, laterTriggers });
  const moves: OurMove[] = [];
  const genesis = present(ledger.block(0), 'the log begins with genesis');
  // A sink that begins with block 1 goes on behind genesis.
  const after = sink.from === undefined ? undefined : { seq: genesis.seq, number: 0, id: toHex(genesis.id) };
  for await (const move of logMoves({ ledger, after, follow: false, form: maker.form })) {
    const { records } = maker.recordsOfMove(move);
    const published = records.map(({ trigger, payload }) => ({
      frame: present(TRIGGER_FRAMES[trigger], trigger),
      payload: String(payload),
    }));
    moves.push({ seq: move.seq, change: move.change, published });
  }
  await book?.close();
  return { moves, sink };
}
