import t from 'tap';
import { Witness } from '../../../../src/codec/generated/messages.js';
import { toHex } from '../../../../src/primitives/bytes.js';
import { byteStringHash, witnessOrder } from '../../../../src/state-transition/consensus/witness-order.js';
import { stateWith } from '../../../support/vm/state-with.js';

function witness(last: readonly [number, number], voteCount: bigint): Witness {
  const address = new Uint8Array(21);
  address.set([0x41], 0);
  address.set(last, 19);
  return Object.assign(new Witness(), { address, voteCount });
}

t.test('orders equal votes by hash, and by address after proposal 88', async (t) => {
  // The hash of 00 7f (31 × 0 + 127) is higher than that of 01 00 (31 × 1 + 0).
  const [low, high, most] = [witness([0, 0x7f], 5n), witness([1, 0], 5n), witness([0, 0], 6n)];
  t.ok(byteStringHash(low.address) > byteStringHash(high.address));
  const sorted = (properties: Parameters<typeof stateWith>[0]): string[] =>
    [high, low, most]
      .sort(witnessOrder(stateWith(properties).properties))
      .map(({ address }) => toHex(address.slice(19)));
  t.same(sorted({}), ['0000', '007f', '0100']);
  t.same(sorted({ CONSENSUS_LOGIC_OPTIMIZATION: 1n }), ['0000', '0100', '007f']);
});
