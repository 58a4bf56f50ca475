/**
 * Powers in blocks 4,065,476 to 9,631,452 of the main network whose last bit is not correctly rounded, because the
 * result of `Math.pow` depended on the machine. Base and result are the bits of doubles. The exponent is always 0.0005
 * (exchange transactions). Reference: MathWrapper of release 4.8 has the same list.
 */
const rows: readonly (readonly [base: string, power: string])[] = [
  ['3ff0192278704be3', '3ff000033518c576'],
  ['3ff000002fc6a33f', '3ff0000000061d86'],
  ['3ff00314b1e73ecf', '3ff0000064ea3ef8'],
  ['3ff0068cd52978ae', '3ff00000d676966c'],
  ['3ff0032fda05447d', '3ff0000068636fe0'],
  ['3ff00051c09cc796', '3ff000000a76c20e'],
  ['3ff00bef8115b65d', '3ff0000186893de0'],
  ['3ff009b0b2616930', '3ff000013d27849e'],
  ['3ff00364ba163146', '3ff000006f26a9dc'],
  ['3ff019be4095d6ae', '3ff0000348e9f02a'],
  ['3ff0123e52985644', '3ff0000254797fd0'],
  ['3ff0126d052860e2', '3ff000025a6cde26'],
  ['3ff0001632cccf1b', '3ff0000002d76406'],
  ['3ff0000965922b01', '3ff000000133e966'],
  ['3ff00005c7692d61', '3ff0000000bd5d34'],
  ['3ff015cba20ec276', '3ff00002c84cef0e'],
  ['3ff00002f453d343', '3ff000000060cf4e'],
  ['3ff006ea73f88946', '3ff00000e26d4ea2'],
  ['3ff00a3632db72be', '3ff000014e3382a6'],
  ['3ff000c0e8df0274', '3ff0000018b0aeb2'],
  ['3ff00015c8f06afe', '3ff0000002c9d73e'],
  ['3ff00068def18101', '3ff000000d6c3cac'],
  ['3ff01349f3ac164b', '3ff000027693328a'],
  ['3ff00e86a7859088', '3ff00001db256a52'],
  ['3ff00000c2a51ab7', '3ff000000018ea20'],
  ['3ff020fb74e9f170', '3ff00004346fbfa2'],
  ['3ff00001ce277ce7', '3ff00000003b27dc'],
  ['3ff005468a327822', '3ff00000acc20750'],
  ['3ff00006666f30ff', '3ff0000000d1b80e'],
  ['3ff000045a0b2035', '3ff00000008e98e6'],
  ['3ff00e00380e10d7', '3ff00001c9ff83c8'],
  ['3ff00c15de2b0d5e', '3ff000018b6eaab6'],
  ['3ff00042afe6956a', '3ff0000008892244'],
  ['3ff0005b7357c2d4', '3ff000000bb48572'],
  ['3ff00033d5ab51c8', '3ff0000006a279c8'],
  ['3ff0000046d74585', '3ff0000000091150'],
  ['3ff0010403f34767', '3ff0000021472146'],
  ['3ff00496fe59bc98', '3ff000009650a4ca'],
  ['3ff0012e43815868', '3ff0000026af266e'],
  ['3ff00021f6080e3c', '3ff000000458d16a'],
  ['3ff000489c0f28bd', '3ff00000094b3072'],
  ['3ff00009d3df2e9c', '3ff00000014207b4'],
  ['3ff000def05fa9c8', '3ff000001c887cdc'],
  ['3ff0013bca543227', '3ff00000286a42d2'],
  ['3ff0021a2f14a0ee', '3ff0000044deb040'],
  ['3ff0002cc166be3c', '3ff0000005ba841e'],
  ['3ff0000cc84e613f', '3ff0000001a2da46'],
  ['3ff000057b83c83f', '3ff0000000b3a640'],
];

const EXPONENT = 0.0005;

const powers = new Map(rows.map(([base, power]) => [fromBits(base), fromBits(power)]));

/** Returns the power that the main network recorded; undefined if it is equal to the computed power. */
export function historicalPow(base: number, exponent: number): number | undefined {
  return exponent === EXPONENT ? powers.get(base) : undefined;
}

function fromBits(hex: string): number {
  return Buffer.from(hex, 'hex').readDoubleBE();
}
