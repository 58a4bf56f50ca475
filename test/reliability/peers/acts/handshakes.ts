import type { HelloMessage } from '../../../../src/codec/generated/messages.js';
import { encodeFrame } from '../../../../src/p2p/transport/frames.js';
import { encodeGoodbye, encodeKeepAlive } from '../../../../src/p2p/transport/framework-message.js';
import { createNodeId, toEndpoint } from '../../../../src/p2p/transport/node-address.js';
import { encodeMessage } from '../../../../src/p2p/wire/messages.js';
import { concatBytes, utf8 } from '../../../../src/primitives/bytes.js';
import { NETWORK } from '../../../support/peers/peer-node.js';
import { type Act, firstHello, greet, join } from '../act.js';
import { unknownId } from '../made-block.js';
import { helloId, helloOf, sayHello } from '../said.js';
import type { Stage } from '../stage.js';

type FirstWords = (stage: Stage) => Uint8Array;

const endpoint = (changes: Partial<Parameters<typeof toEndpoint>[0]> = {}): ReturnType<typeof toEndpoint> =>
  toEndpoint({ id: createNodeId(), ipv4: '127.0.0.1', ipv6: undefined, port: 1, ...changes });

/** First bytes that a peer sends on a connection, by description. */
export const firstWords: Readonly<Record<string, FirstWords>> = {
  fine: () => firstHello(),
  'another network': ({ random }) => firstHello({ networkId: random.pick([0, 1, NETWORK + 1, -1]) }),
  'another version': ({ random }) => firstHello({ version: random.pick([0, 2, 99, -1, NETWORK]) }),
  'a reason code': ({ random }) => firstHello({ code: random.pick([1, 2, 3, 4, 5, 6, 255, 77]) }),
  'no sender': () => firstHello({ from: undefined }),
  'a short id': ({ random }) => firstHello({ from: endpoint({ id: '00'.repeat(random.pick([0, 1, 63, 65])) }) }),
  'an unusual address': ({ random }) =>
    firstHello({
      from: endpoint({
        ipv4: random.pick(['0.0.0.0', '256.1.1.1', 'localhost', '1.2.3', '1.2.3.4\n', '127.0.0.1 ', '10.1.1.1']),
      }),
    }),
  'no address': () => firstHello({ from: endpoint({ ipv4: undefined }) }),
  'an unusual IPv6 address': ({ random }) =>
    firstHello({
      from: endpoint({ ipv6: random.pick(['::1', 'fe80::1', 'x', '1.2.3.4', '::ffff:1.2.3.4', 'fe80::1%eth0']) }),
    }),
  'only an IPv6 address': ({ random }) =>
    firstHello({ from: endpoint({ ipv4: undefined, ipv6: random.pick(['::1', 'x', '2001:db8::5']) }) }),
  'an unusual port': ({ random }) => firstHello({ from: endpoint({ port: random.pick([0, -1, 70_000, 18_888]) }) }),
  'an unusual time': ({ random }) => firstHello({ timestamp: random.pick([0n, -1n, 2n ** 62n]) }),
  'a keep-alive': ({ random }) =>
    encodeFrame(
      encodeKeepAlive(random.pick(['ping', 'pong'] as const), random.pick([Date.now(), 0, Date.now() + 5000, -1])),
    ),
  'a status': () => encodeFrame(concatBytes(Uint8Array.of(0xfc), firstHello().subarray(3))),
  'a goodbye': () => encodeFrame(encodeGoodbye('TOO_MANY_PEERS')),
  'a message': ({ nodes }) => encodeFrame(sayHello(helloOf(nodes.ours))),
  'a HELLO of an old version': ({ nodes }) => encodeFrame(sayHello(helloOf(nodes.ours, { version: 1 }))),
  'a ping': () => encodeFrame(encodeMessage('P2P_PING', Uint8Array.of(0xc0))),
  'another type': ({ random }) =>
    encodeFrame(
      concatBytes(Uint8Array.of(random.pick([0, 1, 0x7f, 0x80, 0xfa, 0x90])), random.bytes(random.below(40))),
    ),
  nothing: () => Uint8Array.of(0),
  'an empty HELLO': () => encodeFrame(Uint8Array.of(0xfd)),
  garbage: ({ random }) => encodeFrame(concatBytes(Uint8Array.of(0xfd), random.bytes(1 + random.below(60)))),
};

export const firstContact: Act = async (stage) => {
  const { random } = stage;
  const name = random.chance(0.2) ? 'fine' : random.pick(Object.keys(firstWords));
  await stage.dial('a');
  const say = firstWords[name];
  if (say === undefined) throw new Error(name);
  const bytes = say(stage);
  await stage.write('a', `starts with ${name}: ${Buffer.from(bytes).toString('hex').slice(0, 300)}`, bytes, {
    quietMs: 150,
  });
  for (let times = random.below(3); times > 0 && !stage.hasEnded('a'); times--) {
    const [next, words] = random.pick(Object.entries(firstWords));
    // After this request, java-tron does not detect that the peer disconnects. So java-tron is restarted after this
    // act.
    if (next === 'a status') stage.requestRestart();
    const more = words(stage);
    await stage.write('a', `continues with ${next}: ${Buffer.from(more).toString('hex').slice(0, 300)}`, more, {
      quietMs: 150,
    });
  }
};

/** Several connections have the same node id, and many have the same address. */
export const doubles: Act = async (stage) => {
  const { random } = stage;
  const id = createNodeId();
  const host = await greet(stage, 'a', { from: endpoint({ id }) });
  const isSameHost = random.chance(0.5);
  await greet(
    stage,
    'b',
    { from: endpoint({ id: random.chance(0.7) ? id : createNodeId() }) },
    isSameHost ? host : undefined,
  );
  if (stage.hasEnded('b') || random.chance(0.5)) return;
  const { ours } = stage.nodes;
  if (!stage.hasEnded('a'))
    await stage.say('a', 'sends HELLO', [
      sayHello(helloOf(ours, { from: endpoint({ id: random.chance(0.5) ? id : createNodeId() }) })),
    ]);
  if (!stage.hasEnded('b')) await stage.say('b', 'sends HELLO', [sayHello(helloOf(ours, { from: endpoint({ id }) }))]);
};

/** A connection ends, and then the same address connects again. */
export const again: Act = async (stage) => {
  const { random } = stage;
  await join(stage, 'a');
  const host = stage.hostOf('a');
  if (random.chance(0.5)) await stage.say('a', 'breaks a rule', [Uint8Array.of(random.pick([0x55, 0x21, 0x02]), 1)]);
  else await stage.leave('a');
  await greet(stage, 'b', {}, host);
};

type Change = (stage: Stage) => Partial<HelloMessage>;

function odd(random: Stage['random'], number: number): ReturnType<typeof helloId> {
  const hash = random.pick([
    unknownId(number),
    unknownId(number).subarray(0, 31),
    new Uint8Array(0),
    random.bytes(33),
    random.bytes(8),
  ]);
  return helloId(hash, random.pick([BigInt(number), 1n, BigInt(number) + 1n]));
}

/** Changes of the chain fields of a HELLO, by description. */
const changes: Readonly<Record<string, Change>> = {
  'another genesis block': ({ random, nodes }) => ({
    genesisBlockId: random.chance(0.5)
      ? odd(random, 0)
      : helloId(nodes.ours.node.chain.ledger.blockIdAt(0) ?? unknownId(0), random.pick([1n, -1n, 5n])),
  }),
  'no genesis block': () => ({ genesisBlockId: undefined }),
  'no solid block': () => ({ solidBlockId: undefined }),
  'no head block': () => ({ headBlockId: undefined }),
  'another solid block': ({ random, nodes }) => ({ solidBlockId: odd(random, nodes.ours.node.chain.solidifiedNumber) }),
  'a higher solid block': ({ random, nodes }) => ({
    solidBlockId: helloId(unknownId(nodes.ours.node.chain.solidifiedNumber + 1 + random.below(50))),
  }),
  'a solid block above the head': ({ nodes }) => ({
    solidBlockId: helloId(nodes.ours.node.chain.ledger.position.headId),
  }),
  'another head block': ({ random, nodes }) => ({ headBlockId: odd(random, nodes.ours.headNumber) }),
  'a higher head block': ({ random, nodes }) => ({
    headBlockId: helloId(unknownId(nodes.ours.headNumber + 1 + random.below(5000))),
  }),
  'a lower head block': ({ random, nodes }) => ({
    headBlockId: helloId(unknownId(random.below(nodes.ours.headNumber + 1))),
  }),
  'a head with another height': ({ random, nodes }) => ({
    headBlockId: helloId(nodes.ours.node.chain.ledger.position.headId, random.pick([-1n, 0n, 2n ** 62n, -(2n ** 63n)])),
  }),
  'another version': ({ random }) => ({ version: random.pick([0, 1, NETWORK - 1, -1]) }),
  'no sender': () => ({ from: undefined }),
  'an unusual sender': ({ random }) => ({
    from: endpoint({
      id: '11'.repeat(random.below(70)),
      ipv4: random.pick(['x', '', '0.0.0.0']),
      port: random.pick([0, -1, 1]),
    }),
  }),
  'a lite node': ({ random, nodes }) => ({
    nodeType: random.pick([0, 1, 7]),
    lowestBlockNum: BigInt(nodes.ours.headNumber) + random.pick([-1n, 0n, 1n, -100n]),
  }),
  'an address': ({ random }) => ({
    address: random.bytes(random.pick([0, 1, 21, 200, 201])),
    signature: random.bytes(random.pick([0, 65, 200, 201])),
  }),
  'a release': ({ random }) => ({ codeVersion: utf8('4'.repeat(random.pick([0, 5, 200, 201]))) }),
  'any time': ({ random }) => ({ timestamp: random.pick([0n, -1n, 2n ** 62n]) }),
  'no change': () => ({}),
};

/** Returns a HELLO with one or two unusual fields. */
export function oddHello(stage: Stage): HelloMessage {
  const { random, nodes, story } = stage;
  const names = Array.from({ length: random.pick([1, 1, 2]) }, () => random.pick(Object.keys(changes)));
  story.push(`a HELLO with ${names.join(', ')}`);
  return Object.assign(helloOf(nodes.ours), ...names.map((name) => changes[name]?.(stage)));
}

export const hellos: Act = async (stage) => {
  const { random, nodes } = stage;
  await greet(stage, 'a');
  let bytes = sayHello(oddHello(stage));
  if (random.chance(0.1)) bytes = bytes.subarray(0, random.below(bytes.length));
  if (random.chance(0.1)) bytes = concatBytes(bytes, random.bytes(1 + random.below(20)));
  if (bytes.length === 0) return;
  await stage.say('a', 'sends this HELLO', [bytes]);
  if (!stage.hasEnded('a') && random.chance(0.3))
    await stage.say('a', 'sends HELLO again', [sayHello(helloOf(nodes.ours))]);
};

/**
 * Stops both nodes. Compares the disconnect messages that the peers receive. The message depends on the progress of
 * the peer's handshake.
 */
export const farewells: Act = async (stage) => {
  const { random, nodes } = stage;
  stage.requestRestart();
  for (const standing of ['in sync', 'behind', 'ahead'] as const)
    if (random.chance(0.7)) await join(stage, standing, standing);
  if (random.chance(0.7)) await greet(stage, 'without HELLO');
  if (random.chance(0.7)) await stage.dial('unknown');
  stage.story.push('both nodes stop');
  await nodes.disconnect();
  await stage.compare({ timeoutMs: 10_000 });
};
