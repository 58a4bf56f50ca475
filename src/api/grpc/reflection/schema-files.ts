import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folder of the schemas. The relative path is the same from `src` and from `dist`. */
const FOLDER = new URL('../../../../proto/', import.meta.url);

/** A version of the reflection service. The versions have the same schema in different packages. */
export type ReflectionVersion = 'v1' | 'v1alpha';

/** Returns the name of the schema file of a version of the reflection service. */
export function reflectionFile(version: ReflectionVersion): string {
  return `grpc/reflection/${version}/reflection.proto`;
}

/** Returns the text of a schema file. @param name name relative to the folder of the schemas */
export function schemaText(name: string): string {
  if (name !== reflectionFile('v1alpha')) return readFileSync(fileURLToPath(new URL(name, FOLDER)), 'utf8');
  return schemaText(reflectionFile('v1')).replace('package grpc.reflection.v1;', 'package grpc.reflection.v1alpha;');
}
