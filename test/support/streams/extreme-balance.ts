/** A balance event with the largest numbers, and with a text that needs escapes. */
export const extremeBalance = {
  timeStamp: 9223372036854775807n,
  triggerName: 'balanceTrigger',
  blockNumber: 9007199254740993n,
  blockHash: Uint8Array.of(0, 0xff),
  removed: false,
  address: '\u0001 "quoted\\" ü 😀 \\',
  before: -9223372036854775808n,
  after: 0n,
};
