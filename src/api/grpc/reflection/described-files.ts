import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor.js';
import { describeEnum, describeService, describeType } from './schema-descriptors.js';
import { schemaText } from './schema-files.js';

/** A schema file in the form that the reflection service needs. */
export interface DescribedFile {
  readonly name: string;
  /** Names of the imported files. */
  readonly imports: readonly string[];
  /**
   * Full names of the services, methods and messages in the file. The reflection service finds the file by these names.
   */
  readonly symbols: readonly string[];
  /** File descriptor as an encoded message `FileDescriptorProto`. */
  readonly bytes: Uint8Array;
}

/**
 * Reads schema files and all files that they import. Returns them by name. The files of `google/protobuf` are included
 * in the protobuf library.
 */
export function describeFiles(names: readonly string[]): ReadonlyMap<string, DescribedFile> {
  const root = new protobuf.Root();
  const imports = new Map<string, readonly string[]>();
  const queue = [...names];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (imports.has(name)) continue;
    const needed = readInto(root, name);
    imports.set(name, needed);
    queue.push(...needed);
  }
  root.resolveAll();
  return new Map([...imports].map(([name, needed]) => [name, describe(root, name, needed)]));
}

/** Reads a file into `root`. @returns names of the imported files */
function readInto(root: protobuf.Root, name: string): readonly string[] {
  const { nested } = protobuf.common.get(name) ?? {};
  let imports: readonly string[] = [];
  if (nested !== undefined) root.addJSON(nested);
  else imports = protobuf.parse(schemaText(name), root, { keepCase: true }).imports ?? [];
  for (const { item } of itemsOf(root)) item.filename ??= name;
  return imports;
}

function describe(root: protobuf.Root, name: string, imports: readonly string[]): DescribedFile {
  const items = itemsOf(root).filter(({ item }) => item.filename === name);
  const types = items.flatMap(({ item }) => (item instanceof protobuf.Type ? [item] : []));
  const services = items.flatMap(({ item }) => (item instanceof protobuf.Service ? [item] : []));
  const message = descriptor.FileDescriptorProto.fromObject({
    name,
    package: items[0]?.scope,
    dependency: imports,
    messageType: types.map(describeType),
    enumType: items.flatMap(({ item }) => (item instanceof protobuf.Enum ? [describeEnum(item)] : [])),
    service: services.map(describeService),
    syntax: 'proto3',
  });
  const symbols = [
    ...services.flatMap((service) => [service, ...service.methodsArray].map(({ fullName }) => fullName.slice(1))),
    ...types.flatMap(messagesIn),
  ];
  return { name, imports, symbols, bytes: descriptor.FileDescriptorProto.encode(message).finish() };
}

/** Returns the messages and services of all packages, each with the name of its package. */
function itemsOf(
  space: protobuf.NamespaceBase,
): { readonly item: protobuf.ReflectionObject; readonly scope: string }[] {
  return space.nestedArray.flatMap((item) =>
    isPackage(item) ? itemsOf(item) : [{ item, scope: space.fullName.slice(1) }],
  );
}

/**
 * Returns true for a package. The library also represents messages and services as namespaces, although they are not
 * packages.
 */
function isPackage(item: protobuf.ReflectionObject): item is protobuf.Namespace {
  return item.constructor === protobuf.Namespace;
}

/**
 * Returns the full names of a message and its nested messages. For each map field, there is a nested message for the
 * entries.
 */
function messagesIn(type: protobuf.Type): string[] {
  const name = type.fullName.slice(1);
  return [name, ...describeType(type).nestedType.map((inner) => `${name}.${inner.name}`)].concat(
    type.nestedArray.flatMap((inner) => (inner instanceof protobuf.Type ? messagesIn(inner) : [])),
  );
}
