import t, { type Test } from 'tap';
import { WitnessList } from '../../../src/api/follow/witness-list.js';
import { Block, BlockHeaderRaw } from '../../../src/codec/generated/messages.js';
import { type HeaderFault, LightChain } from '../../../src/light-client/light-chain.js';
import { fromHex } from '../../../src/primitives/bytes.js';
import { decodeBlock } from '../../../src/state-transition/block/decoded-block.js';
import { type RecordedBlock, serveRecording } from '../../support/graphql/served-chain.js';

interface Signed {
  readonly raw: Uint8Array;
  readonly signature: Uint8Array;
}

const headerOf = ({ block }: RecordedBlock): Signed => {
  const { blockHeader } = Block.decode(fromHex(block));
  return { raw: BlockHeaderRaw.encode(blockHeader!.rawData!), signature: blockHeader!.witnessSignature };
};

const fault = (t: Test, code: HeaderFault, name: string, run: () => unknown): void => {
  t.throws(run, { code }, name);
};

for (const name of ['stake', 'system-modern']) {
  t.test(`computes the recorded header ids of ${name} and solidifies blocks like the node`, async (t) => {
    const { chain, api, recorded } = await serveRecording(t, name, { until: 0 });
    const { ledger, state } = chain;
    const witnesses = new WitnessList({ ledger, at: () => api.viewAt(ledger.position.headNumber) });
    const light = new LightChain();
    let published = witnesses.current();
    light.setWitnesses(published);
    let counted = 0;
    for (const block of recorded.filter(({ num }) => num > 0)) {
      const { raw, signature } = headerOf(block);
      chain.importBlock(decodeBlock(fromHex(block.block)));
      // New witnesses of a maintenance are active from the next block on.
      if (published !== witnesses.current()) light.setWitnesses(witnesses.current());
      published = witnesses.current();
      const header = light.apply(raw, signature);
      if (header.id !== block.id || header.number !== block.num) t.same(header, block.id, `block ${block.num}`);
      if (light.solidified === undefined) continue;
      counted++;
      if (light.solidified.number !== ledger.position.solidifiedNumber)
        t.equal(light.solidified.number, ledger.position.solidifiedNumber, `after block ${block.num}`);
    }
    t.ok(counted > 100, `${counted} blocks were compared`);
    t.ok(state.properties.get('latest_block_header_number') > 100n);
    const { known } = light;
    t.equal(light.isSolidified(known[0]!.id), true);
    t.equal(light.isSolidified(known.at(-1)!.id), false);
    t.equal(light.isSolidified('00'), undefined);
  });
}

t.test('rejects insufficient proofs', async (t) => {
  const { chain, api, recorded } = await serveRecording(t, 'stake', { until: 5 });
  const witnesses = new WitnessList({ ledger: chain.ledger, at: () => api.viewAt(5) }).current();
  const [first, second, third] = recorded.filter(({ num }) => num > 0).map(headerOf) as [Signed, Signed, Signed];
  const light = new LightChain();
  fault(t, 'UNKNOWN_WITNESS', 'before the witnesses are known', () => light.apply(first.raw, first.signature));
  light.setWitnesses(witnesses);
  light.apply(first.raw, first.signature);
  fault(t, 'NOT_LINKED', 'a gap', () => light.apply(third.raw, third.signature));
  fault(t, 'BAD_SIGNATURE', 'signature of another block', () => light.apply(second.raw, third.signature));
  fault(t, 'BAD_SIGNATURE', 'a truncated signature', () => light.apply(second.raw, second.signature.subarray(0, 64)));
  fault(t, 'BAD_SIGNATURE', 'a signature of zeros', () => light.apply(second.raw, new Uint8Array(65)));
  const message = BlockHeaderRaw.decode(second.raw);
  message.timestamp += 3000n;
  fault(t, 'BAD_SIGNATURE', 'a header with another time', () =>
    light.apply(BlockHeaderRaw.encode(message), second.signature),
  );
  fault(t, 'BAD_HEADER', 'a truncated header', () => light.apply(second.raw.subarray(0, -1), second.signature));
  // Nodes ignore additional bytes after a signature.
  const { witness } = light.apply(second.raw, Uint8Array.of(...second.signature, 7));
  t.equal(light.head?.number, 2);
  fault(t, 'NOT_LINKED', 'a revert to a block below the solidified one', () => light.revert(first.raw));
  light.revert(second.raw);
  t.equal(light.head?.number, 1);
  light.setWitnesses(witnesses.map((entry) => ({ ...entry, signer: witnesses[0]!.address })));
  light.apply(second.raw, second.signature);
  t.pass('the witnesses before the maintenance sign the block of the maintenance');
  light.revert(second.raw);
  light.setWitnesses(witnesses.filter(({ address }) => address !== witness));
  light.setWitnesses(witnesses.filter(({ address }) => address !== witness));
  fault(t, 'UNKNOWN_WITNESS', 'a former witness', () => light.apply(second.raw, second.signature));
});

t.test('does not revert a solidified block', async (t) => {
  const { chain, api, recorded } = await serveRecording(t, 'stake', { until: 30 });
  const light = new LightChain();
  light.setWitnesses(new WitnessList({ ledger: chain.ledger, at: () => api.viewAt(30) }).current());
  const headers = recorded.filter(({ num }) => num > 0 && num <= 30).map(headerOf);
  for (const { raw, signature } of headers) light.apply(raw, signature);
  const solid = light.solidified!.number;
  t.equal(solid, chain.ledger.position.solidifiedNumber);
  for (let number = 30; number > solid; number--) light.revert(headers[number - 1]!.raw);
  fault(t, 'NOT_LINKED', `block ${solid}`, () => light.revert(headers[solid - 1]!.raw));
});
