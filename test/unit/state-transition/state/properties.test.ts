import t from 'tap';
import { fromHex, toHex, utf8 } from '../../../../src/primitives/bytes.js';
import { initialProperties, propertyCodec } from '../../../../src/state-transition/state/properties.js';
import { stateWith } from '../../../support/vm/state-with.js';

t.test('wraps numbers like a Java long, and reads switches as enabled only for 1', async (t) => {
  const { properties } = stateWith({ TOTAL_NET_WEIGHT: 2n ** 63n - 1n, ALLOW_MULTI_SIGN: 2n });
  properties.add('TOTAL_NET_WEIGHT', 1n);
  t.equal(properties.get('TOTAL_NET_WEIGHT'), -(2n ** 63n));
  t.notOk(properties.isOn('ALLOW_MULTI_SIGN'));
  properties.set('ALLOW_MULTI_SIGN', 1n);
  t.ok(properties.isOn('ALLOW_MULTI_SIGN'));
});

t.test("returns java-tron's default for a missing row", async (t) => {
  const { properties } = stateWith();
  t.notOk(properties.has('PROPOSAL_EXPIRE_TIME'));
  t.equal(properties.get('PROPOSAL_EXPIRE_TIME'), properties.whenAbsent('PROPOSAL_EXPIRE_TIME'));
  t.equal(properties.whenAbsent('PROPOSAL_EXPIRE_TIME'), 259_200_000n);
  t.equal(properties.get('VERSION_NUMBER'), 0n);
});

// Reference: DynamicPropertiesStore. Values are longs of 8 bytes, ints of 4 bytes, and texts. One key starts with a
// space.
t.test("encodes rows with java-tron's keys and formats", async (t) => {
  const rows = new Map(initialProperties());
  const key = (name: string) => toHex(utf8(name));
  t.equal(rows.get(key('TOKEN_ID_NUM')), 1_000_000n);
  t.ok(rows.has(key(' ALLOW_SAME_TOKEN_NAME')));
  t.notOk(rows.has(key('ALLOW_SAME_TOKEN_NAME')));
  const stored = (name: string, value: bigint | Uint8Array) => toHex(propertyCodec.encode(value, key(name)));
  t.equal(stored('TOKEN_ID_NUM', 5n), '0000000000000005');
  t.equal(stored('BLOCK_FILLED_SLOTS_INDEX', 5n), '00000005');
  t.equal(propertyCodec.decode(fromHex('00000005'), key('BLOCK_FILLED_SLOTS_INDEX')), 5n);
  t.same(
    propertyCodec.decode(fromHex('0a'), key('FORK_VERSION_9')),
    fromHex('0a'),
    'an unknown property is decoded as bytes',
  );
});

t.test('stores for each block version which witnesses produce it', async (t) => {
  const { properties } = stateWith();
  t.equal(properties.forkStats(30), undefined);
  properties.setForkStats(30, Uint8Array.of(1, 0));
  t.same(properties.forkStats(30), Uint8Array.of(1, 0));
  t.equal(properties.forkStats(31), undefined);
});
