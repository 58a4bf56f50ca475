import { join } from 'node:path';
import t from 'tap';
import { encodeBase58Check } from '../../../src/crypto/base58-check.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { CHANGE_TRIGGERS } from '../../../src/streams/event-kinds.js';
import { logMoves } from '../../../src/streams/follow/log-moves.js';
import { RecordMaker } from '../../../src/streams/records/record-maker.js';
import { readLines } from '../../conformance/recording.js';
import { openRecorded } from '../../conformance/replay-session.js';
import { eachItem } from '../../support/log/each-item.js';
import { kafkaSink } from '../../support/streams/sink-options.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { golden } from '../../support/tronicle.js';

interface ChangeEvent {
  readonly triggerName: string;
  readonly removed: boolean;
  readonly address: string;
  readonly from: string;
  readonly to: string;
  readonly resource: string;
  readonly locked: boolean;
  readonly before: unknown;
  readonly after: unknown;
}

t.test('emits stake, vote and balance changes that sum up to the state', async (t) => {
  const folder = join(golden, 'stake');
  const chain = await openRecorded(folder, temporaryFolder(t));
  t.teardown(() => chain.ledger.close());
  for await (const { num, block } of readLines<{ num: number; block?: string }>(join(folder, 'blocks.ndjson.gz')))
    if (num > 0 && block !== undefined) chain.importBlock(decodeBlock(Buffer.from(block, 'hex')));
  await chain.ledger.flush();
  const { ledger, state } = chain;
  const head = ledger.position.headNumber;
  // The events of a reverted block contain the opposite changes.
  chain.rollback(head - 5);
  await ledger.flush();
  const sink = { ...kafkaSink('unused:1'), topics: CHANGE_TRIGGERS, finality: 'applied' as const };
  const maker = new RecordMaker({
    ledger,
    sink,
    book: undefined,
    addressPrefix: 0x41,
    blackhole: '',
    parsesContracts: true,
    laterTriggers: false,
  });
  const kinds = new Map<string, number>();
  const values = new Map<string, unknown>();
  const problems: string[] = [];
  for await (const move of eachItem(logMoves({ ledger, follow: false }))) {
    for (const { payload, key } of maker.recordsOfMove(move).records) {
      const event = JSON.parse(String(payload)) as ChangeEvent;
      const { triggerName, address, from, to, resource, locked, removed } = event;
      kinds.set(triggerName, (kinds.get(triggerName) ?? 0) + 1);
      const name = triggerName.replace(/^un/, '').toLowerCase();
      const what = [name, address ?? `${from} ${to} ${locked}`, resource].join(' ');
      const [was, is] = removed ? [event.after, event.before] : [event.before, event.after];
      if (values.has(what) && JSON.stringify(values.get(what)) !== JSON.stringify(was))
        problems.push(`${what} ${payload}`);
      values.set(what, is);
      t.ok(key.length > 0);
    }
  }
  t.same(problems.slice(0, 3), [], 'each change starts with the value after the previous change');
  for (const name of ['stake', 'unstake', 'delegate', 'undelegate', 'vote', 'reward', 'balance'])
    t.ok((kinds.get(`${name}Trigger`) ?? 0) > 0, name);
  for (const [address, { balance }] of state.accounts.range()) {
    const shown = values.get(`balance ${encodeBase58Check(fromHex(address))} `);
    if (shown !== undefined) t.equal(shown, Number(balance));
  }
});
