import t from 'tap';
import { HelloMessage } from '../../../../src/codec/generated/messages.js';
import type { LocalChain } from '../../../../src/p2p/local-chain.js';
import { BlockRelay, type WitnessIdentity } from '../../../../src/p2p/relay/block-relay.js';
import type { PeerRelease } from '../../../../src/p2p/releases/peer-release.js';
import { fromHex, toHex } from '../../../../src/primitives/bytes.js';
import { endOf, type FakePeer, fakePeer, later, older, setOf } from '../../../support/p2p/fake-peer.js';

const WITNESS = `41${'0a'.repeat(20)}`;
const OTHER = `41${'0b'.repeat(20)}`;

interface Made {
  readonly release: PeerRelease;
  readonly peers?: readonly FakePeer[];
  readonly identity?: WitnessIdentity;
  readonly isMaster?: () => boolean;
}

const RELAY = { host: '10.0.0.9', port: 1 };

function relay({ release, peers = [], identity, isMaster = () => true }: Made): BlockRelay {
  const chain: Partial<LocalChain> = { activeWitnesses: () => [WITNESS, OTHER], isSignedByWitness: () => true };
  return new BlockRelay({
    chain: chain as LocalChain,
    peers: setOf(peers),
    release,
    nodes: [RELAY],
    isRelay: true,
    nextWitnesses: 3,
    identity,
    isMaster,
    trust: () => undefined,
  });
}

const helloOf = (address: string, signatureBytes = 65): HelloMessage =>
  Object.assign(new HelloMessage(), { address: fromHex(address), signature: new Uint8Array(signatureBytes) });

t.test('accepts five peers of one witness at most', async (t) => {
  const peers = Array.from({ length: 6 }, () => fakePeer());
  for (const { peer } of peers.slice(0, 5)) peer.hello = helloOf(WITNESS);
  const { channel } = peers[5]!.peer;
  t.notOk(relay({ release: later, peers }).accepts(helloOf(WITNESS), channel));
  t.ok(relay({ release: later, peers }).accepts(helloOf(OTHER), channel), 'a peer of another witness');
  t.ok(relay({ release: older, peers }).accepts(helloOf(WITNESS), channel), 'release 4.7.2 has no limit');
  peers[0]!.peer.disconnect('TIME_OUT');
  t.ok(relay({ release: later, peers }).accepts(helloOf(WITNESS), channel), 'one of the five has disconnected');
});

t.test('accepts a signature of 65 to 68 bytes', async (t) => {
  const { channel } = fakePeer().peer;
  const sizes = [64, 65, 68, 69];
  const relayed = (release: PeerRelease): boolean[] =>
    sizes.map((size) => relay({ release }).accepts(helloOf(WITNESS, size), channel));
  t.same(relayed(later), [false, true, true, false]);
  t.same(relayed(older), [true, true, true, true], 'only the signature is checked');
});

t.test('notifies relay nodes when this node stops production', async (t) => {
  const identity = { address: fromHex(`41${'0c'.repeat(20)}`), sign: () => new Uint8Array(65) };
  for (const [release, end] of [
    [later, 'NOT_WITNESS'],
    [older, 'nothing'],
  ] as const) {
    const peers = [fakePeer({ host: '10.0.0.9' }), fakePeer({ host: '10.0.0.1' })];
    relay({ release, peers, identity }).turn();
    t.same(peers.map(endOf), [end, undefined], release.name);
  }
});

// Reference: RelayService.isActiveWitness, connect, disconnect.
t.test('connects only the producer of a backup group to the relay nodes', async (t) => {
  const identity = { address: fromHex(WITNESS), sign: () => new Uint8Array(65) };
  let isMaster = false;
  for (const release of [later, older]) {
    const peers = [fakePeer({ host: RELAY.host }), fakePeer({ host: '10.0.0.1' })];
    const made = relay({ release, peers, identity, isMaster: () => isMaster });
    const other = { host: '10.0.0.1', port: 1 };
    const says = (): string => {
      const hello = new HelloMessage();
      made.fill(hello, RELAY.host);
      return toHex(hello.address);
    };
    const rounds = [];
    for (const turn of [undefined, false, true]) {
      isMaster = turn === true;
      if (turn !== undefined) made.turn();
      rounds.push([made.dialled([RELAY, other]), says()]);
    }
    const [before, slave, master] = [[RELAY, other], [other], [other, RELAY]];
    t.same(
      rounds,
      [
        [before, ''],
        [slave, ''],
        [master, WITNESS],
      ],
      release.name,
    );
    t.same(peers.map(endOf).map(Boolean), [true, false], 'a slave disconnects from relay nodes');
  }
});
