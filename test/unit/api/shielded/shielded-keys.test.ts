import t from 'tap';
import { decodePaymentAddress } from '../../../../src/api/shielded/payment-address.js';
import { noteNullifier } from '../../../../src/api/shielded/shielded-keys.js';
import { present } from '../../../../src/primitives/assert.js';
import { fromHex } from '../../../../src/primitives/bytes.js';

const ADDRESS = 'ztron1qqqqqqqqqqqqqqqqq8hcj4eukxazkwvvu79v6x2z97f3ywe0spp30nnqjemcw2pwk7yax39uspa';
const AK = fromHex('787f0f7f329609cb9e7c4cac4ff49d4c68494c4e2407918624c8ab08ea18f4b2');
const NK = fromHex('37af08e0337f488dc4f121909b96865d521cc8233ed092d2a9d1f40c9d9642d2');
const NO_POINT = fromHex('00000000000000008d6f14082e597a7f8991ee3ff9d667056dc371a7bf6221e8');

t.test('requires both keys for a nullifier, and both must be points', async (t) => {
  const address = present(decodePaymentAddress(ADDRESS), 'the bytes are a point');
  const rcm = fromHex('33568c195197c70581c7588c11c1bbe300e5c2e519561e0e20e467252460a00a');
  const note = { ...address, value: 50n, rcm };
  t.equal(noteNullifier(note, { ak: AK, nk: NK }, 0n)?.length, 32);
  t.equal(noteNullifier(note, { ak: AK, nk: NO_POINT }, 0n), undefined);
  t.equal(noteNullifier(note, { ak: NO_POINT, nk: NK }, 0n), undefined);
});
