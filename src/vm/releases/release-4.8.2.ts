import { VERSION } from '../consensus/fork-versions.js';
import { parametersOf48 } from '../proposals/parameters-4.8.js';
import { byId, type Release } from './release.js';
import { release472 } from './release-4.7.2.js';

const FROM = 1_596_780_000_000n;

/** java-tron 4.8.2, with everything that came between it and 4.7.2. */
export const release482: Release = {
  name: '4.8.2',
  blockVersion: VERSION.V4_8_2,
  forkVersions: [
    ...release472.forkVersions,
    { version: VERSION.V4_7_4, timeMs: FROM, rate: 80 },
    { version: VERSION.V4_7_5, timeMs: FROM, rate: 80 },
    { version: VERSION.V4_7_7, timeMs: FROM, rate: 80 },
    { version: VERSION.V4_8_0, timeMs: FROM, rate: 80 },
    { version: VERSION.V4_8_0_1, timeMs: FROM, rate: 70 },
    { version: VERSION.V4_8_1, timeMs: FROM, rate: 80 },
    { version: VERSION.V4_8_1_1, timeMs: FROM, rate: 70 },
    { version: VERSION.V4_8_2, timeMs: FROM, rate: 80 },
  ],
  parameters: byId([...release472.parameters.values()], parametersOf48),
  firstStart: [...release472.firstStart, 'TURKISH_KEY_MIGRATION_DONE'],
};
