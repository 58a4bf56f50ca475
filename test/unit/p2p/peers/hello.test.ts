import t from 'tap';
import { HelloMessage, HelloMessageBlockId } from '../../../../src/codec/generated/messages.js';
import type { LocalChain } from '../../../../src/p2p/local-chain.js';
import { createHello, isValidHello, rejectReasonOfHello } from '../../../../src/p2p/peers/hello.js';
import { createNodeId, toEndpoint } from '../../../../src/p2p/transport/node-address.js';
import { blockIdOf } from '../../../../src/p2p/wire/block-id.js';
import { fromHex, toUtf8 } from '../../../../src/primitives/bytes.js';
import { later, older } from '../../../support/p2p/fake-peer.js';

const NETWORK = 11111;
const self = { id: createNodeId(), ipv4: '127.0.0.1', ipv6: undefined, port: 1 };
const idAt = (number: number, byte = '0a'): ReturnType<typeof blockIdOf> =>
  blockIdOf(fromHex(number.toString(16).padStart(16, '0') + byte.repeat(24)));

/** Returns a chain with only the fields that HELLO reads. Blocks below `lowestNumber` are pruned. */
function chainFrom(lowestNumber: number): LocalChain {
  const known = (number: number): boolean => number === 0 || number >= lowestNumber;
  const chain: Partial<LocalChain> = {
    genesis: idAt(0),
    head: idAt(100),
    solidified: idAt(90),
    lowestNumber,
    isCanonical: ({ hex, number }) => known(number) && idAt(number).hex === hex,
  };
  return chain as LocalChain;
}

const wire = ({ hex, number }: ReturnType<typeof blockIdOf>): HelloMessageBlockId =>
  Object.assign(new HelloMessageBlockId(), { hash: fromHex(hex), number: BigInt(number) });

function hello(changes: Partial<HelloMessage> = {}): HelloMessage {
  return Object.assign(new HelloMessage(), {
    from: toEndpoint(self),
    version: NETWORK,
    genesisBlockId: wire(idAt(0)),
    solidBlockId: wire(idAt(80)),
    headBlockId: wire(idAt(95)),
    ...changes,
  });
}

t.test('sends the release in HELLO since 4.7.4 and accepts HELLO with or without it', async (t) => {
  const options = { self, networkId: NETWORK, startMs: 1 };
  const helloText = (release: typeof later): string => {
    const made = createHello(chainFrom(1), { ...options, release });
    return toUtf8(HelloMessage.decode(HelloMessage.encode(made)).codeVersion);
  };
  t.same([helloText(later), helloText(older)], ['4.8.2', '']);
  for (const release of [later, older])
    for (const text of ['', '4.8.2', 'x'.repeat(200)])
      t.ok(isValidHello(hello({ codeVersion: Buffer.from(text) }), release), `${release.name}: ${text}`);
});

t.test('accepts block ids of 32 bytes, and texts of at most 200 bytes', async (t) => {
  const short = Object.assign(new HelloMessageBlockId(), { hash: new Uint8Array(31), number: 1n });
  const wrong: readonly Partial<HelloMessage>[] = [
    { genesisBlockId: short },
    { solidBlockId: short },
    { headBlockId: short },
    { headBlockId: undefined },
    { address: new Uint8Array(201) },
    { signature: new Uint8Array(201) },
    { codeVersion: new Uint8Array(201) },
  ];
  for (const changes of wrong) {
    const [name] = Object.keys(changes);
    t.notOk(isValidHello(hello(changes), later), `${name}`);
    t.equal(isValidHello(hello(changes), older), changes !== wrong[3], `${name} in release 4.7.2`);
  }
  const size = new Uint8Array(200);
  t.ok(isValidHello(hello({ address: size, signature: size, codeVersion: size }), later));
  t.same([later.invalidHello, older.invalidHello], ['INCOMPATIBLE_PROTOCOL', 'UNEXPECTED_IDENTITY']);
});

t.test('reports a missing solidified block as a fork, or as below the lowest local block', async (t) => {
  const refusal = (number: number, lowest: number, release = later): string | undefined =>
    rejectReasonOfHello(chainFrom(lowest), hello({ solidBlockId: wire(idAt(number, '0b')) }), {
      networkId: NETWORK,
      release,
    });
  t.equal(refusal(50, 50), 'FORKED');
  t.equal(refusal(49, 50), 'LIGHT_NODE_SYNC_FAIL');
  t.equal(refusal(49, 50, older), 'FORKED');
  t.equal(refusal(91, 92), undefined, 'blocks above the own solidified block are not compared');
  t.equal(rejectReasonOfHello(chainFrom(50), hello(), { networkId: NETWORK, release: later }), undefined);
});

t.test('reports the error that java-tron checks first if HELLO has two', async (t) => {
  const wrong: readonly (readonly [reason: string, changes: Partial<HelloMessage>])[] = [
    ['LIGHT_NODE_SYNC_FAIL', { lowestBlockNum: 101n }],
    ['INCOMPATIBLE_VERSION', { version: 1 }],
    ['INCOMPATIBLE_CHAIN', { genesisBlockId: wire(idAt(0, '0b')) }],
    ['FORKED', { solidBlockId: wire(idAt(80, '0b')) }],
  ];
  for (const [at, [reason, changes]] of wrong.entries()) {
    for (const [, others] of wrong.slice(at)) {
      const both = hello({ ...others, ...changes });
      t.equal(rejectReasonOfHello(chainFrom(1), both, { networkId: NETWORK, release: later }), reason);
    }
  }
});

t.test('reports the lowest block in HELLO if the first blocks are pruned', async (t) => {
  for (const release of [later, older]) {
    const options = { self, networkId: NETWORK, startMs: 1, release };
    const { nodeType, lowestBlockNum } = createHello(chainFrom(50), options);
    t.same([nodeType, lowestBlockNum], [1, 50n]);
    t.same(createHello(chainFrom(1), options).lowestBlockNum, 0n);
  }
});
