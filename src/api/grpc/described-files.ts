import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor.js';
import { present } from '../../primitives/assert.js';
import { describeEnum, describeService, describeType } from './schema-descriptors.js';

/** A file of a schema as reflection tells of it. */
export interface DescribedFile {
  readonly name: string;
  /** Names of the files that it needs. */
  readonly imports: readonly string[];
  /** Full names of its services, their methods and its messages: what it is found by. */
  readonly symbols: readonly string[];
  /** A `FileDescriptorProto`. */
  readonly bytes: Uint8Array;
}

/**
 * Reads schemas and all that they import, by name.
 * @param folders where they lie; files of `google/protobuf` are the library's
 */
export function describeFiles(
  folders: readonly string[],
  names: readonly string[],
): ReadonlyMap<string, DescribedFile> {
  const root = new protobuf.Root();
  const imports = new Map<string, readonly string[]>();
  const waiting = [...names];
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (imports.has(name)) continue;
    const needed = readInto(root, folders, name);
    imports.set(name, needed);
    waiting.push(...needed);
  }
  root.resolveAll();
  return new Map([...imports].map(([name, needed]) => [name, describe(root, name, needed)]));
}

/** @returns what it imports */
function readInto(root: protobuf.Root, folders: readonly string[], name: string): readonly string[] {
  const { nested } = protobuf.common.get(name) ?? {};
  let imports: readonly string[] = [];
  if (nested !== undefined) root.addJSON(nested);
  else {
    const path = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
    const text = readFileSync(present(path, `a folder holds ${name}`), 'utf8');
    imports = protobuf.parse(text, root, { keepCase: true }).imports ?? [];
  }
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

/** What stands in packages, with the name of its package. */
function itemsOf(
  space: protobuf.NamespaceBase,
): { readonly item: protobuf.ReflectionObject; readonly scope: string }[] {
  return space.nestedArray.flatMap((item) =>
    isPackage(item) ? itemsOf(item) : [{ item, scope: space.fullName.slice(1) }],
  );
}

/** Messages and services are spaces of names, too. */
function isPackage(item: protobuf.ReflectionObject): item is protobuf.Namespace {
  return item.constructor === protobuf.Namespace;
}

/** Entries of maps are messages too. */
function messagesIn(type: protobuf.Type): string[] {
  const name = type.fullName.slice(1);
  return [name, ...describeType(type).nestedType.map((inner) => `${name}.${inner.name}`)].concat(
    type.nestedArray.flatMap((inner) => (inner instanceof protobuf.Type ? messagesIn(inner) : [])),
  );
}
