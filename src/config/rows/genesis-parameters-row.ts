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
    'values of chain parameters from block 1 of a new private network, by the parameter names of getchainparameters. All nodes of the network must have the same values, so java-tron nodes cannot join the network. Not allowed on the main net',
    readParameters,
  ),
  fallback: '{}',
  open: true,
};

function readParameters(value: HoconValue, key: string): ParametersByName {
  const { fields } = asObject(value, key);
  return new Map([...fields].map(([name, member]) => [name, asInt64(member, `${key}.${name}`)]));
}
