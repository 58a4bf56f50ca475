import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { itemAt } from '../../../../src/primitives/assert.js';
import { ChainError } from '../../../../src/state-transition/errors.js';
import { validateParameter } from '../../../../src/state-transition/governance/validate-parameter.js';
import { parameterRows } from '../../../../src/state-transition/parameters/parameter-table.js';
import { type LongProperty, propertyRows } from '../../../../src/state-transition/parameters/property-table.js';
import { releases } from '../../../../src/state-transition/releases/index.js';
import { release472 } from '../../../../src/state-transition/releases/release-4.7.2.js';
import type { State } from '../../../../src/state-transition/state/state.js';
import { ROOT, sourcePaths } from '../../../architecture/source-files.js';
import { stateWith } from '../../../support/vm/state-with.js';

/** The newest release. It has all parameters. */
const newest = itemAt(releases, releases.length - 1);
const LATER = { latest_block_header_timestamp: 1_700_000_000_000n };

function chain(properties: Partial<Record<LongProperty, bigint>> = {}, passed: readonly number[] = []): State {
  const state = stateWith({ ...LATER, ...properties }, newest);
  for (const version of passed) state.properties.setForkStats(version, Uint8Array.of(1));
  return state;
}

function refusal(state: State, id: bigint, value: bigint): string | null | undefined {
  try {
    validateParameter(state, id, value);
  } catch (error) {
    if (error instanceof ChainError) return error.text;
    throw error;
  }
  return undefined;
}

const laterParameters = [...newest.parameters.values()].filter(({ since }) => since !== undefined);

// Reference: ProposalUtil.validator of 4.8.2. The last parameter is from 4.8.2.3.
const switches: readonly (readonly [id: bigint, name: LongProperty, fork: number])[] = [
  [79n, 'ALLOW_OLD_REWARD_OPT', 29],
  [81n, 'ALLOW_ENERGY_ADJUSTMENT', 30],
  [83n, 'ALLOW_TVM_CANCUN', 32],
  [87n, 'ALLOW_STRICT_MATH', 31],
  [88n, 'CONSENSUS_LOGIC_OPTIMIZATION', 32],
  [89n, 'ALLOW_TVM_BLOB', 32],
  [94n, 'ALLOW_TVM_SELFDESTRUCT_RESTRICTION', 34],
  [95n, 'ALLOW_TVM_PRAGUE', 36],
  [96n, 'ALLOW_TVM_OSAKA', 36],
  [97n, 'ALLOW_HARDEN_RESOURCE_CALCULATION', 36],
  [99n, 'ALLOW_OPTIMIZE_TVM_STORAGE', 38],
];

t.test('checks the fork, the current value and then the new value for parameters of 4.8', async (t) => {
  const met = { ALLOW_TVM_SHANGHAI: 1n, NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE: 5n } as const;
  for (const [id, name, fork] of switches) {
    t.equal(refusal(chain(met, [fork - 1]), id, 0n), `Bad chain parameter id [${name}]`);
    t.equal(refusal(chain(met, [fork]), id, 0n), `This value[${name}] is only allowed to be 1`);
    t.equal(refusal(chain(met, [fork]), id, 1n), undefined, name);
    const on = chain({ ...met, [name]: 1n }, [fork]);
    t.equal(refusal(on, id, 0n), `[${name}] has been valid, no need to propose again`);
  }
});

t.test('has a test case and a known block version for each parameter added after 4.7.2', async (t) => {
  const cases = new Set([...switches, ...ranges].map(([id]) => id));
  const counted = new Set(newest.forkVersions.map(({ version }) => version));
  for (const { id, property, fork } of laterParameters) {
    t.ok(cases.has(BigInt(id)), `a case of this test proposes ${property}`);
    t.ok(fork !== undefined && counted.has(fork), `${property} has a fork that a release counts`);
  }
});

t.test('rejects ALLOW_OLD_REWARD_OPT and ALLOW_TVM_PRAGUE before the parameters that they require', async (t) => {
  const before = 'proposal must be approved before [ALLOW_OLD_REWARD_OPT] can be proposed';
  t.equal(refusal(chain({}, [29]), 79n, 1n), `[ALLOW_NEW_REWARD] or [ALLOW_TVM_VOTE] ${before}`);
  t.equal(refusal(chain({}, [29]), 79n, 2n), 'This value[ALLOW_OLD_REWARD_OPT] is only allowed to be 1');
  const enacted = '[ALLOW_TVM_PRAGUE] requires [ALLOW_TVM_SHANGHAI] to be enacted first';
  t.equal(refusal(chain({ ALLOW_TVM_PRAGUE: 1n }, [36]), 95n, 2n), enacted);
});

const SIZES = 'greater than or equal to 500 and less than or equal to 10000!';
const ranges: readonly (readonly [id: bigint, fork: number, value: bigint, text: string | undefined])[] = [
  [82n, 29, 1000n, 'Bad chain parameter id [MAX_CREATE_ACCOUNT_TX_SIZE]'],
  [82n, 30, 499n, `This value[MAX_CREATE_ACCOUNT_TX_SIZE] is only allowed to be ${SIZES}`],
  [82n, 30, 500n, undefined],
  [82n, 30, 10_000n, undefined],
  [82n, 30, 10_001n, `This value[MAX_CREATE_ACCOUNT_TX_SIZE] is only allowed to be ${SIZES}`],
  [92n, 33, 1n, 'Bad chain parameter id [PROPOSAL_EXPIRE_TIME]'],
  [92n, 34, 0n, 'This value[PROPOSAL_EXPIRE_TIME] is only allowed to be greater than 0 and less than 31536003000!'],
  [92n, 34, 1n, undefined],
  [92n, 34, 31_536_002_999n, undefined],
  [
    92n,
    34,
    31_536_003_000n,
    'This value[PROPOSAL_EXPIRE_TIME] is only allowed to be greater than 0 and less than 31536003000!',
  ],
  [98n, 36, 2n, 'This value[ALLOW_HARDEN_EXCHANGE_CALCULATION] is only allowed to be 0 or 1'],
  [98n, 36, 0n, '[ALLOW_HARDEN_EXCHANGE_CALCULATION] has been set to 0, no need to propose again'],
  [98n, 36, 1n, undefined],
  [80n, 36, 1n, 'Does not support code : 80'],
  [93n, 36, 1n, 'Does not support code : 93'],
];

t.test('rejects values out of bounds', async (t) => {
  for (const [id, fork, value, text] of ranges)
    t.equal(refusal(chain({}, [fork]), id, value), text, `${id} = ${value}`);
  const on = chain({ ALLOW_HARDEN_EXCHANGE_CALCULATION: 1n }, [36]);
  t.equal(refusal(on, 98n, 0n), undefined, 'parameter 98 can be disabled');
});

t.test('rejects enabling the market after 4.8.1', async (t) => {
  t.equal(refusal(chain({}, [19]), 44n, 1n), undefined);
  t.equal(refusal(chain({}, [19, 34]), 44n, 1n), 'Bad chain parameter id [ALLOW_MARKET_TRANSACTION]');
});

t.test('rejects unknown parameters in release 4.7.2', async (t) => {
  const state = stateWith(LATER, release472);
  for (const [id] of switches) t.equal(refusal(state, id, 1n), `Does not support code : ${id}`);
});

/**
 * Parameters that no rule reads. java-tron does not read the first one either. The second one has its effect when the
 * proposal is approved.
 */
const UNREAD = ['ALLOW_ACCOUNT_ASSET_OPTIMIZATION', 'ALLOW_TVM_PRAGUE'];

t.test('has a test for the effect of each parameter added after 4.7.2', async (t) => {
  const text = sourcePaths('test')
    .filter((path) => path.endsWith('.test.ts') && !path.endsWith('validate-parameter.test.ts'))
    .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    .join('\n');
  const words = new Set(text.match(/\w+/g));
  t.same(
    laterParameters.filter(({ property }) => !words.has(property)).map(({ property }) => property),
    [],
  );
});

t.test('the sources read every parameter that a proposal can set', async (t) => {
  const source = fileURLToPath(new URL('../../../../src', import.meta.url));
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const tables = /property-table|parameter-table|chain-config/;
  const text = files
    .filter((name) => !tables.test(name))
    .map((name) => readFileSync(`${source}/${name}`, 'utf8'))
    .join('\n');
  const unread = [...newest.parameters.values()].filter(({ property, rule, opens = [] }) => {
    const reads = [`'${property}'`, ...(rule === undefined ? [] : [`\\b${rule}\\b`])];
    return !new RegExp([...reads, ...opens.map((type) => `opened\\('${type}'`)].join('|')).test(text);
  });
  t.same(unread.map(({ property }) => property).sort(), UNREAD);
});

t.test('initialises a property once, regardless of its proposals', async (t) => {
  const stated = parameterRows.filter(({ initial, absent }) => initial !== undefined || absent !== undefined);
  const names = stated.map(({ property }) => property);
  t.equal(new Set(names).size, names.length);
  t.equal(new Set(propertyRows.map(([name]) => name)).size, propertyRows.length);
});

t.test('assigns each number to one proposal', async (t) => {
  const ids = parameterRows.flatMap(({ id }) => (id === undefined ? [] : [id]));
  t.equal(new Set(ids).size, ids.length);
});
