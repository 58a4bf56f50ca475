import { toHex } from '../../primitives/bytes.js';
import { VERSION } from '../parameters/block-versions.js';
import { parametersOf } from '../parameters/parameter-table.js';
import type { Release } from './release.js';
import { NEW_RULE_FROM, release472 } from './release-4.7.2.js';

/** Rules of java-tron 4.8.2. They include the changes of all releases since 4.7.2. */
export const release482: Release = {
  name: '4.8.2',
  blockVersion: VERSION.V4_8_2,
  forkVersions: [
    ...release472.forkVersions,
    { version: VERSION.V4_7_4, timeMs: NEW_RULE_FROM, rate: 80 },
    { version: VERSION.V4_7_5, timeMs: NEW_RULE_FROM, rate: 80 },
    { version: VERSION.V4_7_7, timeMs: NEW_RULE_FROM, rate: 80 },
    { version: VERSION.V4_8_0, timeMs: NEW_RULE_FROM, rate: 80 },
    { version: VERSION.V4_8_0_1, timeMs: NEW_RULE_FROM, rate: 70 },
    { version: VERSION.V4_8_1, timeMs: NEW_RULE_FROM, rate: 80 },
    { version: VERSION.V4_8_1_1, timeMs: NEW_RULE_FROM, rate: 70 },
    { version: VERSION.V4_8_2, timeMs: NEW_RULE_FROM, rate: 80 },
  ],
  parameters: parametersOf('4.8.2'),
  firstStart: [...release472.firstStart, 'TURKISH_KEY_MIGRATION_DONE'],
  rules: {
    countsContractsFirst: true,
    limitsPending: true,
    stripsUnknown: true,
    validatesAnnouncedFirst: true,
    freezesExchangeTrades: true,
    catchesExchangeOverflow: true,
    refusesShielded: true,
    verifiesBranchSignatures: true,
    wrapsSignerFailures: true,
    reportsRestaked: true,
    comparesSignatures: true,
    keepsEndedLeaves: true,
  },
  texts: {
    refusals: { BLOCK_SIGN_ERROR: 'BLOCK_SIGN_INVALID', BLOCK_MERKLE_ERROR: 'BLOCK_MERKLE_INVALID' },
    tooBig: (id, size, max) => `Too big transaction, TxId ${id}, the size is ${size} bytes, maxTxSize ${max}`,
    merkleRoot: (number, expected, actual) =>
      `merkle root mismatch for block ${number}: expected ${toHex(expected)}, actual ${toHex(actual)}`,
    foreignSigner: ({ hash }, signer) => `${toHex(hash)} is signed by ${signer} but it is not contained of permission.`,
    overflow: () => 'long overflow',
    leastFrozen: 'frozenBalance must be greater than or equal to 1 TRX',
    mostFrozen: 'frozenBalance must be less than or equal to accountBalance',
    leastDelegated: 'delegateBalance must be greater than or equal to 1 TRX',
    mostDelegated: (stake) => `delegateBalance must be less than or equal to available ${stake} balance`,
  },
};
