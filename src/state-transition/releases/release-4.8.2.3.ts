import { VERSION } from '../parameters/block-versions.js';
import { parametersOf } from '../parameters/parameter-table.js';
import type { Release } from './release.js';
import { NEW_RULE_FROM } from './release-4.7.2.js';
import { release4822 } from './release-4.8.2.2.js';

/**
 * java-tron 4.8.2.3, which prevents two storage slots of an old contract from sharing a row. Its block version rejects
 * transactions that use two slots of one row. With proposal 99, each slot has a row of its own.
 */
export const release4823: Release = {
  ...release4822,
  name: '4.8.2.3',
  blockVersion: VERSION.V4_8_2_3,
  forkVersions: [...release4822.forkVersions, { version: VERSION.V4_8_2_3, timeMs: NEW_RULE_FROM, rate: 70 }],
  parameters: parametersOf('4.8.2.3'),
};
