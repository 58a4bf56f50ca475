import { toHex } from '../../primitives/bytes.js';
import type { RowCodec } from './row-codecs.js';
import type { RangeOptions, StateReader } from './state-reader.js';
import { type StoreId, type StoreName, storeId } from './stores.js';

/** Codecs of the stores that a projection owns, by store name. */
export type StoreCodecs = Readonly<Partial<Record<StoreName, RowCodec<unknown>>>>;

/** Type of the decoded rows that a codec produces. */
export type RowOf<Codec> = Codec extends RowCodec<infer Row> ? Row : never;

/** Decoded rows of a projection's stores in one view of the state. */
interface TypedRows<Stores extends StoreCodecs> {
  get<Name extends keyof Stores & StoreName>(name: Name, key: Uint8Array): RowOf<Stores[Name]> | undefined;
  /** Iterates over rows in key order. */
  range<Name extends keyof Stores & StoreName>(
    name: Name,
    options?: RangeOptions,
  ): Iterable<{ readonly key: Uint8Array; readonly row: RowOf<Stores[Name]> }>;
}

/** One part of the state: the stores that it owns, the codecs of their rows, and typed readers. */
export interface StateProjection<Stores extends StoreCodecs = StoreCodecs, Reader = unknown> {
  /** Name in `tronicle status`, metrics and log lines. */
  readonly name: string;
  /** Increase this number when the encoding of the rows changes. Two nodes compare only rows of the same version. */
  readonly version: number;
  /** Description of the projection for the operator, one sentence. */
  readonly description: string;
  readonly stores: Stores;
  /** Ids of the projection's stores, ascending. */
  readonly storeIds: readonly StoreId[];
  /** Returns the readers of the rows in a view: the head, the solidified block, or a past height. */
  at(view: StateReader): TypedRows<Stores> & Reader;
}

interface ProjectionDefinition<Stores extends StoreCodecs, Reader>
  extends Pick<StateProjection<Stores>, 'name' | 'version' | 'description'> {
  /** Codecs by store name. An unknown store name does not compile. */
  readonly stores: Stores & Readonly<Record<Exclude<keyof Stores, StoreName>, never>>;
  /** Returns the named readers of this projection, built from the decoded rows. */
  readonly read: (rows: TypedRows<Stores>) => Reader;
}

export function stateProjection<const Stores extends StoreCodecs, Reader>(
  definition: ProjectionDefinition<Stores, Reader>,
): StateProjection<Stores, Reader> {
  const { name, version, description, read } = definition;
  const stores: Stores = definition.stores;
  const names = Object.keys(stores) as StoreName[];
  return {
    name,
    version,
    description,
    stores,
    storeIds: names.map(storeId).sort((a, b) => a - b),
    at: (view) => {
      const rows = typedRows(stores, view);
      return { ...rows, ...read(rows) };
    },
  };
}

function typedRows<Stores extends StoreCodecs>(stores: Stores, view: StateReader): TypedRows<Stores> {
  // The cast is safe, because the codec of a store has the row type of that store.
  const codecOf = <Name extends keyof Stores & StoreName>(name: Name) => stores[name] as RowCodec<RowOf<Stores[Name]>>;
  return {
    get: (name, key) => {
      const value = view.get(storeId(name), key);
      return value === undefined ? undefined : codecOf(name).decode(value, toHex(key));
    },
    *range(name, options) {
      const codec = codecOf(name);
      for (const { key, value } of view.range(storeId(name), options)) {
        yield { key, row: codec.decode(value, toHex(key)) };
      }
    },
  };
}

/** Names of the stores of a projection. */
type StoresOf<Projection> = Projection extends { readonly stores: infer Stores } ? keyof Stores & StoreName : never;

type Unowned<List extends readonly unknown[]> = Exclude<StoreName, StoresOf<List[number]>>;

type OwnedTwice<List extends readonly unknown[]> = List extends readonly [infer First, ...infer Rest]
  ? (StoresOf<First> & StoresOf<Rest[number]>) | OwnedTwice<Rest>
  : never;

/** `unknown` if each store has exactly one owner in the list. Otherwise a type that no list can have. */
type OwnsEachStoreOnce<List extends readonly unknown[]> = [Unowned<List>] extends [never]
  ? [OwnedTwice<List>] extends [never]
    ? unknown
    : { readonly 'stores with two owners': OwnedTwice<List> }
  : { readonly 'stores without an owner': Unowned<List> };

/** Returns the list unchanged. The call does not compile if a store has no owner or two owners in the list. */
export function ownEachStoreOnce<const List extends readonly StateProjection[]>(
  list: List & OwnsEachStoreOnce<List>,
): List {
  return list;
}
