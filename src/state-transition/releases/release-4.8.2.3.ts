import { VERSION } from '../parameters/block-versions.js';
import { parametersOf } from '../parameters/parameter-table.js';
import type { Release } from './release.js';
import { NEW_RULE_FROM } from './release-4.7.2.js';
import { release4822 } from './release-4.8.2.2.js';

/**
 * Rules of java-tron 4.8.2.3. In an old contract, two storage slots can share a row. When the block version of this
 * release is in force, a transaction that uses two slots of one row fails. After proposal 99, each slot has a
 * separate row.
 */
export const release4823: Release = {
  ...release4822,
  name: '4.8.2.3',
  blockVersion: VERSION.V4_8_2_3,
  forkVersions: [...release4822.forkVersions, { version: VERSION.V4_8_2_3, timeMs: NEW_RULE_FROM, rate: 70 }],
  parameters: parametersOf('4.8.2.3'),
};
