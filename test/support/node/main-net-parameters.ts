import { readFileSync } from 'node:fs';

interface Difference {
  readonly value: number;
  readonly why: string;
}

interface MainNetParameters {
  /** Published values; a later vote replaces a published value. The keys are the names in `getchainparameters`. */
  readonly values: ReadonlyMap<string, number>;
  /**
   * Values for the private network: those of `values`, except for parameters that the private network intentionally
   * sets to other values.
   */
  readonly devnetValues: ReadonlyMap<string, number>;
  readonly devnetDiffers: ReadonlyMap<string, Difference>;
  /**
   * Parameters that the published table does not contain, with the reason why the node needs no value for the
   * parameter.
   */
  readonly silent: ReadonlyMap<string, string>;
}

/** Reads `config/main-net-parameters.json`. */
export function mainNetParameters(): MainNetParameters {
  const data = JSON.parse(
    readFileSync(new URL('../../../config/main-net-parameters.json', import.meta.url), 'utf8'),
  ) as {
    readonly published: { readonly values: Readonly<Record<string, number>> };
    readonly votes: readonly { readonly values: Readonly<Record<string, number>> }[];
    readonly silent: Readonly<Record<string, string>>;
    readonly devnetDiffers: Readonly<Record<string, Difference>>;
  };
  const values = new Map(Object.entries(data.published.values));
  for (const vote of data.votes) for (const [name, value] of Object.entries(vote.values)) values.set(name, value);
  const devnetDiffers = new Map(Object.entries(data.devnetDiffers));
  const devnetValues = new Map([...values, ...[...devnetDiffers].map(([name, { value }]) => [name, value] as const)]);
  return { values, devnetValues, devnetDiffers, silent: new Map(Object.entries(data.silent)) };
}
