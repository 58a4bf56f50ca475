import {
  __Schema,
  __Type,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/**
 * Maximum number of introspection fields per query. A field takes about 3 µs. The queries of common tools read up to
 * two thirds of this number.
 */
export const SCHEMA_COST_MAX = 9_000;

/**
 * Counts the introspection fields in the response to a query. The count is exact, because the schema is known. A
 * selected field counts once for each schema element (type, field, argument) for which the response contains it.
 */
export class SchemaCost {
  private readonly schema: GraphQLSchema;
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  private readonly known = new Map<SelectionSetNode, Map<unknown, number>>();
  private total = 0;
  private visits = 0;

  constructor(schema: GraphQLSchema, fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.schema = schema;
    this.fragments = fragments;
  }

  /**
   * Adds a `__schema` or `__type` field and the fields that are selected inside it to the count. A `__typename` field
   * costs as much as an ordinary field.
   * @returns the total count of the query so far
   */
  add({ name, selectionSet }: FieldNode): number {
    if (selectionSet === undefined) return this.total;
    if (name.value === '__schema') this.total += this.of(selectionSet, __Schema, this.schema);
    else {
      // The type name may be a variable with an unknown value. The most expensive type is counted in this case.
      const types: readonly GraphQLNamedType[] = Object.values(this.schema.getTypeMap());
      this.total += Math.max(...types.map((type) => this.of(selectionSet, __Type, type)));
    }
    return this.total;
  }

  private of(selectionSet: SelectionSetNode, type: GraphQLObjectType, value: unknown): number {
    let known = this.known.get(selectionSet);
    if (known === undefined) {
      known = new Map();
      this.known.set(selectionSet, known);
    }
    let cost = known.get(value);
    if (cost === undefined) {
      // Stops counting when the query exceeds the limit.
      cost = ++this.visits > SCHEMA_COST_MAX ? SCHEMA_COST_MAX : this.selections(selectionSet, type, value);
      known.set(value, cost);
    }
    return cost;
  }

  private selections({ selections }: SelectionSetNode, type: GraphQLObjectType, value: unknown): number {
    let cost = 0;
    for (const node of selections) {
      if (node.kind === Kind.FIELD) cost += 1 + this.below(node, type, value);
      else if (node.kind === Kind.INLINE_FRAGMENT) cost += this.of(node.selectionSet, type, value);
      else {
        const fragment = this.fragments.get(node.name.value);
        if (fragment !== undefined) cost += this.of(fragment.selectionSet, type, value);
      }
    }
    return cost;
  }

  /**
   * Returns the cost of the fields that are selected inside a field. If the field is a list, returns the sum of the
   * costs of all its items.
   */
  private below({ name, selectionSet }: FieldNode, type: GraphQLObjectType, value: unknown): number {
    const field = type.getFields()[name.value];
    const child = field && getNamedType(field.type);
    if (selectionSet === undefined || !isObjectType(child)) return 0;
    // Safe cast: introspection resolvers read only the property `schema` of this argument.
    const info = { schema: this.schema } as GraphQLResolveInfo;
    const found = field?.resolve?.(value, { includeDeprecated: true }, undefined, info);
    if (found === undefined || found === null) return 0;
    const things = Array.isArray(found) ? found : [found];
    return things.reduce<number>((sum, item) => sum + this.of(selectionSet, child, item), 0);
  }
}
