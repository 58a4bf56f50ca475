import t from 'tap';
import { JsonObject, type JsonValue, jsonObject, printJson } from '../../../../src/encoding/json/json-value.js';
import { JavaHashMap, javaHashOfText } from '../../../../src/java-compat/hash-map.js';

/** Returns an object with these field names. The value of each field is its index. */
function numbered(names: readonly string[]): JsonObject {
  return jsonObject(Object.fromEntries(names.map((name, at) => [name, BigInt(at)])));
}

function inHashOrder(names: readonly string[]): string {
  const map = new JavaHashMap<string, number>(javaHashOfText);
  for (const [at, name] of names.entries()) map.set(name, at);
  return `{${map.entries().map(([name, at]) => `${JSON.stringify(name)}:${at}`)}}`;
}

const NAMES = ['raw_data', 'signature', 'ret', 'raw_data_hex', 'txID', 'visible'];

t.test('prints members in the order of a Java hash map, or of insertion', async (t) => {
  for (let count = 0; count <= NAMES.length; count++) {
    for (const names of [NAMES.slice(0, count), NAMES.slice(0, count).reverse()]) {
      t.equal(printJson(numbered(names), 'fastjson'), inHashOrder(names));
      t.equal(printJson(numbered(names), 'jackson'), JSON.stringify(Object.fromEntries(names.map((n, at) => [n, at]))));
    }
  }
});

t.test('orders the members of an object correctly after its last member was deleted', async (t) => {
  const longer = numbered(NAMES);
  t.equal(printJson(longer, 'fastjson'), inHashOrder(NAMES));
  longer.delete('visible');
  t.equal(printJson(longer, 'fastjson'), inHashOrder(NAMES.slice(0, -1)));
});

t.test('hides null members like fastjson, or prints them like Jackson', async (t) => {
  for (const [library, text] of [
    ['fastjson', '{"b":2}'],
    ['jackson', '{"a":null,"b":2}'],
  ] as const) {
    const object = new JsonObject(library);
    object.set('a', null).set('b', 2n);
    t.equal(printJson(object, 'jackson'), text);
  }
});

t.test('prints objects whose names are not cached, long names and names with quotes correctly', async (t) => {
  const different = Array.from({ length: 40_000 }, (_, at) => at).filter(
    (at) => printJson(jsonObject({ [`name ${at}`]: BigInt(at) }), 'fastjson') !== `{"name ${at}":${at}}`,
  );
  t.same(different, []);
  const long = 'n'.repeat(1000);
  const value: JsonValue = jsonObject({ [long]: true, '"': jsonObject({}) });
  t.equal(printJson(value, 'jackson'), `{"${long}":true,"\\"":{}}`);
});
