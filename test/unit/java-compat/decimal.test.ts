import t from 'tap';
import { JavaDecimal } from '../../../src/java-compat/decimal.js';

t.test('strips trailing zeros like BigDecimal', async (t) => {
  for (const [text, stripped] of [
    ['100', '1E+2'],
    ['1.500', '1.5'],
    ['0.000', '0'],
    ['-20', '-2E+1'],
    ['101', '101'],
  ] as const)
    t.equal(JavaDecimal.parse(text).withoutZeros().toString(), stripped);
});

t.test('strips zeros in linear time', async (t) => {
  const number = JavaDecimal.parse(`1${'0'.repeat(65_000)}1`);
  const started = process.cpuUsage();
  number.withoutZeros();
  const { user } = process.cpuUsage(started);
  t.ok(user < 500_000, `${user} us of CPU`);
});
