import t from 'tap';
import { printPlain, printPretty } from '../../../../src/encoding/json/print-plain.js';

const bean = { qps: 0.5, name: 'a', none: [], detail: [{ name: 'x' }, { name: 'y', rate: { mean: 1n } }] };

t.test('sorts members like fastjson, or keeps their order like Jackson', async (t) => {
  t.equal(printPlain(bean, 'fastjson').slice(0, 21), '{"detail":[{"name":"x');
  t.equal(
    printPlain(bean, 'jackson'),
    '{"qps":0.5,"name":"a","none":[],"detail":[{"name":"x"},{"name":"y","rate":{"mean":1}}]}',
  );
});

t.test('indents with tabs like fastjson', async (t) => {
  t.equal(
    printPretty({ b: [], a: [{ x: 1n }] }, 'fastjson'),
    '{\n\t"a":[\n\t\t{\n\t\t\t"x":1\n\t\t}\n\t],\n\t"b":[]\n}',
  );
});

// The format in which JSON.toJSONString of 4.8.2 prints ApiInfo.
t.test('indents with spaces like Jackson and keeps list items on the line', async (t) => {
  t.equal(
    printPretty(bean, 'jackson'),
    `{
  "qps" : 0.5,
  "name" : "a",
  "none" : [ ],
  "detail" : [ {
    "name" : "x"
  }, {
    "name" : "y",
    "rate" : {
      "mean" : 1
    }
  } ]
}`,
  );
});
