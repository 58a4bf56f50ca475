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
import { PAGE_MAX } from './page.js';

/** Levels of fields. The deepest path that the schema makes sense of (blocks, nodes, transactions, receipt, internals) has eight. */
export const DEPTH_MAX = 10;
/**
 * Fields that an answer may hold, estimated before anything is read. Some 200 ms of the thread that also takes blocks; a page of
 * 100 blocks with 20 transactions each and a handful of fields fits.
 */
export const COST_MAX = 30_000;
/** Assumed length of a list without `first`: signatures, votes, logs of a receipt. */
const LIST_COST = 5;
/** As {@link COST_MAX}, for what a query asks of the schema itself: it reads nothing. Twice what tools ask once. */
export const SCHEMA_COST_MAX = 300_000;
/** Assumed lengths of the schema's own lists, by field; `types` is counted. */
const SCHEMA_LISTS: Readonly<Record<string, number>> = { fields: 10, inputFields: 5, enumValues: 10, args: 3 };

export type Variables = Readonly<Record<string, unknown>>;

/** Refuses what would cost too much. @throws {GraphQLError} QUERY_TOO_DEEP, QUERY_TOO_COSTLY */
export function checkQueryLimits(schema: GraphQLSchema, document: DocumentNode, variables: Variables = {}): void {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const cost = new QueryCost(schema, document, { ...defaultsOf(definition), ...variables }).of(definition);
    if (cost > COST_MAX) throw tooCostly(cost);
  }
}

/** Values of variables that the operation gives itself. */
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
  private schemaCost = 0;

  constructor(schema: GraphQLSchema, { definitions }: DocumentNode, variables: Variables) {
    this.schema = schema;
    this.variables = variables;
    this.fragments = new Map(
      definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
    );
  }

  of({ operation, selectionSet }: OperationDefinitionNode): number {
    return this.selections(selectionSet, this.schema.getRootType(operation)?.name, 1);
  }

  private selections({ selections }: SelectionSetNode, typeName: string | undefined, depth: number): number {
    // Tools follow the types of lists of lists; how deep lists of fields may be is graphql's own rule.
    if (depth > DEPTH_MAX && typeName?.startsWith('__') !== true)
      throw graphqlError('QUERY_TOO_DEEP', `fields may be ${DEPTH_MAX} levels deep, not more`);
    // Fragments that spread each other many times would make the estimate itself costly.
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
    if (node.selectionSet === undefined) return 1;
    if (node.name.value.startsWith('__')) return this.aboutSchema(node, node.selectionSet, depth);
    const type = typeName === undefined ? undefined : this.schema.getType(typeName);
    const field = isObjectType(type) ? type.getFields()[node.name.value] : undefined;
    if (field === undefined) return 1;
    const child = getNamedType(field.type);
    const inner = isCompositeType(child) ? this.selections(node.selectionSet, child.name, depth + 1) : 0;
    return 1 + (this.schemaLength(node, typeName) ?? this.length(node, field)) * inner;
  }

  /** `__schema` and `__type`: free for the query, up to a limit of their own. */
  private aboutSchema({ name }: FieldNode, selections: SelectionSetNode, depth: number): number {
    this.schemaCost += this.selections(selections, name.value === '__schema' ? '__Schema' : '__Type', depth + 1);
    if (this.schemaCost > SCHEMA_COST_MAX) throw tooCostly(this.schemaCost, SCHEMA_COST_MAX);
    return 1;
  }

  /** Length of one of the schema's own lists. */
  private schemaLength({ name }: FieldNode, typeName: string | undefined): number | undefined {
    if (typeName?.startsWith('__') !== true) return undefined;
    return name.value === 'types' ? Object.keys(this.schema.getTypeMap()).length : SCHEMA_LISTS[name.value];
  }

  /** How often the fields inside are read. */
  private length(node: FieldNode, field: GraphQLField<unknown, unknown>): number {
    const argument = field.args.find(({ name }) => name === 'first');
    if (argument === undefined) {
      const type = isNonNullType(field.type) ? field.type.ofType : field.type;
      return isListType(type) ? LIST_COST : 1;
    }
    const given = node.arguments?.find(({ name }) => name.value === 'first')?.value;
    if (given?.kind === Kind.INT) return Number(given.value);
    if (given?.kind === Kind.VARIABLE) {
      const value = this.variables[given.name.value];
      return typeof value === 'number' ? value : PAGE_MAX;
    }
    return typeof argument.defaultValue === 'number' ? argument.defaultValue : PAGE_MAX;
  }
}

function tooCostly(cost: number, limit: number = COST_MAX): GraphQLError {
  return graphqlError(
    'QUERY_TOO_COSTLY',
    `the query may give ${cost} fields, at most ${limit} are answered: ask for less`,
  );
}
