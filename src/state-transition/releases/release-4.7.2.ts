import { toHex } from '../../primitives/bytes.js';
import { VERSION } from '../parameters/block-versions.js';
import { parametersOf } from '../parameters/parameter-table.js';
import type { Release } from './release.js';

export const NEW_RULE_FROM = 1_596_780_000_000n;
const NEW_RULE_RATE = 80;

/** Rules of java-tron 4.7.2. */
export const release472: Release = {
  name: '4.7.2',
  blockVersion: VERSION.V4_7_2,
  forkVersions: [
    ...[5, 6, 7, 8, 9, 10, 16].map((version) => ({ version, timeMs: 0n, rate: 0 })),
    ...[17, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28].map((version) => ({
      version,
      timeMs: NEW_RULE_FROM,
      rate: NEW_RULE_RATE,
    })),
  ],
  parameters: parametersOf('4.7.2'),
  firstStart: [
    'TOKEN_UPDATE_DONE',
    'ABI_MOVE_DONE',
    'ENERGY_PRICE_HISTORY_DONE',
    'BANDWIDTH_PRICE_HISTORY_DONE',
    'SET_BLACKHOLE_ACCOUNT_PERMISSION',
  ],
  rules: {
    countsContractsFirst: false,
    limitsPending: false,
    stripsUnknown: false,
    validatesAnnouncedFirst: false,
    freezesExchangeTrades: false,
    catchesExchangeOverflow: false,
    refusesShielded: false,
    verifiesBranchSignatures: false,
    wrapsSignerFailures: false,
    reportsRestaked: false,
    comparesSignatures: false,
    keepsEndedLeaves: false,
  },
  texts: {
    refusals: { BLOCK_SIGN_ERROR: 'BLOCK_SIGN_ERROR', BLOCK_MERKLE_ERROR: 'BLOCK_MERKLE_ERROR' },
    tooBig: (_id, size) => `Too big transaction, the size is ${size} bytes`,
    merkleRoot: (number) => `The merkle hash is not validated for ${number}`,
    foreignSigner: ({ signature }, signer) =>
      `${toHex(signature)} is signed by ${signer} but it is not contained of permission.`,
    overflow: (operation, a, b) => `overflow: ${operation}(${a}, ${b})`,
    leastFrozen: 'frozenBalance must be more than 1TRX',
    mostFrozen: 'frozenBalance must be less than accountBalance',
    leastDelegated: 'delegateBalance must be more than 1TRX',
    mostDelegated: (stake) => `delegateBalance must be less than available ${stake} balance`,
  },
};
