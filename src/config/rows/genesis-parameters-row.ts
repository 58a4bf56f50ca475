import { asInt64, asObject, type HoconValue } from '../hocon/hocon-value.js';
import { type ConfigKey, row } from '../row.js';

/** Values of parameters by their names in `getchainparameters`. */
type ParametersByName = ReadonlyMap<string, bigint>;

/** Parameters of the committee that a private network has from its first block on. */
export const genesisParametersRow: ConfigKey<ParametersByName> = {
  ...row<ParametersByName>(
    'tronicle.genesisParameters',
    'object of int64',
    new Map(),
    'parameters of the committee, by their names in getchainparameters, that a new private network has from block 1 on; the same on all of its nodes; refused for the main net; java-tron cannot join such a network',
    readParameters,
  ),
  fallback: '{}',
  open: true,
};

function readParameters(value: HoconValue, key: string): ParametersByName {
  const { fields } = asObject(value, key);
  return new Map([...fields].map(([name, member]) => [name, asInt64(member, `${key}.${name}`)]));
}
