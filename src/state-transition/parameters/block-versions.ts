/**
 * A block version that enables rules. It is in force when `rate` percent of the active witnesses have produced a block
 * with it. It is not in force before the first multiple of the maintenance interval at or after `timeMs`. Versions up
 * to 4.0 ignore both fields and require all active witnesses.
 */
export interface ForkVersion {
  readonly version: number;
  readonly timeMs: bigint;
  readonly rate: number;
}

/** Block versions by the release that introduced them. */
export const VERSION = {
  ENERGY_LIMIT: 5,
  V3_2_2: 6,
  V3_5: 7,
  V3_6: 8,
  V3_6_5: 9,
  V3_6_6: 10,
  V4_0: 16,
  V4_0_1: 17,
  V4_1: 19,
  V4_1_2: 20,
  V4_2: 21,
  V4_3: 22,
  V4_4: 23,
  V4_5: 24,
  V4_6: 25,
  V4_7: 26,
  V4_7_1: 27,
  V4_7_2: 28,
  V4_7_4: 29,
  V4_7_5: 30,
  V4_7_7: 31,
  V4_8_0: 32,
  V4_8_0_1: 33,
  V4_8_1: 34,
  V4_8_1_1: 35,
  V4_8_2: 36,
  V4_8_2_2: 37,
  V4_8_2_3: 38,
} as const;

export type BlockVersion = (typeof VERSION)[keyof typeof VERSION];
