import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { graphqlError } from './graphql-errors.js';
import { GRAPHQL_PAGE_MAX } from './page.js';
import { PAST_STATE, readCosts } from './query-costs.js';
import { SCHEMA_COST_MAX, SchemaCost } from './schema/schema-cost.js';

/**
 * Maximum number of tokens of a query. It bounds the time of parsing and validation, which precede the checks of depth
 * and cost. Introspection queries of common tools have about 250 tokens.
 *
 * During validation, the library `graphql` compares each field with all others of the same name. Therefore, 5,000
 * tokens can block the thread for over a second, but 1,000 tokens only for about 20 ms.
 */
export const TOKENS_OF_QUERY_MAX = 1_000;
/**
 * Maximum length of a query, in characters. For each error, the library `graphql` reads the query up to the position of
 * the error. The length therefore bounds the time for the errors. A query of the maximum number of tokens is shorter,
 * unless it has long names or much white space.
 */
const QUERY_LENGTH_MAX = 16_384;
/**
 * Maximum depth of nested fields. The deepest useful query (blocks, nodes, transactions, receipt, internal
 * transactions) has eight levels.
 */
const QUERY_DEPTH_MAX = 10;
/**
 * Maximum estimated cost of a query, in the unit of `readCosts`. This cost equals about 50 ms of one thread. The
 * limit is necessary, because an answer is computed in one turn of the event loop. A page of 100 blocks with headers
 * and five transactions each is below the limit.
 */
const COST_MAX = 10_000;
/**
 * Assumed number of items of a list without the argument `first`. Examples are signatures, votes, and logs of a
 * receipt.
 */
const LIST_COST = 5;

export type Variables = Readonly<Record<string, unknown>>;

/** Rejects queries that are too long. @throws {GraphQLError} QUERY_TOO_LONG */
export function checkQueryText(text: string): void {
  const { length } = text;
  if (length > QUERY_LENGTH_MAX)
    throw graphqlError('QUERY_TOO_LONG', `query has ${length} characters, the maximum is ${QUERY_LENGTH_MAX}`);
}

/**
 * Rejects queries that are too deep or too expensive.
 * @param variables undefined if unknown; each variable then has its maximum value
 * @returns the estimated cost of the most expensive operation
 * @throws {GraphQLError} QUERY_TOO_DEEP, QUERY_TOO_COSTLY
 */
export function checkQueryLimits(schema: GraphQLSchema, document: DocumentNode, variables?: Variables): number {
  const costs = document.definitions.map((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return 0;
    const known = variables === undefined ? {} : { ...defaultsOf(definition), ...variables };
    return new QueryCost(schema, document, known).of(definition);
  });
  const cost = Math.max(0, ...costs);
  if (cost > COST_MAX) throw tooCostly(cost);
  return cost;
}

/** Returns the integer default values of the variables that an operation declares. Only integers determine the cost. */
function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)]] : [],
    ),
  );
}

class QueryCost {
  private readonly schema: GraphQLSchema;
  private readonly variables: Variables;
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  private visits = 0;
  private readonly aboutSchema: SchemaCost;

  constructor(schema: GraphQLSchema, { definitions }: DocumentNode, variables: Variables) {
    this.schema = schema;
    this.variables = variables;
    this.fragments = new Map(
      definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
    );
    this.aboutSchema = new SchemaCost(schema, this.fragments);
  }

  of({ operation, selectionSet }: OperationDefinitionNode): number {
    return this.selections(selectionSet, this.schema.getRootType(operation)?.name, 1);
  }

  private selections({ selections }: SelectionSetNode, typeName: string | undefined, depth: number): number {
    if (depth > QUERY_DEPTH_MAX)
      throw graphqlError('QUERY_TOO_DEEP', `query exceeds ${QUERY_DEPTH_MAX} levels of fields`);
    // Limits the time of the estimate itself, because nested fragments can multiply the number of visited fields.
    if (++this.visits > COST_MAX) throw tooCostly(this.visits);
    let cost = 0;
    for (const node of selections) {
      if (node.kind === Kind.FIELD) cost += this.field(node, typeName, depth);
      else if (node.kind === Kind.INLINE_FRAGMENT) cost += this.selections(node.selectionSet, typeName, depth);
      else {
        const fragment = this.fragments.get(node.name.value);
        if (fragment !== undefined) cost += this.selections(fragment.selectionSet, typeName, depth);
      }
    }
    return cost;
  }

  private field(node: FieldNode, typeName: string | undefined, depth: number): number {
    if (node.name.value.startsWith('__')) {
      const cost = this.aboutSchema.add(node);
      if (cost > SCHEMA_COST_MAX) throw tooCostly(cost, SCHEMA_COST_MAX);
      return 1;
    }
    const { once = 0, each = 0 } = readCosts[`${typeName}.${node.name.value}`] ?? {};
    const own = 1 + once + (node.arguments?.some(({ name }) => name.value === 'at') ? PAST_STATE : 0);
    if (node.selectionSet === undefined) return own;
    const type = typeName === undefined ? undefined : this.schema.getType(typeName);
    const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined;
    if (field === undefined) return own;
    const child = getNamedType(field.type);
    const inner = isCompositeType(child) ? this.selections(node.selectionSet, child.name, depth + 1) : 0;
    return own + this.length(node, field) * (1 + each + inner);
  }

  /** Returns the number of times that the cost of the nested fields of this field is counted. */
  private length(node: FieldNode, field: GraphQLField<unknown, unknown>): number {
    const argument = field.args.find(({ name }) => name === 'first');
    if (argument === undefined) {
      // The number of items of a page is already counted at the field with the argument `first`.
      if (field.name === 'nodes') return 1;
      const type = isNonNullType(field.type) ? field.type.ofType : field.type;
      return isListType(type) ? LIST_COST : 1;
    }
    const first = node.arguments?.find(({ name }) => name.value === 'first')?.value;
    // A negative value is rejected later. Until then, it must not reduce the total cost.
    if (first?.kind === Kind.INT) return Math.max(0, Number(first.value));
    if (first?.kind === Kind.VARIABLE) {
      const value = this.variables[first.name.value];
      return typeof value === 'number' ? Math.max(0, value) : GRAPHQL_PAGE_MAX;
    }
    return typeof argument.defaultValue === 'number' ? argument.defaultValue : GRAPHQL_PAGE_MAX;
  }
}

function tooCostly(cost: number, limit: number = COST_MAX): GraphQLError {
  return graphqlError(
    'QUERY_TOO_COSTLY',
    `query may cost ${cost} fields, the maximum is ${limit}; request fewer nodes or fields`,
  );
}
