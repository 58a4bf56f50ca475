import { VERSION } from '../parameters/block-versions.js';
import type { Release } from './release.js';
import { NEW_RULE_FROM } from './release-4.7.2.js';
import { release482 } from './release-4.8.2.js';

/**
 * Rules of java-tron 4.8.2.2. When its block version is in force, a transaction fails if it uses a destroyed contract
 * or an invalid delegation in certain ways. The creation of a contract fails if it sets fields that only the node may
 * set. Reference: MUtil.checkCPUTimeFor...
 */
export const release4822: Release = {
  ...release482,
  name: '4.8.2.2',
  blockVersion: VERSION.V4_8_2_2,
  forkVersions: [...release482.forkVersions, { version: VERSION.V4_8_2_2, timeMs: NEW_RULE_FROM, rate: 70 }],
};
