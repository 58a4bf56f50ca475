import { asInt64, asObject, type HoconValue } from '../hocon/hocon-value.js';
import { type ConfigKey, row } from '../row.js';

/** Parameter values, by the names that `getchainparameters` uses. */
type ParametersByName = ReadonlyMap<string, bigint>;

/** Values of chain parameters from the first block of a private network. */
export const genesisParametersRow: ConfigKey<ParametersByName> = {
  ...row<ParametersByName>(
    'tronicle.genesisParameters',
    'object of int64',
    new Map(),
    'committee parameters that a new private network has from block 1, by their names in getchainparameters; must be the same on all its nodes; refused for the main net; java-tron cannot join such a network',
    readParameters,
  ),
  fallback: '{}',
  open: true,
};

function readParameters(value: HoconValue, key: string): ParametersByName {
  const { fields } = asObject(value, key);
  return new Map([...fields].map(([name, member]) => [name, asInt64(member, `${key}.${name}`)]));
}
