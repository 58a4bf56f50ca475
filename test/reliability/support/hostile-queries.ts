/** A request to /graphql and its expected answer: `refused` for an answer without data, or `any`. */
export interface HostileQuery {
  readonly kind: string;
  readonly payload: string;
  readonly answer: 'refused' | 'any';
}

export type Draw = (below: number) => number;

// Limits of `docs/graphql.md`: nesting depth, cost and page size. The test does not import them from the node, because
// a bug could also change the imported values.
const LEVELS_MAX = 10;
const FIELDS_MAX = 10_000;
const PAGE_MAX = 100;

/** Start of a query that reads one transaction of a block. */
const SMALL_PATH = 'block { transactions(first: 1) {';
const PATHS = ['block { transactions {', SMALL_PATH];
const LEAVES = ['id', 'number', 'id __typename', 'transactions { id type owner receipt { fee } }'];
/** Fields that read much data but return little. */
const EXPENSIVE_READS = [
  'blocks(first: 100) { nodes { id witness { url } } }',
  'block { transactions(first: 100) { parameter ownerAccount { balance } block { id } receipt { logs { data } } } }',
  'witnesses(first: 1, at: HEIGHT) { nodes { url } }',
  'assets(first: 1, at: HEIGHT) { nodes { id } }',
  'logs(first: 100) { nodes { index } }',
  'status { transactionsPerSecond }',
  '__schema { types { fields { args { type { ofType { name } } } } } }',
];
/**
 * Number of possible nesting depths of fragments, from 2 on. Each fragment contains the next fragment several times.
 */
const DOUBLINGS_MAX = 60;
const REPEATS_MAX = 6000;

const kinds: Readonly<Record<string, (draw: Draw) => Omit<HostileQuery, 'kind'>>> = {
  depth: (draw) => {
    const levels = 1 + draw(200);
    const path = PATHS[draw(PATHS.length)]!;
    const query = `{ block { transactions { ${`${path} `.repeat(levels)} id ${'} }'.repeat(levels)} } } }`;
    return body(query, 2 + 2 * levels + 1 > LEVELS_MAX ? 'refused' : 'any');
  },
  aliases: (draw) => {
    const count = 1 + draw(1500);
    const fields = Array.from({ length: count }, (_, at) => `a${at}: blocks(first: ${1 + draw(100)}) { nodes { id } }`);
    return body(`{ ${fields.join(' ')} }`);
  },
  'fragment cycle': (draw) => {
    const length = 1 + draw(50);
    const fragments = Array.from(
      { length },
      (_, at) => `fragment f${at} on Block { id transactions { block { ...f${(at + 1) % length} } } }`,
    );
    return body(`{ block { ...f0 } } ${fragments.join(' ')}`, 'refused');
  },
  'doubling fragments': (draw) => {
    const levels = 2 + draw(DOUBLINGS_MAX);
    const fragments = Array.from({ length: levels }, (_, at) =>
      at === levels - 1
        ? `fragment f${at} on Block { id }`
        : `fragment f${at} on Block { ...f${at + 1} ...f${at + 1} ... on Block { ...f${at + 1} } }`,
    );
    return body(`{ block { ...f0 } } ${fragments.join(' ')}`);
  },
  batch: (draw) => {
    const queries = Array.from({ length: draw(2000) }, () => ({ query: '{ block { id } }' }));
    return { payload: JSON.stringify(queries), answer: 'refused' };
  },
  introspection: (draw) => {
    const levels = 1 + draw(12);
    const inside = `${'fields { type { '.repeat(levels)} name ${'} }'.repeat(levels)}`;
    const aliases = Array.from({ length: 1 + draw(150) }, (_, at) => `a${at}: __schema { types { name ${inside} } }`);
    return body(`{ ${aliases.join(' ')} }`);
  },
  'equal fields': (draw) => body(`{ block { ${'id '.repeat(1 + draw(REPEATS_MAX))} } }`),
  'equal selections': (draw) =>
    body(`{ block { ${'transactions { id block { id } } '.repeat(1 + draw(REPEATS_MAX / 8))} } }`),
  directives: (draw) => body(`{ block { id ${'@skip(if: false) '.repeat(1 + draw(900))} } }`),
  brackets: (draw) => {
    const count = 1 + draw(100_000);
    const open = ['{', '[', '(', '{ block '][draw(4)]!;
    return body(`{ logs(filter: { topics: ${open.repeat(count)}`, 'refused');
  },
  'nested lists': (draw) => {
    const count = 10 + draw(2400);
    return body(
      `{ logs(filter: { topics: ${'['.repeat(count)}"0x"${']'.repeat(count)} }) { nodes { index } } }`,
      'refused',
    );
  },
  texts: (draw) => body(`{ account(address: "${'x'.repeat(draw(300_000))}") { balance } }`, 'refused'),
  commas: (draw) => body(`{ block { id ${',#\n'.repeat(draw(80_000))} } }`),
  variables: (draw) => {
    let value: unknown = 9e99;
    for (let depth = draw(3000); depth > 0; depth--) value = depth % 2 === 0 ? [value] : { a: value };
    const query = 'query ($n: Int!) { blocks(first: $n) { nodes { id } } }';
    return { payload: JSON.stringify({ query, variables: { n: value } }), answer: 'refused' };
  },
  operations: (draw) => {
    const query = Array.from({ length: 1 + draw(300) }, (_, at) => `query q${at} { block { id } }`).join(' ');
    return { payload: JSON.stringify({ query, operationName: `q${draw(400)}` }), answer: 'any' };
  },
  pages: (draw) => body(`{ blocks(first: ${[-1, 0, 101, 2 ** 31 - 1, 2 ** 40][draw(5)]}) { nodes { id } } }`),
  'levels just over the limit': (draw) => {
    const pairs = LEVELS_MAX / 2 + draw(5);
    return body(`{ ${`${SMALL_PATH} `.repeat(pairs)} id ${'} } '.repeat(pairs)} }`, 'refused');
  },
  'fields just over the limit': (draw) => {
    const nodes = PAGE_MAX - draw(PAGE_MAX / 2);
    const count = Math.floor(FIELDS_MAX / nodes) + 1 + draw(20);
    const fields = Array.from({ length: count }, (_, at) => `a${at}: id`);
    return body(`{ blocks(first: ${nodes}) { nodes { ${fields.join(' ')} } } }`, 'refused');
  },
  'expensive reads': (draw) => {
    const field = EXPENSIVE_READS[draw(EXPENSIVE_READS.length)]!;
    const fields = Array.from({ length: 1 + draw(100) }, (_, at) => `a${at}: ${field.replace('HEIGHT', String(at))}`);
    return body(`{ ${fields.join(' ')} }`);
  },
  'page below zero': (draw) => {
    const below = `b: blocks(first: ${-1 - draw(2 ** 31)}) { nodes { id } }`;
    return body(`{ blocks(first: 100) { nodes { transactions(first: 100) { id } } } ${below} }`, 'refused');
  },
  mutated: (draw) => {
    const query = `{ blocks(first: 3) { nodes { ${LEAVES[draw(LEAVES.length)]} } } }`;
    const at = draw(query.length);
    return body(query.slice(0, at) + String.fromCharCode(draw(0x10000)) + query.slice(at + draw(4)));
  },
  'mutated body': (draw) => {
    const whole = JSON.stringify({ query: '{ block { id } }', variables: {} });
    return { payload: whole.slice(0, draw(whole.length)) + ['', '\u0000', '}', '"', '[[['][draw(5)], answer: 'any' };
  },
};

const names = Object.keys(kinds);

export function hostileQuery(draw: Draw): HostileQuery {
  const kind = names[draw(names.length)]!;
  return { kind, ...kinds[kind]!(draw) };
}

function body(query: string, answer: HostileQuery['answer'] = 'any'): Omit<HostileQuery, 'kind'> {
  return { payload: JSON.stringify({ query }), answer };
}
