import {
  type IndexColumn,
  type IndexDefinition,
  indexOrder,
  shownColumns,
} from '../../../projections/indexes/index-definition.js';
import { indexDefinitions } from '../../../projections/indexes/indexes.js';

const TYPES: Readonly<Record<IndexColumn['type'], string>> = {
  address: 'Address!',
  amount: 'String!',
  text: 'String!',
};

/** Returns the name of the field of `Account` that lists an index: the name of the index in camel case. */
export function indexField({ name }: IndexDefinition): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** GraphQL schema of the indexes, derived from their definitions. */
export const indexSchema: string = [
  `extend type Account {\n${indexDefinitions.map(fieldOf).join('\n')}\n}`,
  ...indexDefinitions.map(typesOf),
].join('\n\n');

function fieldOf(index: IndexDefinition): string {
  const description = index.description.charAt(0).toUpperCase() + index.description.slice(1);
  return `  "${description}, ${indexOrder(index)}. Requires the projection ${index.name}."
  ${indexField(index)}(first: Int = 20, after: Cursor): ${typeName(index)}Page!`;
}

function typesOf(index: IndexDefinition): string {
  const columns = Object.entries(shownColumns(index)).map(
    ([name, { type, description }]) => `  "${description}"\n  ${name}: ${TYPES[type]}`,
  );
  const type = typeName(index);
  return `type ${type} {
  blockNumber: Long!
  transactionIndex: Int!
  transactionId: Bytes!
${columns.join('\n')}
}

type ${type}Page {
  nodes: [${type}!]!
  "Height up to which the index is complete; -1 if no block is indexed."
  upTo: Long!
  pageInfo: PageInfo!
}`;
}

function typeName(index: IndexDefinition): string {
  const field = indexField(index);
  return field.charAt(0).toUpperCase() + field.slice(1);
}
